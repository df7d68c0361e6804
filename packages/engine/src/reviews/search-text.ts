import { ProcedoError, referenceText } from "@procedo/contract";

/**
 * The text for which storage searches, in the form of references.
 *
 * @throws ProcedoError `invalid_input` if no visible character is left: the text would find every run with a reference
 */
export function searchText(search: string): string {
  const text = referenceText(search);
  if (text !== "") return text;
  throw new ProcedoError("invalid_input", "The text to search for has no visible character. Leave it out to list all.");
}
