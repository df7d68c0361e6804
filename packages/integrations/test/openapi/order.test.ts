import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportedOperation } from "@procedo/integrations/openapi";
import { answers, imported, openApi, swagger } from "./documents.ts";

const string: JsonObject = { type: "string" };
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const body = (schema: JsonValue): JsonObject => ({
  content: {
    "application/xml": { schema: string },
    "application/a+json": { schema },
    "application/b+json": { schema },
    "text/plain": { schema: string },
  },
});

/** All parts that could depend on order: colliding names and inputs, media types, responses, circular references. */
const modern = openApi(
  {
    "/a/{id}": {
      parameters: [
        { name: "id", in: "path", required: true, schema: string },
        { name: "page", in: "query", schema: string },
      ],
      get: { operationId: "same", parameters: [{ name: "id", in: "query", schema: string }], responses: answers },
      post: {
        operationId: "same",
        parameters: [
          { name: "id", in: "query", schema: string },
          { name: "id", in: "header", schema: string },
          { name: "id_query", in: "query", schema: string },
        ],
        requestBody: body({ allOf: [ref("Node"), { ...object({ id: string, id_path: string }), required: ["id"] }] }),
        responses: { "202": answerOf("Leaf"), "200": answerOf("Node"), default: answerOf("Leaf") },
      },
    },
    "/a_{id}": {
      get: { parameters: [{ name: "id", in: "path", required: true, schema: string }], responses: answers },
    },
    "/a/{id}/": {
      put: {
        parameters: [{ name: "id", in: "path", required: true, schema: string }],
        requestBody: body(ref("Either")),
        responses: answers,
      },
    },
    "/b": {
      get: { responses: answers },
      post: { operationId: "Same", requestBody: body(ref("Leaf")), responses: answers },
    },
    "/b/": { get: { responses: answers } },
  },
  {
    components: {
      schemas: {
        Node: { ...object({ name: string, next: ref("Node"), leaf: ref("Leaf") }), required: ["name"] },
        Leaf: object({ node: ref("Node"), "a/b": string, deep: object({ more: ref("Either") }) }),
        Either: {
          oneOf: [
            { ...object({ kind: string, x: ref("Leaf") }), required: ["kind"] },
            { ...object({ kind: string, y: string }), required: ["kind", "y"] },
          ],
        },
      },
    },
  },
);

const older = swagger({
  "/a": {
    parameters: [{ name: "x", in: "query", type: "string" }],
    post: {
      parameters: [
        { name: "x", in: "formData", type: "string" },
        { name: "y", in: "formData", type: "array", items: string },
        { name: "f", in: "formData", type: "file" },
      ],
      consumes: ["application/x-www-form-urlencoded", "multipart/form-data"],
      responses: answers,
    },
    get: { operationId: "get_b", responses: answers },
  },
  "/b": { get: { responses: answers } },
});

function object(properties: JsonObject): JsonObject {
  return { type: "object", properties };
}
function answerOf(name: string): JsonObject {
  return { description: "ok", content: { "application/json": { schema: ref(name) } } };
}

/** The same value with its members, and lists that are sets, in another order. */
function shuffled(value: JsonValue, random: () => number, name = ""): JsonValue {
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => shuffled(item, random));
    return ["parameters", "required", "consumes"].includes(name) ? inAnyOrder(items, random) : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]): [string, JsonValue] => [
    key,
    shuffled(member, random, key),
  ]);
  return Object.fromEntries(inAnyOrder(members, random));
}

function inAnyOrder<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** An action with its sets sorted. */
const byName = (operations: readonly ImportedOperation[]): Record<string, unknown> =>
  Object.fromEntries(
    operations.map((operation) => [
      operation.name,
      {
        ...operation,
        input: settled(operation.input),
        output: settled(operation.output),
        inputs: operation.inputs.toSorted((a, b) => (a.input < b.input ? -1 : 1)),
      },
    ]),
  );

function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "required" && Array.isArray(member) ? member.toSorted() : settled(member),
    ]),
  );
}

describe("the order of a document", () => {
  it.each([
    ["OpenAPI 3.0", modern],
    ["Swagger 2.0", older],
  ])("of %s changes neither the names nor the content of its actions", (_, text) => {
    const before = byName(imported(text).operations);
    const document = JSON.parse(text) as JsonObject;
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (stream) => {
        const random = () => stream.next().value as number;
        const { operations } = imported(JSON.stringify(shuffled(document, random)));
        expect(byName(operations)).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });
});
