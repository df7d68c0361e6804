/* A connection as a person writes it, and the request that it makes. */
import type { Connection } from "../api/models.ts";
import { exactJsonOf } from "../forms/exact-json.ts";
import { emptyEntry, entryOf, type FormEntry } from "../forms/form-entry.ts";
import { pointer, problemsByField, textOf, type FormProblem } from "../forms/form-value.ts";
import type { AuthenticationMethod, ConnectionForm, ObjectField, SecretField } from "./connection-form.ts";
import { plainLabel } from "./plain-label.ts";

/** The OpenAPI document of a Custom API. */
export interface DocumentDraft {
  /** `kept`: the document that the connection has. */
  readonly source: "kept" | "text" | "url";
  readonly text: string;
  readonly url: string;
}

/** A secret that a person named. */
export interface NamedSecret {
  /** Without the prefix of its integration. */
  readonly name: string;
  readonly value: string;
}

export interface ConnectionDraft {
  readonly settings: FormEntry;
  readonly moreSettings: FormEntry;
  /** "" where there is no choice. */
  readonly method: string;
  /** The settings of each method that was chosen. */
  readonly authentication: Readonly<Record<string, FormEntry>>;
  /** By name. What is empty is not sent. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly namedSecrets: readonly NamedSecret[];
  readonly document: DocumentDraft;
}

type Json = { readonly [name: string]: unknown };

type DraftResult =
  | { readonly isValid: true; readonly settings: Json; readonly secrets: Readonly<Record<string, string>> }
  | { readonly isValid: false; readonly problems: ReadonlyMap<string, string> };

export function emptyDraft(form: ConnectionForm): ConnectionDraft {
  const entries = form.methods.map(({ method, settings }) => [method, emptyEntry(settings)] as const);
  return {
    settings: emptyEntry(form.settings),
    moreSettings: emptyEntry(form.moreSettings),
    method: form.methods.some(({ method }) => method === "none") ? "none" : (form.methods[0]?.method ?? ""),
    authentication: Object.fromEntries(entries),
    secrets: {},
    namedSecrets: [],
    document: { source: "text", text: "", url: "" },
  };
}

/** The draft that shows a connection. Its secrets are never read. */
export function draftOf(form: ConnectionForm, { settings }: Pick<Connection, "settings">): ConnectionDraft {
  const { spec: _spec, authentication: given, ...others }: Json = settings;
  const { method, ...ofMethod } = (given ?? {}) as Json;
  const empty = emptyDraft(form);
  const chosen = form.methods.find((one) => one.method === method);
  return {
    ...empty,
    settings: entryOf(form.settings, exactJsonOf(only(others, form.settings))),
    moreSettings: entryOf(form.moreSettings, exactJsonOf(only(others, form.moreSettings))),
    method: chosen?.method ?? empty.method,
    authentication: {
      ...empty.authentication,
      ...(chosen && { [chosen.method]: entryOf(chosen.settings, exactJsonOf(ofMethod)) }),
    },
    document: { source: "kept", text: "", url: "" },
  };
}

function only(settings: Json, { members }: ObjectField): Json {
  const names = members.map(([name]) => name);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
}

export function chosenMethod(form: ConnectionForm, draft: ConnectionDraft): AuthenticationMethod | undefined {
  return form.methods.find(({ method }) => method === draft.method);
}

/** The secrets that a connection of the draft has. */
export function secretFields(form: ConnectionForm, draft: ConnectionDraft): readonly SecretField[] {
  return [...form.secrets, ...(chosenMethod(form, draft)?.secrets ?? [])];
}

/** The secrets that a person named, by their whole names. Rows without any entry are left out. */
function namedSecrets({ otherSecrets }: ConnectionForm, draft: ConnectionDraft): readonly NamedSecret[] {
  if (otherSecrets === undefined) return [];
  return draft.namedSecrets
    .filter(({ name, value }) => name !== "" || value !== "")
    .map(({ name, value }) => ({ name: `${otherSecrets.prefix}${name}`, value }));
}

/** What is wrong with the secrets that a person named. */
function namingProblems(named: readonly NamedSecret[], prefix: string | undefined): readonly FormProblem[] {
  return named.flatMap(({ name, value }, index) => {
    const isRepeated = named.findIndex((one) => one.name === name) < index;
    const message =
      name === prefix ? "needs a name." : isRepeated ? "is given twice." : value === "" ? "is required." : undefined;
    return message === undefined ? [] : [{ path: pointer("/secrets", name), message }];
  });
}

/** The settings and secrets to send, or what has to change by the pointer of its field in the request's body. */
export function requestOf(form: ConnectionForm, draft: ConnectionDraft, asksForSecrets = true): DraftResult {
  const problems: FormProblem[] = [];
  const read = (field: ObjectField, entry: FormEntry, at: string): Json => {
    const result = textOf(field, entry);
    if (result.isValid) return JSON.parse(result.text ?? "{}") as Json;
    problems.push(...result.problems.map(({ path, message }) => ({ path: at + path, message })));
    return {};
  };
  const settings = read(form.settings, draft.settings, "/settings");
  const more = read(form.moreSettings, draft.moreSettings, "/settings");
  const method = chosenMethod(form, draft);
  const ofMethod =
    method &&
    read(method.settings, draft.authentication[method.method] ?? emptyEntry(method.settings), authenticationAt);
  const fields = secretFields(form, draft);
  const secrets = fields.flatMap(({ name }) => (draft.secrets[name] ? [[name, draft.secrets[name]] as const] : []));
  for (const { name, isRequired } of fields) {
    const isMissing = asksForSecrets && isRequired && (draft.secrets[name] ?? "") === "";
    if (isMissing) problems.push({ path: pointer("/secrets", name), message: "is required." });
  }
  const named = namedSecrets(form, draft);
  problems.push(...namingProblems(named, form.otherSecrets?.prefix));
  const spec = specOf(draft.document);
  const isMissing = form.hasDocument && spec === undefined && draft.document.source !== "kept";
  if (isMissing) problems.push({ path: "/settings/spec", message: "is required." });
  if (problems.length > 0) return { isValid: false, problems: problemsByField(problems) };
  return {
    isValid: true,
    settings: {
      ...(spec !== undefined && form.hasDocument && { spec }),
      ...settings,
      ...more,
      ...(method && { authentication: { method: method.method, ...ofMethod } }),
    },
    secrets: Object.fromEntries([...secrets, ...named.map(({ name, value }) => [name, value] as const)]),
  };
}

/** The document of a request; `undefined` while there is none. */
export function specOf({ source, text, url }: DocumentDraft): { text: string } | { url: string } | undefined {
  if (source === "text") return text.trim() === "" ? undefined : { text };
  return source === "url" && url.trim() !== "" ? { url: url.trim() } : undefined;
}

export const authenticationAt = "/settings/authentication";

/** A field that shows problems; one without parts shows those of its parts. */
interface FieldPlace {
  readonly pointer: string;
  readonly hasParts: boolean;
}

/** The places of all fields that a form of the draft shows, in the request's body. */
export function fieldPlaces(form: ConnectionForm, draft: ConnectionDraft): readonly FieldPlace[] {
  const method = chosenMethod(form, draft);
  const placesOf = ({ members }: ObjectField, at: string): readonly FieldPlace[] =>
    members.map(([name, { kind }]) => ({ pointer: pointer(at, name), hasParts: kind === "object" || kind === "list" }));
  return [
    { pointer: "/name", hasParts: false },
    ...placesOf(form.settings, "/settings"),
    ...placesOf(form.moreSettings, "/settings"),
    ...(method === undefined ? [] : placesOf(method.settings, authenticationAt)),
    ...[...secretFields(form, draft), ...namedSecrets(form, draft)].map(({ name }) => ({
      pointer: pointer("/secrets", name),
      hasParts: false,
    })),
    ...(form.hasDocument ? [{ pointer: "/settings/spec", hasParts: false }] : []),
  ];
}

/** The problems below a pointer, by the rest of their pointers. */
export function problemsBelow(problems: ReadonlyMap<string, string>, at: string): ReadonlyMap<string, string> {
  return new Map(
    [...problems].flatMap(([path, message]) => (path.startsWith(`${at}/`) ? [[path.slice(at.length), message]] : [])),
  );
}

/** The problem of a field that has no schema, as a sentence. */
export function problemAt(problems: ReadonlyMap<string, string>, at: string, label?: string): string | undefined {
  const message = problems.get(at);
  if (message === undefined) return undefined;
  return `${label ?? plainLabel(at.slice(at.lastIndexOf("/") + 1))} ${message.replace(/\.?$/, ".")}`;
}

/** The problems of a refused request by their pointers, and whether the form has to show the rest of it. */
export function refusalProblems(
  error: { readonly details: readonly FormProblem[] } | undefined,
  places: readonly FieldPlace[],
): { readonly problems: ReadonlyMap<string, string>; readonly isWhole: boolean } {
  const details = error?.details ?? [];
  const shown = details.flatMap((detail): readonly FormProblem[] => {
    const { path, message } = detail;
    const place = places.find(({ pointer: at }) => path === at || path.startsWith(`${at}/`));
    if (place === undefined) return [];
    if (place.hasParts || path === place.pointer) return [detail];
    return [{ path: place.pointer, message: `at ${path.slice(place.pointer.length + 1)} ${message}` }];
  });
  const isWhole = error === undefined || (shown.length > 0 && shown.length === details.length);
  return { problems: problemsByField(shown), isWhole };
}
