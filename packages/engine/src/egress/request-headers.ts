import { EgressError } from "./egress-error.ts";

/** Headers that frame the message or belong to the connection (RFC 9110, 7.6.1; RFC 9112, 6): the client sets them itself. */
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

const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;
/**
 * RFC 9110, 5.5: visible characters, space, tab and bytes from 0x80. CR, LF, NUL and characters above U+00FF do not
 * match.
 */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether the client sets this header itself, so that a caller may not. */
export function isFramingHeader(name: string): boolean {
  const lowercase = name.toLowerCase();
  return framing.has(lowercase) || lowercase.startsWith("proxy-");
}

/**
 * Checks a caller's headers and returns them with lowercase names.
 *
 * @throws EgressError `invalid_input` for a name that is no token, occurs twice or is set by the client, and for a
 *   value that cannot be in one header line. The message contains the name of the header, never its value.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const lowercase = name.toLowerCase();
    if (!token.test(name)) throw invalid("A header name has characters that HTTP does not allow.");
    if (isFramingHeader(name)) throw invalid(`The header "${lowercase}" is set by the client and cannot be given.`);
    if (checked.has(lowercase)) throw invalid(`The header "${lowercase}" is given twice.`);
    if (!fieldValue.test(value)) {
      throw invalid(
        `The value of header "${lowercase}" has a line break, control character or character beyond Latin-1.`,
      );
    }
    checked.set(lowercase, value);
  }
  return Object.fromEntries(checked);
}

/** @throws EgressError `invalid_input` for a method that is no token or that opens a tunnel or echoes credentials */
export function checkMethod(method: string): string {
  const uppercase = method.toUpperCase();
  if (!token.test(method)) throw invalid("The method has characters that HTTP does not allow.");
  if (["CONNECT", "TRACE", "TRACK"].includes(uppercase)) throw invalid(`The method ${uppercase} is not allowed.`);
  return uppercase;
}

function invalid(message: string): EgressError {
  return new EgressError("request", message, { sent: "no" });
}
