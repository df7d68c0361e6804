/** RFC 9110, 5.6.2: names of headers, and methods. */
export const httpToken = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * RFC 9110, 5.5: visible characters, space, tab and bytes from 0x80. CR, LF, NUL and characters above U+00FF do not
 * match.
 */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that frame the message or belong to the connection (RFC 9110, 7.6.1; RFC 9112, 6). */
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

/** Whether HTTP allows this text as the name of a header or as a method. */
export function isHttpToken(text: string): boolean {
  return httpToken.test(text);
}

/** Whether HTTP allows this text as the value of a header. */
export function isHeaderValue(value: string): boolean {
  return fieldValue.test(value);
}

/** Whether an HTTP client sets this header itself, so that a caller may not. */
export function isFramingHeader(name: string): boolean {
  const lowercase = name.toLowerCase();
  return framing.has(lowercase) || lowercase.startsWith("proxy-");
}
