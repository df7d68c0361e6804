import { normalBytes } from "./undo-escapes.ts";

/** Shorter secrets are removed only when they are the whole value, because they would match too many parts of texts. */
export const minPartLength = 6;

/** The forms of a secret that are searched for. */
export interface SecretForms {
  /** Searched for in the unchanged text. */
  readonly written: readonly string[];
  /** Searched for in the normal form of a text. */
  readonly normal: readonly string[];
}

/**
 * The forms of a secret: unchanged, in hex, and in base64 and base64url. The base64 forms also match within longer data
 * (`user:secret`), and there also after one escape. Other escapes need no form, because text and secret are compared in
 * their normal forms. Pure.
 */
export function secretForms(secret: string): SecretForms {
  const bytes = Buffer.from(secret, "utf8");
  const latin = latin1Of(secret);
  const hex = bytes.toString("hex");
  const carried = [bytes, ...(latin === undefined ? [] : [latin]), ...escapedBefore(secret)];
  const encoded = [hex, hex.toUpperCase(), ...carried.flatMap(base64Forms)];
  const misread = /^[\x00-\x7f]*$/.test(secret) ? [] : [bytes.toString("latin1")];
  const spaced = secret.includes(" ") ? [secret.replaceAll(" ", "+")] : [];
  const texts = [secret, ...misread, ...spaced];
  // Escapes that only ISO 8859-1 has: %FC, \xfc.
  const single = latin === undefined ? [] : [latin.toString("latin1")];
  return {
    written: longEnough([...texts, ...encoded]),
    normal: longEnough([...texts.map(normalBytes).flatMap(withoutEdges), ...single, ...encoded]),
  };
}

/** The secret as escaped before base64: in Basic credentials of OAuth (RFC 6749, 2.3.1), or in a JSON or form body. */
function escapedBefore(secret: string): readonly Buffer[] {
  const unpaired = secret.toWellFormed();
  const form = new URLSearchParams({ "": unpaired }).toString().slice(1);
  const texts = [encodeURIComponent(unpaired), form, JSON.stringify(secret).slice(1, -1)];
  return [...new Set(texts)].filter((text) => text !== secret).map((text) => Buffer.from(text, "utf8"));
}

function longEnough(forms: readonly string[]): readonly string[] {
  return [...new Set(forms)].filter((form) => form.length >= minPartLength);
}

/** A part of this length identifies a secret as reliably as the whole. */
const minInnerLength = 16;

/**
 * The form, and the form without its edges. A neighbouring character that begins an escape (`%` before `2f…`) consumes
 * the first or last characters of the secret; the rest still matches.
 */
function withoutEdges(form: string): readonly string[] {
  const inner = form.slice(4).replace(/[%&\\][^%&\\]{0,6}$/, "");
  return inner.length < minInnerLength ? [form] : [form, inner];
}

/** The secret in ISO 8859-1, the encoding of headers; `undefined` unless it has letters beyond ASCII and all fit. */
function latin1Of(secret: string): Buffer | undefined {
  return /^[\x00-\xff]*[\x80-\xff][\x00-\xff]*$/.test(secret) ? Buffer.from(secret, "latin1") : undefined;
}

/**
 * Base64 works in groups of three bytes, so a secret inside longer data has three forms, depending on where it begins.
 * Its first and last characters also depend on its neighbours; the characters between them do not.
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
