import type { JsonObject, JsonValue } from "@procedo/contract";
import { expect } from "vitest";
import type { ImportedBody, ImportedOperation } from "../../src/openapi/imported-api.ts";
import { expectedRequest, flattened } from "./expected-request.ts";
import { headerOf, type Recorded } from "./recording-server.ts";

/** Compares method, path, query, headers and body. */
export async function compareRequest(
  request: Recorded,
  root: JsonObject,
  operation: ImportedOperation,
  args: JsonObject,
): Promise<void> {
  const expected = expectedRequest(root, operation, args);
  expect(request.method).toBe(expected.method);
  const segments = request.path.split("/").slice(2).map(decodeURIComponent);
  const known = expected.segments.slice(1);
  expect(segments).toHaveLength(known.length);
  expect(segments.map((segment, index) => (known[index] === undefined ? undefined : segment))).toEqual(known);
  if (!expected.unknown.some((part) => part.startsWith("query"))) {
    const byName = (pairs: readonly (readonly [string, string])[]) => pairs.map(String).sort();
    expect(byName(request.query)).toEqual(byName(expected.query));
  }
  for (const [name, value] of Object.entries(expected.headers)) {
    if (operation.inputs.some((input) => input.in === "header" && input.name.toLowerCase() === name)) {
      expect(headerOf(request, name)).toEqual([value]);
    }
  }
  await compareBody(request, operation, args);
}

async function compareBody(request: Recorded, operation: ImportedOperation, args: JsonObject): Promise<void> {
  const { body, inputs } = operation;
  const members = inputs.flatMap(({ in: place, input, name }): (readonly [string, JsonValue])[] => {
    const value = Object.hasOwn(args, input) ? args[input] : undefined;
    return place === "body" && value !== undefined ? [[name, value]] : [];
  });
  if (body === undefined || (members.length === 0 && !body.required)) {
    expect(request.body.byteLength).toBe(0);
    return;
  }
  const text = request.body.toString("utf8");
  if (members.length > 0) expect(headerOf(request, "content-type")[0]).toContain(body.mediaType);
  if (body.mediaType.includes("json") && members.length > 0) {
    const named = Object.fromEntries(members);
    const open = Object.entries(args).filter(([name]) => !inputs.some(({ input }) => input === name));
    expect(JSON.parse(text)).toEqual(
      body.shape === "whole" ? members[0]?.[1] : { ...named, ...(body.open ? Object.fromEntries(open) : {}) },
    );
  }
  if (body.mediaType === "application/x-www-form-urlencoded") {
    expect([...new URLSearchParams(text)]).toEqual(members.flatMap(([name, value]) => formPairs(body, name, value)));
  }
  if (body.mediaType === "multipart/form-data" && members.length > 0) {
    const form = await new Response(request.body, {
      headers: { "content-type": headerOf(request, "content-type")[0] ?? "" },
    }).formData();
    const present = members.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
    // A member with the style deepObject has several parts, `name[key]`.
    const isDeep = (name: string): boolean => body.parts[name]?.encoding?.style === "deepObject";
    const sent = [...form.keys()].map((key) => [key, key.split("[", 1)[0] ?? key] as const);
    const names = sent.map(([key, name]) => (isDeep(name) ? name : key));
    expect(new Set(names)).toEqual(new Set(present.map(([name]) => name)));
  }
}

/** Lists repeat their name, unless the document says otherwise or they contain more than scalars. */
function formPairs({ parts }: ImportedBody, name: string, value: JsonValue): readonly (readonly [string, string])[] {
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (part?.contentType?.includes("json") === true) return [[name, JSON.stringify(value)]];
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : undefined;
  const repeats = part?.encoding?.style !== "deepObject" && items?.every((item) => typeof item !== "object") === true;
  return repeats ? items.flatMap((item) => flattened(name, item)) : flattened(name, value);
}
