import { isFramingHeader, isHeaderValue, isHttpToken } from "@procedo/contract/syntax";
import { EgressError } from "./egress-error.ts";

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
    if (!isHttpToken(name)) throw invalid("A header name has characters that HTTP does not allow.");
    if (isFramingHeader(name)) throw invalid(`The header "${lowercase}" is set by the client and cannot be given.`);
    if (checked.has(lowercase)) throw invalid(`The header "${lowercase}" is given twice.`);
    if (!isHeaderValue(value)) {
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
  if (!isHttpToken(method)) throw invalid("The method has characters that HTTP does not allow.");
  if (["CONNECT", "TRACE", "TRACK"].includes(uppercase)) throw invalid(`The method ${uppercase} is not allowed.`);
  return uppercase;
}

function invalid(message: string): EgressError {
  return new EgressError("request", message, { sent: "no" });
}
