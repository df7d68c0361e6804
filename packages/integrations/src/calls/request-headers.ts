import { isFramingHeader } from "@procedo/engine";
import { unsendable } from "./unsendable.ts";

/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/**
 * RFC 9110, 5.5: visible characters, space, tab and bytes from 0x80. CR, LF, NUL and characters above one byte are
 * excluded.
 */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The headers of one request, each once, by lower-case name. */
export interface RequestHeaders {
  /**
   * Replaces an earlier value. Cookies are combined instead.
   *
   * @throws EgressError `invalid_input` for a name or value that is not valid in a header line
   */
  set(name: string, value: string): void;
  /** The header lines; later ones come last. */
  all(): Readonly<Record<string, string>>;
}

export function requestHeaders(): RequestHeaders {
  const headers = new Map<string, string>();
  return {
    set(name, value) {
      if (!token.test(name)) throw unsendable(`"${name}" is not a valid header name.`);
      if (isFramingHeader(name))
        throw unsendable(`The header "${name}" is set by the HTTP client and cannot be changed.`);
      if (!isHeaderValue(value)) {
        throw unsendable(
          `The header parameter "${name}" contains a line break, a control character or a character beyond Latin-1.`,
        );
      }
      // Surrounding white space is not part of a value (RFC 9110, 5.5). The record shows the sent value.
      const text = value.replace(/^[\t ]+|[\t ]+$/g, "");
      const key = name.toLowerCase();
      const cookies = key === "cookie" ? headers.get(key) : undefined;
      // All cookies share one header (RFC 6265, 5.4).
      headers.set(key, cookies === undefined ? text : `${cookies}; ${text}`);
    },
    all: () => Object.fromEntries(headers),
  };
}

export function isHeaderValue(value: string): boolean {
  return fieldValue.test(value);
}
