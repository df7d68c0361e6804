import type { JsonValue } from "@procedo/contract";

/** What stands in a redacted secret's place. */
export const redacted = "[redacted]";

/** Secrets shorter than this are removed only where they are a whole value: as parts of text they would match anything. */
const minPartLength = 6;

/** Removes secrets from a JSON value, keys included; answers the same value when there is nothing to remove. */
export type Redact = (value: JsonValue) => JsonValue;

/**
 * Prepares the removal of known secrets, in the forms in which they turn up: as they are, inside JSON text, URL- and
 * form-encoded, in hex, and in base64 and base64url also as a part of something longer (`user:secret`).
 *
 * @param secrets read once; what is shorter than 6 characters is removed only where it is the whole string
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const known = [...new Set(secrets)].filter((secret) => secret !== "");
  const whole = new Set(known);
  // The longest first: a form that contains another one has to win.
  const forms = [...new Set(known.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const pattern = forms.length === 0 ? undefined : new RegExp(forms.map(escapeForPattern).join("|"), "g");

  function redactText(text: string): string {
    if (whole.has(text)) return redacted;
    return pattern === undefined ? text : text.replace(pattern, redacted);
  }

  function redactValue(value: JsonValue): JsonValue {
    if (typeof value === "string") return redactText(value);
    if (typeof value === "number") return whole.has(String(value)) ? redacted : value;
    if (typeof value !== "object" || value === null) return value;
    if (isList(value)) {
      const items = value.map(redactValue);
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    const entries = Object.entries(value).map(
      ([key, item]) => [redactText(key), redactValue(item), key, item] as const,
    );
    const changed = entries.some(([key, item, keyBefore, itemBefore]) => key !== keyBefore || item !== itemBefore);
    return changed ? Object.fromEntries(entries.map(([key, item]) => [key, item])) : value;
  }

  return whole.size === 0 ? (value) => value : redactValue;
}

/** {@link createRedactor} for one value. */
export function redact(value: JsonValue, secrets: readonly string[]): JsonValue {
  return createRedactor(secrets)(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  const encoded = percentEncoded(bytes, (character) => /[\w.!~*'()-]/.test(character));
  const strictlyEncoded = percentEncoded(bytes, (character) => /[\w.~-]/.test(character));
  const formEncoded = percentEncoded(bytes, (character) => /[\w.*-]/.test(character)).replaceAll("%20", "+");
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    hex,
    hex.toUpperCase(),
    ...[encoded, strictlyEncoded, formEncoded].flatMap((form) => [form, lowercaseEscapes(form)]),
    ...base64Forms(bytes),
  ].filter((form) => form.length >= minPartLength);
}

function percentEncoded(bytes: Buffer, isPlain: (character: string) => boolean): string {
  return [...bytes]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return byte < 0x80 && isPlain(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

function lowercaseEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
}

/**
 * Base64 works in groups of three bytes, so a secret inside longer data has three forms, depending on where it begins.
 * Its first and last characters also depend on its neighbours; what lies between them does not.
 */
function base64Forms(bytes: Buffer): string[] {
  const inside = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const ownFrom = Math.ceil((shift * 8) / 6);
    const ownTo = Math.floor(((shift + bytes.byteLength) * 8) / 6);
    return text.slice(ownFrom, ownTo);
  });
  const alone = bytes.toString("base64").replace(/=+$/, "");
  return [alone, ...inside].flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}
