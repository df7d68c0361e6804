import * as z from "zod";

/** Characters of a person's or role's name, at most; an e-mail address has no more than 254. */
export const maxNameLength = 256;

/** Control characters, broken surrogates, line ends, and characters that are invisible or look like a space. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/**
 * The one form in which names of people and roles are stored and compared: trimmed, composed (NFC) and in lower case.
 * `Ana@Example.com` and `ana@example.com` are one person. Nothing else is folded: neither dots nor a `+tag` of an e-mail
 * address, nor letters of different scripts that look alike.
 */
export function normalName(name: string): string {
  // Lower case can undo the composition of a letter.
  return name.trim().normalize("NFC").toLowerCase().normalize("NFC");
}

/** Why a text is no name of a person or a role, as the end of a sentence; `undefined` when it is one. */
export function nameProblem(name: string): string | undefined {
  const normal = normalName(name);
  if (normal === "") return "is empty";
  if (normal.length > maxNameLength) return `has more than ${maxNameLength} characters`;
  const [character] = unseen.exec(normal) ?? [];
  if (character === undefined) return undefined;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `has the character U+${code}, which cannot be seen; remove it`;
}

/** A role as keys hold it and documents ask for it; a label, in any spelling of its normal form. */
export const roleSchema = z
  .string()
  .min(1)
  .max(64)
  .refine((role) => nameProblem(role) === undefined, {
    error: ({ input }) => `${typeof input === "string" ? (nameProblem(input) ?? "") : ""}`,
  });
