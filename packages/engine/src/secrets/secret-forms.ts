import { normalBytes } from "./undo-escapes.ts";

/** Secrets shorter than this are removed only where they are a whole value: as parts of text they would match anything. */
export const minPartLength = 6;

/** The writings of one secret that are looked for. */
export interface SecretForms {
  /** In a text as it stands. */
  readonly written: readonly string[];
  /** In a text's normal form. */
  readonly normal: readonly string[];
}

/**
 * What a secret looks like: as it is, in hex, and in base64 and base64url, also as a part of something longer
 * (`user:secret`), there with one escape as well. Other escapes, once or many times, are no form: text and secret are
 * compared without them. Pure.
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

/** As it is escaped before base64: by Basic credentials of OAuth (RFC 6749, 2.3.1), or in a body of JSON or a form. */
function escapedBefore(secret: string): readonly Buffer[] {
  const unpaired = secret.toWellFormed();
  const form = new URLSearchParams({ "": unpaired }).toString().slice(1);
  const texts = [encodeURIComponent(unpaired), form, JSON.stringify(secret).slice(1, -1)];
  return [...new Set(texts)].filter((text) => text !== secret).map((text) => Buffer.from(text, "utf8"));
}

function longEnough(forms: readonly string[]): readonly string[] {
  return [...new Set(forms)].filter((form) => form.length >= minPartLength);
}

/** A part of this length tells a secret as well as the whole. */
const minInnerLength = 16;

/**
 * Where a neighbour ends in what could begin an escape, it takes the secret's first or last characters with it
 * (`%` before `2f…`): such a secret is found by the rest.
 */
function withoutEdges(form: string): readonly string[] {
  const inner = form.slice(4).replace(/[%&\\][^%&\\]{0,6}$/, "");
  return inner.length < minInnerLength ? [form] : [form, inner];
}

/** A secret with letters beyond ASCII as ISO 8859-1 has it, which headers are in. */
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
