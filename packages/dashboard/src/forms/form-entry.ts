/* What a person entered in a form. A value that a field cannot show is kept as its JSON text, so that none is lost. */
import { parseExact } from "@procedo/procedure";
import { Digits, exactJsonOf, writeExactJson, type ExactJson } from "./exact-json.ts";
import type { FormField } from "./form-field.ts";

/** The entry in a field, by the kind of the field. */
export type FormEntry =
  | { readonly kind: "text"; readonly text: string; /** Sent although it is empty. */ readonly isGiven?: boolean }
  | { readonly kind: "boolean"; readonly isOn: boolean | undefined }
  | {
      readonly kind: "object";
      readonly members: Readonly<Record<string, FormEntry>>;
      /** Members that the schema does not name, with their JSON text. */
      readonly others: readonly (readonly [name: string, text: string])[];
    }
  | { readonly kind: "list"; readonly items: readonly FormEntry[] }
  /** JSON text of a value that does not fit the field. */
  | { readonly kind: "raw"; readonly text: string };

/** The entry of an untouched field: its default, else nothing. */
export function emptyEntry(field: FormField): FormEntry {
  if (field.standard !== undefined) return entryOf(field, exactJsonOf(field.standard));
  if (field.kind !== "object") return blankEntry(field);
  const members = field.members.map(([name, member]) => [name, emptyEntry(member)] as const);
  return { kind: "object", members: Object.fromEntries(members), others: [] };
}

/** The entry that shows a value. Without a value, defaults are not shown either: nothing was given. */
export function entryOf(field: FormField, value: ExactJson | undefined): FormEntry {
  if (value === undefined) return blankEntry(field);
  const raw = (): FormEntry => ({ kind: "raw", text: writeExactJson(value) });
  switch (field.kind) {
    case "object":
      return value instanceof Map ? objectEntry(field, value as ReadonlyMap<string, ExactJson>) : raw();
    case "list":
      return Array.isArray(value)
        ? { kind: "list", items: (value as readonly ExactJson[]).map((item) => entryOf(field.item, item)) }
        : raw();
    case "boolean":
      return typeof value === "boolean" ? { kind: "boolean", isOn: value } : raw();
    case "text":
      if (typeof value !== "string" || (value.includes("\n") && field.format !== undefined)) return raw();
      return { kind: "text", text: value, ...(value === "" && { isGiven: true }) };
    case "number":
      if (value instanceof Digits) return { kind: "text", text: value.text };
      return typeof value === "string" && isLongNumber(value) ? { kind: "text", text: value } : raw();
    case "choice": {
      const text = JSON.stringify(JSON.parse(writeExactJson(value)));
      const choice = field.choices.find((one) => one.text === text);
      return choice === undefined ? raw() : { kind: "text", text: choice.label };
    }
    case "json":
      return { kind: "text", text: writeExactJson(value) };
  }
}

function blankEntry(field: FormField): FormEntry {
  switch (field.kind) {
    case "object":
      return objectEntry(field, new Map());
    case "list":
      return { kind: "list", items: [] };
    case "boolean":
      return { kind: "boolean", isOn: undefined };
    default:
      return { kind: "text", text: "" };
  }
}

function objectEntry(
  { members }: Extract<FormField, { readonly kind: "object" }>,
  value: ReadonlyMap<string, ExactJson>,
): FormEntry {
  const names = new Set(members.map(([name]) => name));
  return {
    kind: "object",
    members: Object.fromEntries(members.map(([name, member]) => [name, entryOf(member, value.get(name))])),
    others: [...value].flatMap(([name, other]) =>
      names.has(name) ? [] : [[name, writeExactJson(other, "  ")] as const],
    ),
  };
}

/** Whether a text is a JSON number that a double would change. The service stores such numbers as texts. */
function isLongNumber(text: string): boolean {
  if (!/^-?\d[\d.eE+-]*$/.test(text)) return false;
  const parsed = parseExact(text);
  return !parsed.ok && parsed.reason === "inexact_number";
}

/** Whether anything was entered. */
export function isEntered(entry: FormEntry): boolean {
  switch (entry.kind) {
    case "text":
      return entry.text !== "" || entry.isGiven === true;
    case "boolean":
      return entry.isOn !== undefined;
    case "list":
      return entry.items.length > 0;
    case "object":
      return entry.others.length > 0 || Object.values(entry.members).some(isEntered);
    case "raw":
      return true;
  }
}
