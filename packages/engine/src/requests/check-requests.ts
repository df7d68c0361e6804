import { checkOptionNames, environments, kindOf, meantName, ProcedoError } from "@procedo/contract";
import { kindProblem } from "./member-kinds.ts";

/**
 * Each member of a request: required, optional, or optional and also `null`. A table that does not match its type exactly
 * does not compile.
 */
export type RequestMembers<Request> = {
  readonly [Name in keyof Request]-?: unknown extends Request[Name]
    ? "optional" | "required"
    : undefined extends Request[Name]
      ? null extends Request[Name]
        ? "nullable"
        : "optional"
      : "required";
};

type MembersOfEach<Parameters extends readonly unknown[]> = {
  readonly [Position in keyof Parameters]-?: RequestMembers<NonNullable<Parameters[Position]>>;
};

/** For each method of a module: the members of each parameter, in order. */
export type RequestTables<Module> = {
  readonly [Method in keyof Module]: Module[Method] extends (...parameters: infer Parameters) => unknown
    ? MembersOfEach<Required<Parameters>>
    : never;
};

interface Members {
  readonly [name: string]: string;
}

/**
 * Returns a module whose methods check the members of their requests. Without this check a misspelt option would be
 * ignored silently, and a missing one would be a TypeError. Methods without a table stay as they are.
 */
export function withCheckedRequests<Module extends object>(
  name: string,
  module: Module,
  tables: { readonly [Method in keyof Module]?: readonly Members[] },
): Module {
  const checked = { ...module } as Record<string, unknown>;
  const all = Object.values<readonly Members[] | undefined>(tables).flatMap((parameters) => parameters ?? []);
  const namesOfModule = new Set(all.flatMap((members) => Object.keys(members)));
  for (const [method, parameters] of Object.entries<readonly Members[] | undefined>(tables)) {
    const original = checked[method];
    if (typeof original !== "function" || parameters === undefined) continue;
    checked[method] = checkedMethod(`${name}.${method}`, original as Method, parameters, namesOfModule);
  }
  return checked as Module;
}

type Method = (...given: readonly unknown[]) => unknown;

/** Wraps a method: it rejects when a member of its request is missing, wrong or unknown. */
function checkedMethod(
  subject: string,
  original: Method,
  parameters: readonly Members[],
  namesOfModule: ReadonlySet<string>,
): Method {
  const tables = parameters.map((members): Table => ({
    names: Object.fromEntries(Object.keys(members).map((each): [string, true] => [each, true])),
    required: Object.keys(members).filter((each) => members[each] === "required"),
    nullable: Object.keys(members).filter((each) => members[each] === "nullable"),
    takesRecord: isAboutRecord(Object.keys(members)),
    isOptional: Object.values(members).every((each) => each !== "required"),
  }));
  return (...given) => {
    try {
      for (const [position, table] of tables.entries()) {
        const request = given[position];
        if (request !== undefined || !table.isOptional) checkRequest(subject, table, request, namesOfModule);
      }
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    return original(...given);
  };
}

/**
 * A request with one of these members addresses a record, which programs spread into it:
 * `update({ ...webhook, isActive, by })`.
 */
const recordIds = ["runId", "reviewId", "webhookId", "connectionId", "keyId", "triggerId", "personId", "invitationId"];

/** A request with only these members may be spread from a version: `setDefault({ ...version, environment, by })`. */
const versionAddress = ["procedureId", "version", "environment", "by"];

function isAboutRecord(members: readonly string[]): boolean {
  if (members.some((each) => recordIds.includes(each))) return true;
  return members.length > 0 && members.every((each) => versionAddress.includes(each));
}

/**
 * Omits the other members of a spread record: names that are not similar to a member of the request, and names of other
 * requests' members.
 */
function withoutOtherMembers(
  given: object,
  names: Readonly<Record<string, true>>,
  namesOfModule: ReadonlySet<string>,
): object {
  const known = Object.keys(names);
  const isSimilar = (name: string): boolean =>
    Object.hasOwn(names, name) || (!namesOfModule.has(name) && meantName(name, known) !== undefined);
  return Object.fromEntries(Object.entries(given).filter(([name]) => isSimilar(name)));
}

interface Table {
  readonly names: Readonly<Record<string, true>>;
  readonly required: readonly string[];
  /** Members that may be `null`. */
  readonly nullable: readonly string[];
  readonly takesRecord: boolean;
  readonly isOptional: boolean;
}

function checkRequest(
  subject: string,
  { names, required, nullable, takesRecord }: Table,
  given: unknown,
  namesOfModule: ReadonlySet<string>,
): void {
  if (typeof given !== "object" || given === null) {
    throw refused(`${subject} takes an object. It was given ${kindOf(given)}.`);
  }
  checkOptionNames(subject, names, takesRecord ? withoutOtherMembers(given, names, namesOfModule) : given);
  const request = given as Readonly<Record<string, unknown>>;
  for (const name of required) {
    if (request[name] === undefined) throw refused(`${subject} needs ${JSON.stringify(name)}${exampleOf(name)}.`, name);
  }
  for (const name of Object.keys(names)) {
    if (request[name] === null && nullable.includes(name)) continue;
    const problem = kindProblem(name, request[name]);
    if (problem !== undefined) throw refused(`${subject} ${problem}.`, name);
  }
  const { environment, by } = request;
  if (environment !== undefined && !isEnvironment(environment))
    throw refused(`${subject} ${wrongEnvironment(environment)}`, "environment");
  for (const name of ["environments", "defaultIn"]) {
    const list = request[name];
    if (!Array.isArray(list)) continue;
    const wrong: unknown = list.find((each) => !isEnvironment(each));
    if (wrong !== undefined) throw refused(`${subject} ${wrongEnvironment(wrong)}`, name);
  }
  if (by !== undefined && !isPrincipal(by)) {
    throw refused(`${subject} was given a "by" that is ${kindOf(by)}${exampleOf("by")}.`, "by");
  }
}

function isEnvironment(value: unknown): boolean {
  return (environments as readonly unknown[]).includes(value);
}

function wrongEnvironment(value: unknown): string {
  const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 100)) : kindOf(value);
  return `was given the environment ${shown}. Write "sandbox" or "live".`;
}

function isPrincipal(by: unknown): boolean {
  if (typeof by !== "object" || by === null) return false;
  const { person } = by as { person?: unknown };
  return typeof person === "string" && person !== "";
}

function exampleOf(name: string): string {
  if (name === "by") return ': who acts, such as { person: "ana@example.com" }';
  return name === "environment" ? ': "sandbox" or "live"' : "";
}

function refused(message: string, member?: string): ProcedoError {
  return new ProcedoError("invalid_input", message, {
    details: member === undefined ? [] : [{ path: `/${member}`, message }],
  });
}
