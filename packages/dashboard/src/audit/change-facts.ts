/* The facts of a change: what it is about, and what was before and after it. */
import type { components } from "../api/schema.d.ts";

export type AuditEntry = components["schemas"]["AuditEntry"];

/** Where the subject of a change is shown. */
export type ChangeTarget =
  | { readonly kind: "version"; readonly procedureId: string; readonly version: string }
  | { readonly kind: "procedure"; readonly procedureId: string }
  | { readonly kind: "person"; readonly personId: string }
  /** No page shows it. */
  | { readonly kind: "none" };

/** A fact of a change. `before` is there if the change replaced a value. */
export interface ChangeFact {
  readonly name: string;
  readonly before?: string;
  readonly value: string;
}

/** The subject of a change for people, and where it is shown. */
export function subjectOf({ action, subject, details }: AuditEntry): {
  readonly text: string;
  readonly target: ChangeTarget;
} {
  if (action === "procedure.published" || action === "procedure.default_set") {
    const at = subject.lastIndexOf("@");
    const [procedureId, version] = [subject.slice(0, at), subject.slice(at + 1)];
    return { text: `${procedureId} ${version}`, target: { kind: "version", procedureId, version } };
  }
  if (action === "procedure.draft_discarded") {
    return { text: subject, target: { kind: "procedure", procedureId: subject } };
  }
  if (action.startsWith("person.") || action.startsWith("session.")) {
    const email = isObject(details) ? details["email"] : undefined;
    const text = typeof email === "string" && email !== "" ? email : subject;
    return { text, target: { kind: "person", personId: subject } };
  }
  return { text: subject, target: { kind: "none" } };
}

/** The names that are shown by {@link subjectOf}, and so are no facts. */
const shownAsSubject: ReadonlySet<string> = new Set(["email"]);

/** The facts in the details of a change, in their order. Nothing is left out but empty values. */
export function factsOf({ details }: AuditEntry): readonly ChangeFact[] {
  if (details === undefined) return [];
  // The default of an environment is recorded by its name alone.
  if (!isObject(details)) return [{ name: "In", value: textOf(details) }];
  return Object.entries(details)
    .filter(([name]) => !shownAsSubject.has(name))
    .flatMap(([name, value]) => (name === "access" ? accessFacts(value) : [factOf(words(name), value)]))
    .filter(({ before, value }) => value !== "" || before !== undefined);
}

function factOf(name: string, value: unknown): ChangeFact {
  if (isObject(value) && "from" in value && "to" in value) {
    return { name, before: textOf(value["from"]), value: textOf(value["to"]) };
  }
  return { name: name, value: name.endsWith(" at") && typeof value === "number" ? timeOf(value) : textOf(value) };
}

/** The access in each environment. Of a change, only where it differs. */
function accessFacts(access: unknown): readonly ChangeFact[] {
  if (!isObject(access)) return [{ name: "Access", value: textOf(access) }];
  const [from, to] = [access["from"], access["to"]];
  if (!isObject(from) || !isObject(to)) {
    return Object.entries(access).map(([environment, roles]) => ({
      name: `${words(environment)} access`,
      value: textOf(roles),
    }));
  }
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .map((environment) => ({
      name: `${words(environment)} access`,
      before: textOf(from[environment]),
      value: textOf(to[environment]),
    }))
    .filter(({ before, value }) => before !== value);
}

/** `expiresAtMs` becomes `Expires at`. */
function words(name: string): string {
  const spaced = name
    .replace(/Ms$/, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1);
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** A value as text. Texts stand as they are, lists with commas between their items. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return JSON.stringify(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
