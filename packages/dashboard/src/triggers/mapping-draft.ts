/*
 * The template of a run's input while it is edited: a text for each field of the input, or the whole as JSON. The side that
 * was edited last is the source, and the other one shows it.
 */
import { readJsonText } from "@procedo/procedure";
import { exactJsonOf, readExactJson, writeExactJson, type ExactJson } from "../forms/exact-json.ts";
import type { FormField } from "../forms/form-field.ts";

export type MappingDraft =
  | { readonly source: "fields"; readonly texts: ReadonlyMap<string, string> }
  | { readonly source: "json"; readonly json: string };

/** A fault of a text, at a pointer into the template. */
export interface MappingFault {
  readonly path: string;
  readonly message: string;
}

export type MappingText =
  { readonly ok: true; readonly json: string } | { readonly ok: false; readonly faults: readonly MappingFault[] };

export const emptyMapping: MappingDraft = { source: "fields", texts: new Map() };

/** The draft of a stored template. */
export function mappingOf(input: unknown): MappingDraft {
  return { source: "json", json: writeExactJson(exactJsonOf(input)) };
}

/** The texts of the fields; `undefined` while the template is not one that fields can show. */
export function textsOf(draft: MappingDraft, field: FormField): ReadonlyMap<string, string> | undefined {
  if (draft.source === "fields") return draft.texts;
  if (readJsonText(draft.json).problems.length > 0) return undefined;
  const template = readExactJson(draft.json);
  if (!(template instanceof Map)) return undefined;
  const texts = new Map<string, string>();
  for (const [name, value] of template as ReadonlyMap<string, ExactJson>) {
    const text = textOf(value, memberOf(field, name));
    if (text === undefined) return undefined;
    texts.set(name, text);
  }
  return texts;
}

/** The template as JSON text, or the fields that have to change. */
export function mappingText(draft: MappingDraft, field: FormField): MappingText {
  if (draft.source === "json") {
    const faults = jsonFaults(draft.json).map((message) => ({ path: "", message }));
    return faults.length > 0 ? { ok: false, faults } : { ok: true, json: draft.json };
  }
  const members: [string, ExactJson][] = [];
  const faults: MappingFault[] = [];
  for (const [name, text] of draft.texts) {
    if (text.trim() === "") continue;
    const value = valueOf(text, memberOf(field, name));
    if (value.ok) members.push([name, value.value]);
    else faults.push({ path: `/${token(name)}`, message: value.message });
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, json: writeExactJson(new Map(members)) };
}

/** The template as JSON text while fields may have faults. A field with a fault is shown as its text. */
export function shownJson(draft: MappingDraft, field: FormField): string {
  if (draft.source === "json") return draft.json;
  const members = [...draft.texts]
    .filter(([, text]) => text.trim() !== "")
    .map(([name, text]): [string, ExactJson] => {
      const value = valueOf(text, memberOf(field, name));
      return [name, value.ok ? value.value : text];
    });
  return writeExactJson(new Map(members));
}

/** The fields of the input, then the members of the template that it does not have. */
export function mappedNames(field: FormField, texts: ReadonlyMap<string, string>): readonly string[] {
  const own = field.kind === "object" ? field.members.map(([name]) => name) : [];
  return [...own, ...[...texts.keys()].filter((name) => !own.includes(name))];
}

export function memberOf(field: FormField, name: string): FormField | undefined {
  return field.kind === "object" ? field.members.find(([one]) => one === name)?.[1] : undefined;
}

/** A name as a part of a JSON pointer. */
export function token(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** A text is written as it is, anything else as JSON or as one expression. */
function isText(field: FormField | undefined): boolean {
  return (
    field?.kind === "text" || (field?.kind === "choice" && field.choices.every(({ text }) => text.startsWith('"')))
  );
}

function textOf(value: ExactJson, field: FormField | undefined): string | undefined {
  if (isText(field)) return typeof value === "string" && value.trim() !== "" ? value : undefined;
  return typeof value === "string" && value.startsWith("{{") ? value : writeExactJson(value);
}

function valueOf(
  text: string,
  field: FormField | undefined,
): { readonly ok: true; readonly value: ExactJson } | { readonly ok: false; readonly message: string } {
  if (isText(field)) return { ok: true, value: text };
  const given = text.trim();
  if (given.startsWith("{{")) return { ok: true, value: given };
  const [problem] = readJsonText(given).problems;
  if (problem === undefined) return { ok: true, value: readExactJson(given) };
  // A number that the service would not keep exactly is told as such.
  if (/^[-\d[{]/.test(given)) return { ok: false, message: `is not valid JSON: ${problem.message}` };
  return { ok: false, message: "needs an expression, such as {{ event.amount }}, or a value as JSON" };
}

function jsonFaults(json: string): readonly string[] {
  return readJsonText(json).problems.map(
    ({ line, column, message }) => `Line ${line ?? 1}, column ${column ?? 1}: ${message}`,
  );
}
