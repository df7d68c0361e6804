const own = new Set([
  // OpenAPI 3.0.3, 4.7.12.1: as parameters these are ignored.
  "accept",
  "content-type",
  "authorization",
  // RFC 9110, 7.6.1, and RFC 9112, 6: they frame the message or belong to the connection, and the client sets them.
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
export function isOwnHeader(name: string): boolean {
  const lowercase = name.toLowerCase();
  return own.has(lowercase) || lowercase.startsWith("proxy-");
}
