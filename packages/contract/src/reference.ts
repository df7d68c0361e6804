import * as z from "zod";

/** The most characters (UTF-16 code units) of a run's reference. */
export const maxReferenceLength = 200;

/** Control characters, broken surrogates, and characters that are invisible or change the direction of a text. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * The form in which references are stored and searched: composed (NFC), without characters that cannot be seen, with
 * single spaces, and cut at 200 characters (UTF-16 code units), but not within a character. References that look alike
 * for this reason are equal.
 */
export function referenceText(text: string): string {
  const clean = text.replace(/\s/gu, " ").replace(unseen, "").replace(/ +/g, " ").normalize("NFC").trim();
  if (clean.length <= maxReferenceLength) return clean;
  const cut = clean.slice(0, maxReferenceLength);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd();
}

/** Schema of a run's reference, in answers. */
export const referenceSchema = z.string().min(1).max(maxReferenceLength).meta({
  description: "The reference of the run, such as an invoice number. Omitted if it has none.",
});

/** Schema of the text of a search: an id, or the beginning of references. */
export const searchTextSchema = z
  .string()
  .min(1)
  .max(maxReferenceLength)
  .refine((text) => referenceText(text) !== "", "must have a visible character");
