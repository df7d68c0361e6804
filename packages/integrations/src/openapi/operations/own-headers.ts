import type { ApiDocument } from "../document/api-document.ts";

/**
 * OpenAPI 3.0.3, 4.7.12.1: as parameters these are ignored. An `enum` or a `default` of such an `Accept` lists what `content`
 * of the answers lists again, and calls ask for that; a service that takes more than its document describes is asked by a
 * header of the connection. Swagger 2.0 knows no such rule: there they are parameters.
 */
const ignored = new Set(["accept", "content-type", "authorization"]);

/** RFC 9110, 7.6.1, and RFC 9112, 6: they frame the message or belong to the connection, and the client sets them. */
const framing = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Whether requests have this header from elsewhere, so that a parameter of its name is no argument. */
export function isOwnHeader(name: string, dialect: ApiDocument["dialect"]): boolean {
  const lowercase = name.toLowerCase();
  if (framing.has(lowercase) || lowercase.startsWith("proxy-")) return true;
  return dialect === "openapi-3.0" && ignored.has(lowercase);
}
