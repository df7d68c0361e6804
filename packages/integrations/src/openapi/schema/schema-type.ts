import type { JsonValue } from "@procedo/contract";
import type { ApiDocument } from "../document/api-document.ts";
import { shown } from "../problem-list.ts";

const names = ["string", "number", "integer", "boolean", "object", "array"];

/**
 * Type names of other languages with exactly one JSON equivalent. `date`, for example, may be a text or a number, so it
 * is not listed.
 */
const synonyms: ReadonlyMap<string, string> = new Map([
  ...["str", "text", "char", "varchar", "uuid", "guid", "uri", "url", "email"].map((name) => [name, "string"] as const),
  ...["int", "int32", "int64", "long", "short", "bigint"].map((name) => [name, "integer"] as const),
  ...["float", "double", "num", "numeric"].map((name) => [name, "number"] as const),
  ["bool", "boolean"],
  ...["map", "dict", "dictionary", "hash"].map((name) => [name, "object"] as const),
  ["list", "array"],
]);

export interface SchemaType {
  /** Empty when any value is accepted. */
  readonly types: readonly string[];
  /** Swagger's `file`, which is bytes. */
  readonly binary: boolean;
  readonly warning?: string;
}

/** Reads `type`. A list of types and "null" belong to OpenAPI 3.1, but their meaning is clear. */
export function typesOf(type: JsonValue, dialect: ApiDocument["dialect"]): SchemaType {
  if (type === "file" && dialect === "swagger-2.0") return { types: ["string"], binary: true };
  if (typeof type === "string" && names.includes(type)) return { types: [type], binary: false };
  const list: readonly JsonValue[] = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
  const types = list.map(typeOf);
  const unknown = list[types.indexOf(undefined)];
  if (types.includes(undefined) || list.length === 0) {
    const warning = `type ${shown(unknown ?? type)} is not one of ${names.join(", ")}; any value is accepted.`;
    return { types: [], binary: false, warning };
  }
  const known = [...new Set(types.filter((name) => name !== undefined))];
  const isFile = list.length === 1 && known[0] === "file";
  const asWritten = list.every((name, index) => name === types[index]) && !isFile;
  const warning = asWritten
    ? `type ${JSON.stringify(type)} is of OpenAPI 3.1; it is read as it is meant there.`
    : `type ${JSON.stringify(type)} is not one of ${names.join(", ")}; it is read as ${isFile ? "bytes" : known.join()}.`;
  return { types: known.map((name) => (name === "file" ? "string" : name)), binary: isFile, warning };
}

function typeOf(name: JsonValue): string | undefined {
  if (typeof name !== "string") return undefined;
  const written = name.trim().toLowerCase();
  return written === "null" || written === "file" || names.includes(written) ? written : synonyms.get(written);
}
