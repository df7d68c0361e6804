import type { JsonValue } from "@procedo/contract";
import type { ApiDocument } from "../document/api-document.ts";

const names = ["string", "number", "integer", "boolean", "object", "array"];

export type SchemaType =
  | {
      readonly ok: true;
      readonly types: readonly string[];
      /** Swagger's `file`: bytes. */ readonly binary: boolean;
      readonly warning?: string;
    }
  | { readonly ok: false; readonly message: string };

/** Reads `type`. A list of types, or "null", is of OpenAPI 3.1, but its meaning is plain. */
export function typesOf(type: JsonValue, dialect: ApiDocument["dialect"]): SchemaType {
  if (type === "file" && dialect === "swagger-2.0") return { ok: true, types: ["string"], binary: true };
  if (typeof type === "string" && names.includes(type)) return { ok: true, types: [type], binary: false };
  const list: readonly JsonValue[] = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
  const types = list.filter((name) => typeof name === "string");
  const unknown = list.find((name) => typeof name !== "string" || (name !== "null" && !names.includes(name)));
  if (unknown !== undefined || list.length === 0) {
    const found = JSON.stringify(unknown ?? type).slice(0, 60);
    return { ok: false, message: `type ${found} is not one of ${names.join(", ")}; correct it.` };
  }
  const warning = `type ${JSON.stringify(type)} is of OpenAPI 3.1; it is taken as it is meant there.`;
  return { ok: true, types: [...new Set(types)], binary: false, warning };
}
