import { isFramingHeader, isHeaderValue, isHttpToken } from "@procedo/contract/syntax";
import { unsendable } from "./unsendable.ts";

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
      if (!isHttpToken(name)) throw unsendable(`"${name}" is not a valid header name.`);
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
