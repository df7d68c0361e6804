import { unsendable } from "./unsendable.ts";

/** Writes text so that a reader of the place where it goes finds the same text again. `name` is for the message. */
export type Encode = (name: string, text: string) => string;

/** Everything but RFC 3986's unreserved characters is percent-encoded, as UTF-8. */
export const encodeStrictly: Encode = (name, text) => {
  if (!text.isWellFormed()) throw unsendable(`The parameter "${name}" has half of a surrogate pair.`);
  return encodeURIComponent(text).replace(/[!'()*]/g, escapeOf);
};

/**
 * OpenAPI's `allowReserved`: reserved characters stay as they are, but for those that would end the value or change what
 * is read: `#` ends the query, `&` and `+` are the form's own, `[` and `]` are not allowed in a query (RFC 3986, 3.4), a
 * `'` is changed by URL parsers, and a comma separates items. A `%` is text, never the beginning of an escape.
 */
export const encodeKeepingReserved: Encode = (name, text) =>
  encodeStrictly(name, text).replace(/%(3A|2F|3F|40|21|24|28|29|2A|3B|3D)/g, (escape) => decodeURIComponent(escape));

/** The text as it is, for places that know no escape. */
export const asItIs: Encode = (_name, text) => text;

function escapeOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
