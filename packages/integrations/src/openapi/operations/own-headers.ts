import { isFramingHeader } from "@procedo/contract/syntax";
import type { ApiDocument } from "../document/api-document.ts";

/**
 * OpenAPI 3.0.3, 4.7.12.1, ignores parameters with these names. The `enum` or `default` of such an `Accept` repeats
 * `content` of the responses, from which calls derive their `Accept`. If a service supports more than its document, a
 * header of the connection can request it. Swagger 2.0 lacks this rule, so they are parameters there.
 */
const ignored = new Set(["accept", "content-type", "authorization"]);

/** Whether requests already have this header, so that a parameter with its name is not an argument. */
export function isOwnHeader(name: string, dialect: ApiDocument["dialect"]): boolean {
  return isFramingHeader(name) || (dialect === "openapi-3.0" && ignored.has(name.toLowerCase()));
}
