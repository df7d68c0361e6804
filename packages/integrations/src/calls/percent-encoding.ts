import { unsendable } from "./unsendable.ts";

/** Encodes text so that its reader decodes the same text. `name` is for the error message. */
export type Encode = (name: string, text: string) => string;

/** Percent-encodes everything but RFC 3986's unreserved characters, as UTF-8. */
export const encodeStrictly: Encode = (name, text) => {
  if (!text.isWellFormed()) throw unsendable(`The parameter "${name}" contains a lone surrogate.`);
  return encodeURIComponent(text).replace(/[!'()*]/g, escapeOf);
};

/**
 * OpenAPI's `allowReserved`: keeps reserved characters, except those that would end the value or change its meaning.
 * `#` ends the query, `&` and `+` belong to the form encoding, `[` and `]` are not allowed in a query (RFC 3986, 3.4),
 * URL parsers change `'`, and a comma separates items. A `%` is always text, never an escape.
 */
export const encodeKeepingReserved: Encode = (name, text) =>
  encodeStrictly(name, text).replace(/%(3A|2F|3F|40|21|24|28|29|2A|3B|3D)/g, (escape) => decodeURIComponent(escape));

/** Leaves text unchanged, for places without escapes. */
export const asItIs: Encode = (_name, text) => text;

function escapeOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
