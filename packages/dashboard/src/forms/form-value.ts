/*
 * The JSON text of what a person entered. Numbers stay the typed digits; a number that JSON readers would round is sent
 * as a text of its digits, which the service takes for the number.
 */
import { parseExact } from "@procedo/procedure";
import type { FormField } from "./form-field.ts";
import { emptyEntry, isEntered, type FormEntry } from "./form-entry.ts";
import { numberFault, textFault } from "./value-faults.ts";

export { emptyEntry, type FormEntry };

export interface FormProblem {
  /** JSON pointer of the field. */
  readonly path: string;
  /** Continues a sentence that begins with the field's label. */
  readonly message: string;
}

export type FormResult =
  | { readonly isValid: true; /** `undefined` for a field that was left empty. */ readonly text: string | undefined }
  | { readonly isValid: false; readonly problems: readonly FormProblem[] };

interface Reading {
  /** Takes what cannot be sent as a text, so that none of it is lost. */
  readonly isLenient: boolean;
}

/** The JSON text of an entry, or what has to change. An optional field that is empty is left out. */
export function textOf(field: FormField, entry: FormEntry): FormResult {
  return resultOf(field, entry, "", { isLenient: false });
}

/** The JSON text of an entry as far as it was filled in. */
export function unfinishedText(field: FormField, entry: FormEntry): string {
  const result = resultOf(field, entry, "", { isLenient: true });
  return (result.isValid ? result.text : undefined) ?? "{}";
}

function resultOf(field: FormField, entry: FormEntry, path: string, reading: Reading): FormResult {
  switch (entry.kind) {
    case "object":
      return field.kind === "object" ? objectText(field, entry, path, reading) : empty;
    case "list":
      return field.kind === "list" ? listText(field, entry.items, path, reading) : empty;
    case "boolean":
      return entry.isOn === undefined ? emptyText(field, path, reading) : valid(String(entry.isOn));
    case "raw":
      return jsonText(entry.text, path, reading);
    case "text":
      if (entry.isGiven === true && entry.text === "") return valid('""');
      return entry.text === "" ? emptyText(field, path, reading) : scalarText(field, entry.text, path, reading);
  }
}

const empty: FormResult = { isValid: true, text: undefined };

function objectText(
  { members, isRequired }: Extract<FormField, { readonly kind: "object" }>,
  entry: Extract<FormEntry, { readonly kind: "object" }>,
  path: string,
  reading: Reading,
): FormResult {
  // An optional group in which nothing was entered asks for nothing.
  if (!isRequired && !isEntered(entry)) return empty;
  const problems: FormProblem[] = [];
  const parts: string[] = [];
  for (const [name, field] of members) {
    const result = resultOf(field, entry.members[name] ?? emptyEntry(field), pointer(path, name), reading);
    if (!result.isValid) problems.push(...result.problems);
    else if (result.text !== undefined) parts.push(`${JSON.stringify(name)}:${result.text}`);
  }
  for (const [name, text] of entry.others) parts.push(`${JSON.stringify(name)}:${text}`);
  return problems.length > 0 ? { isValid: false, problems } : valid(`{${parts.join(",")}}`);
}

function listText(
  field: Extract<FormField, { readonly kind: "list" }>,
  items: readonly FormEntry[],
  path: string,
  reading: Reading,
): FormResult {
  if (items.length === 0 && (!field.isRequired || reading.isLenient)) return empty;
  const results = items.map((item, index) => resultOf(field.item, item, pointer(path, index), reading));
  const problems = results.flatMap((result) => (result.isValid ? [] : result.problems));
  if (problems.length > 0) return { isValid: false, problems };
  return valid(`[${results.map((result) => (result.isValid ? (result.text ?? "null") : "")).join(",")}]`);
}

function scalarText(field: FormField, text: string, path: string, reading: Reading): FormResult {
  switch (field.kind) {
    case "text":
      return unless(textFault(field, text), JSON.stringify(text), path, reading);
    case "number": {
      const typed = text.trim();
      const fault = numberFault(field, typed);
      if (fault !== undefined) return reading.isLenient ? valid(lenientNumber(text)) : problem(path, fault);
      return valid(parseExact(typed).ok ? typed : JSON.stringify(typed));
    }
    case "choice": {
      const choice = field.choices.find(({ label }) => label === text);
      return choice === undefined ? problem(path, "is none of the choices.") : valid(choice.text);
    }
    default:
      return jsonText(text, path, reading);
  }
}

/** A number outside its bounds stays a number. */
function lenientNumber(text: string): string {
  try {
    return typeof JSON.parse(text) === "number" && parseExact(text).ok ? text.trim() : JSON.stringify(text);
  } catch {
    return JSON.stringify(text);
  }
}

function jsonText(text: string, path: string, reading: Reading): FormResult {
  const parsed = parseExact(text);
  if (parsed.ok) return valid(text);
  if (reading.isLenient) return valid(JSON.stringify(text));
  if (parsed.reason === "malformed") return problem(path, parsed.message);
  return problem(path, `holds a number with more digits than JSON keeps. Write it in quotes.`);
}

function unless(fault: string | undefined, text: string, path: string, { isLenient }: Reading): FormResult {
  return fault === undefined || isLenient ? valid(text) : problem(path, fault);
}

function emptyText(field: FormField, path: string, { isLenient }: Reading): FormResult {
  // The service completes the input by defaults.
  const isMissing = field.isRequired && field.standard === undefined;
  return isMissing && !isLenient ? problem(path, "is required.") : empty;
}

function valid(text: string): FormResult {
  return { isValid: true, text };
}

function problem(path: string, message: string): FormResult {
  return { isValid: false, problems: [{ path, message }] };
}

/** The messages by the pointer of their field. Several ones of a field are lines. */
export function problemsByField(problems: readonly FormProblem[]): ReadonlyMap<string, string> {
  const byField = new Map<string, string>();
  for (const { path, message } of problems) {
    const before = byField.get(path);
    byField.set(path, before === undefined ? message : `${before}\n${message}`);
  }
  return byField;
}

/** The pointer of a member or item (RFC 6901). */
export function pointer(path: string, name: string | number): string {
  return `${path}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
