/*
 * What a person entered, and the JSON text that is sent. Numbers stay the typed digits on the whole way, so that none
 * is rounded.
 */
import type { FormField } from "./form-field.ts";

/** The entry in a field, by the kind of the field. */
export type FormEntry =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "boolean"; readonly isOn: boolean | undefined }
  | { readonly kind: "object"; readonly members: Readonly<Record<string, FormEntry>> }
  | { readonly kind: "list"; readonly items: readonly FormEntry[] };

export interface FormProblem {
  /** JSON pointer of the field. */
  readonly path: string;
  readonly message: string;
}

export type FormResult =
  | { readonly isValid: true; /** `undefined` for a field that was left empty. */ readonly text: string | undefined }
  | { readonly isValid: false; readonly problems: readonly FormProblem[] };

/** The entry of an untouched field. */
export function emptyEntry(field: FormField): FormEntry {
  switch (field.kind) {
    case "object":
      return {
        kind: "object",
        members: Object.fromEntries(field.members.map(([name, member]) => [name, emptyEntry(member)])),
      };
    case "list":
      return { kind: "list", items: [] };
    case "boolean":
      return { kind: "boolean", isOn: undefined };
    default:
      return { kind: "text", text: "" };
  }
}

/** The entry that shows a value. */
export function entryOf(field: FormField, value: unknown): FormEntry {
  if (value === undefined) return emptyEntry(field);
  switch (field.kind) {
    case "object": {
      const members = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
      return {
        kind: "object",
        members: Object.fromEntries(field.members.map(([name, member]) => [name, entryOf(member, members[name])])),
      };
    }
    case "list":
      return { kind: "list", items: Array.isArray(value) ? value.map((item) => entryOf(field.item, item)) : [] };
    case "boolean":
      return { kind: "boolean", isOn: value === true };
    case "text":
      return { kind: "text", text: typeof value === "string" ? value : JSON.stringify(value) };
    default:
      return { kind: "text", text: JSON.stringify(value) };
  }
}

/** The JSON text of an entry, or what has to change. An optional field that is empty is left out. */
export function textOf(field: FormField, entry: FormEntry, path = ""): FormResult {
  switch (entry.kind) {
    case "object":
      return field.kind === "object" ? objectText(field, entry.members, path) : empty;
    case "list":
      return field.kind === "list" ? listText(field, entry.items, path) : empty;
    case "boolean":
      return entry.isOn === undefined ? emptyText(field, path) : valid(String(entry.isOn));
    case "text":
      return scalarText(field, entry.text, path);
  }
}

const empty: FormResult = { isValid: true, text: undefined };

function objectText(
  { members, isRequired }: Extract<FormField, { readonly kind: "object" }>,
  entries: Readonly<Record<string, FormEntry>>,
  path: string,
): FormResult {
  const problems: FormProblem[] = [];
  const parts: string[] = [];
  let isTouched = false;
  for (const [name, field] of members) {
    const entry = entries[name];
    isTouched ||= entry !== undefined && isEntered(entry);
    const result = textOf(field, entry ?? emptyEntry(field), `${path}/${escaped(name)}`);
    if (!result.isValid) problems.push(...result.problems);
    else if (result.text !== undefined) parts.push(`${JSON.stringify(name)}:${result.text}`);
  }
  // An optional group in which nothing was entered asks for nothing.
  if (!isRequired && !isTouched) return empty;
  return problems.length > 0 ? { isValid: false, problems } : valid(`{${parts.join(",")}}`);
}

function listText(
  field: Extract<FormField, { readonly kind: "list" }>,
  items: readonly FormEntry[],
  path: string,
): FormResult {
  if (items.length === 0 && !field.isRequired) return empty;
  const results = items.map((item, index) => textOf(field.item, item, `${path}/${index}`));
  const problems = results.flatMap((result) => (result.isValid ? [] : result.problems));
  if (problems.length > 0) return { isValid: false, problems };
  return valid(`[${results.map((result) => (result.isValid ? (result.text ?? "null") : "")).join(",")}]`);
}

function scalarText(field: FormField, text: string, path: string): FormResult {
  if (text === "") return emptyText(field, path);
  switch (field.kind) {
    case "text":
      return valid(JSON.stringify(text));
    case "number":
      return numberText(field.isInteger, text.trim(), path);
    case "choice": {
      const at = field.choices.indexOf(text);
      return at < 0 ? problem(path, "is none of the choices") : valid(field.texts[at] ?? "null");
    }
    default:
      return jsonText(text, path);
  }
}

function emptyText(field: FormField, path: string): FormResult {
  return field.isRequired ? problem(path, "is required") : empty;
}

function numberText(isInteger: boolean, text: string, path: string): FormResult {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
    return problem(path, isInteger ? "is not a whole number" : "is not a number; write 1234.5, without separators");
  }
  if (isInteger && !/^-?\d+(\.0+)?$/.test(text)) return problem(path, "is not a whole number");
  return valid(text);
}

function jsonText(text: string, path: string): FormResult {
  try {
    JSON.parse(text);
    return valid(text);
  } catch {
    return problem(path, "is not valid JSON");
  }
}

function isEntered(entry: FormEntry): boolean {
  switch (entry.kind) {
    case "text":
      return entry.text !== "";
    case "boolean":
      return entry.isOn !== undefined;
    case "list":
      return entry.items.length > 0;
    case "object":
      return Object.values(entry.members).some(isEntered);
  }
}

function valid(text: string): FormResult {
  return { isValid: true, text };
}

function problem(path: string, message: string): FormResult {
  return { isValid: false, problems: [{ path, message }] };
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
