/*
 * The input that a person writes, in a form or as JSON. The side that was edited last is the source, and the other one
 * shows it. Looking at the other side changes nothing, so that no text is lost.
 */
import { readJsonText } from "@procedo/procedure";
import { exactJsonOf, readExactJson, writeExactJson } from "./exact-json.ts";
import type { FormField } from "./form-field.ts";
import { emptyEntry, entryOf, type FormEntry } from "./form-entry.ts";
import { textOf, unfinishedText, type FormProblem } from "./form-value.ts";

export type InputDraft =
  { readonly source: "form"; readonly entry: FormEntry } | { readonly source: "json"; readonly json: string };

/** How the input is shown. */
export type InputMode = "form" | "json";

/** The draft of an untouched form, or of a value that is taken over. */
export function draftOf(field: FormField, value?: unknown): InputDraft {
  return { source: "form", entry: value === undefined ? emptyEntry(field) : entryOf(field, exactJsonOf(value)) };
}

/** The draft as JSON text. */
export function jsonOf(field: FormField, draft: InputDraft): string {
  if (draft.source === "json") return draft.json;
  return writeExactJson(readExactJson(unfinishedText(field, draft.entry)));
}

/** The draft as entries of the form; `undefined` while its JSON has a fault. */
export function entriesOf(field: FormField, draft: InputDraft): FormEntry | undefined {
  if (draft.source === "form") return draft.entry;
  return readJsonText(draft.json).problems.length > 0 ? undefined : entryOf(field, readExactJson(draft.json));
}

export type InputResult =
  | { readonly isValid: true; readonly text: string }
  | { readonly isValid: false; readonly problems: readonly FormProblem[] };

/** The JSON text to send, or what has to change. JSON is sent as written; the service checks it. */
export function inputText(field: FormField, draft: InputDraft, mode: InputMode): InputResult {
  if (mode === "json" && draft.source === "json") {
    const problems = jsonFaults(draft.json);
    return problems.length > 0 ? { isValid: false, problems } : { isValid: true, text: draft.json };
  }
  const entry = entriesOf(field, draft);
  if (entry === undefined) return { isValid: false, problems: draft.source === "json" ? jsonFaults(draft.json) : [] };
  const result = textOf(field, entry);
  return result.isValid ? { isValid: true, text: result.text ?? "{}" } : result;
}

/** Faults of a JSON text, each with its line and column. */
function jsonFaults(json: string): readonly FormProblem[] {
  return readJsonText(json).problems.map(({ line, column, message }) => ({
    path: "",
    message: `Line ${line ?? 1}, column ${column ?? 1}: ${message}`,
  }));
}
