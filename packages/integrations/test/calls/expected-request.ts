/*
 * The request that a document requires, derived by OpenAPI's rules without the importer: a second opinion for the usual
 * cases. Unsupported parts are left out and listed.
 */
import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportedOperation } from "../../src/openapi/imported-api.ts";

export interface ExpectedRequest {
  readonly method: string;
  /** Segments below the base URL, decoded; `undefined` when unknown. */
  readonly segments: readonly (string | undefined)[];
  /** Decoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parts that this derivation does not support. */
  readonly unknown: readonly string[];
}

type Pair = readonly [name: string, value: string];

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly style: string;
  readonly explode: boolean;
  readonly isContent: boolean;
}

/** @param root the document as a value, with its references */
export function expectedRequest(root: JsonObject, operation: ImportedOperation, args: JsonObject): ExpectedRequest {
  const parameters = parametersOf(root, operation);
  const valueOf = ({ name, in: place }: Parameter): JsonValue | undefined => {
    const input = operation.inputs.find((one) => one.in === place && one.name === name);
    return input === undefined || !Object.hasOwn(args, input.input) ? undefined : args[input.input];
  };
  const unknown: string[] = [];
  const inPath = (name: string): string | undefined => {
    const parameter = parameters.find((one) => one.in === "path" && one.name === name);
    const value = parameter === undefined ? undefined : valueOf(parameter);
    if (parameter?.style === "simple" && !parameter.isContent && isScalar(value)) return String(value);
    unknown.push(`path ${name}`);
    return undefined;
  };
  // No parameter in these documents has a "#" in its name.
  const [sent = ""] = operation.path.split("#");
  const segments = sent.split("/").map((segment) => {
    const whole = /^\{([^{}]*)\}$/.exec(segment);
    if (whole !== null) return inPath(whole[1] ?? "");
    return segment.includes("{") ? undefined : segment;
  });
  const query: Pair[] = [];
  const headers: Record<string, string> = {};
  for (const parameter of parameters) {
    const value = valueOf(parameter);
    if (value === undefined) continue;
    if (parameter.in === "query") {
      const pairs = parameter.isContent ? undefined : pairsOf(parameter, value);
      if (pairs === undefined) unknown.push(`query ${parameter.name}`);
      else query.push(...pairs);
    }
    if (parameter.in === "header" && isScalar(value)) headers[parameter.name.toLowerCase()] = String(value);
  }
  return { method: operation.method.toUpperCase(), segments, query, headers, unknown };
}

/** The operation's own parameters take precedence over those of its path. */
function parametersOf(root: JsonObject, { path, method }: ImportedOperation): readonly Parameter[] {
  const item = resolved(root, member(member(root, "paths"), path));
  const lists = [member(item, "parameters"), member(member(item, method), "parameters")];
  const all = new Map<string, Parameter>();
  for (const given of lists.flatMap((list) => (Array.isArray(list) ? (list as readonly JsonValue[]) : []))) {
    const raw = resolved(root, given);
    const parameter = root["swagger"] === undefined ? ofOpenApi(raw) : ofSwagger(raw);
    all.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...all.values()];
}

function ofOpenApi(raw: JsonValue | undefined): Parameter {
  const place = text(member(raw, "in"));
  const style = text(member(raw, "style")) || (place === "query" || place === "cookie" ? "form" : "simple");
  const explode = member(raw, "explode") ?? style === "form";
  const isContent = member(raw, "content") !== undefined;
  return { name: text(member(raw, "name")), in: place, style, explode: explode === true, isContent };
}

const styles: Readonly<Record<string, string>> = { ssv: "spaceDelimited", tsv: "tabDelimited", pipes: "pipeDelimited" };

function ofSwagger(raw: JsonValue | undefined): Parameter {
  const place = text(member(raw, "in"));
  const format = text(member(raw, "collectionFormat"));
  const style = styles[format] ?? (place === "query" ? "form" : "simple");
  return { name: text(member(raw, "name")), in: place, style, explode: format === "multi", isContent: false };
}

const separators: Readonly<Record<string, string>> = {
  form: ",",
  spaceDelimited: " ",
  tabDelimited: "\t",
  pipeDelimited: "|",
};

function pairsOf({ name, style, explode }: Parameter, value: JsonValue): readonly Pair[] | undefined {
  if (isScalar(value)) return [[name, String(value)]];
  if (style === "deepObject") return flattened(name, value);
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    if (!items.every(isScalar)) return undefined;
    return explode ? items.map((item) => [name, String(item)]) : [[name, items.map(String).join(separators[style])]];
  }
  const members = Object.entries(value as JsonObject);
  if (!explode || !members.every(([, one]) => isScalar(one))) return undefined;
  return members.flatMap(([one, inner]) => flattened(one, inner));
}

/** `a[b][0]=…` */
export function flattened(name: string, value: JsonValue): readonly Pair[] {
  if (value === null) return [];
  if (isScalar(value)) return [[name, String(value)]];
  return Object.entries(value as JsonObject).flatMap(([key, inner]) => flattened(`${name}[${key}]`, inner));
}

function isScalar(value: JsonValue | undefined): value is string | number | boolean {
  return value !== undefined && value !== null && typeof value !== "object";
}

function resolved(root: JsonObject, value: JsonValue | undefined): JsonValue | undefined {
  const ref = member(value, "$ref");
  if (typeof ref !== "string") return value;
  let at: JsonValue | undefined = root;
  for (const part of ref.slice(2).split("/")) {
    at = member(at, decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return resolved(root, at);
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as JsonObject)[name];
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
