import { environments, normalName, ProcedoError } from "@procedo/contract";
import type { Environment, JsonObject, JsonValue } from "@procedo/contract";
import {
  decodeCursor,
  encodeCursor,
  type AuditEntry,
  type AuditStore,
  type Page,
  type PageRequest,
} from "@procedo/storage";
import { archiveAction } from "./archive-fact.ts";
import { readChange, type WorkspaceChange } from "./changes.ts";
import { checkpointAction, withoutHeads } from "./checkpoint.ts";

/** The entries of the workspace's chain to list. The filters compare whole values. */
export interface ChangeQuery extends PageRequest {
  /**
   * Only entries about this environment and about the workspace, such as published versions. Checkpoints then have no
   * details, which count the runs of both environments, and changes of people name their access to this one only. A change
   * of access to the other environment is left out.
   *
   * @defaultValue entries about both
   */
  readonly environment?: Environment;
  /** Whether entries about people, invitations and sessions are listed. @defaultValue true */
  readonly withPeople?: boolean;
  /** Such as `procedure.published`. @defaultValue any action */
  readonly action?: string;
  /** The person who made the change, in any spelling. @defaultValue any person */
  readonly person?: string;
  /** The changed resource, as entries name it. @defaultValue any subject */
  readonly subject?: string;
  /** Earliest time, inclusive, in milliseconds since the epoch. @defaultValue any time */
  readonly fromMs?: number;
  /** Latest time, exclusive, in milliseconds since the epoch. @defaultValue any time */
  readonly toMs?: number;
}

/** Bounds of the entries that a page examines, in entries and in characters. Those of checkpoints may be long. */
const maxExaminedEntries = 1_000;
const maxExaminedLength = 4 * 1024 * 1024;

/** Entries that are read at once, at least. */
const minPortion = 20;

/** See `Audit.list`. */
export async function listChanges(
  { audit, workspace }: { readonly audit: Pick<AuditStore, "listNewest">; readonly workspace: string },
  request: ChangeQuery,
): Promise<Page<WorkspaceChange>> {
  const { environment, withPeople = true, action, person, subject, fromMs, toMs, limit, cursor } = request;
  const query = ["audit", workspace, environment, String(withPeople), action, person, subject, fromMs, toMs];
  const search = {
    workspace,
    ...(action !== undefined && { action }),
    ...(person !== undefined && { by: normalName(person) }),
    ...(subject !== undefined && { subject }),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
  };
  const items: WorkspaceChange[] = [];
  let [beforeSeq] = decodeCursor(query, cursor, ["number"]) ?? [];
  let examined = 0;
  let length = 0;
  for (;;) {
    const portion = Math.max(limit - items.length, minPortion);
    const at = beforeSeq === undefined ? {} : { beforeSeq };
    const { entries, nextBeforeSeq } = await audit.listNewest({ ...search, ...at, limit: portion });
    for (const [index, entry] of entries.entries()) {
      examined += 1;
      length += entry.body.length;
      const change = readable(entry);
      if (!isShown(change, environment, withPeople)) continue;
      const shown = environment === undefined ? change : asReadIn(environment, change);
      if (shown === undefined) continue;
      items.push(shown);
      const isEnd = index === entries.length - 1 && nextBeforeSeq === undefined;
      if (items.length === limit && !isEnd) return { items, nextCursor: encodeCursor(query, [entry.seq]) };
    }
    beforeSeq = nextBeforeSeq;
    if (beforeSeq === undefined) return { items, nextCursor: undefined };
    // A short portion ends where storage has examined many entries.
    const isEnd = entries.length < portion || examined >= maxExaminedEntries || length >= maxExaminedLength;
    if (isEnd) return { items, nextCursor: encodeCursor(query, [beforeSeq]) };
  }
}

/** An entry in readable form. @throws ProcedoError `journal_corrupted` */
export function readable(entry: AuditEntry): WorkspaceChange {
  const change = readChange(entry);
  if (change !== undefined) return withoutHeads(change);
  const message = `Entry ${entry.seq} of the workspace's chain cannot be read. Verify the audit record.`;
  throw new ProcedoError("journal_corrupted", message);
}

function isShown(change: WorkspaceChange, environment: Environment | undefined, withPeople: boolean): boolean {
  if (!withPeople && isAboutPeople(change)) return false;
  const its = environmentOf(change);
  return environment === undefined || its === undefined || its === environment;
}

/** The only environment that an entry concerns; `undefined` for one about the workspace. */
function environmentOf({ action, subject, details }: WorkspaceChange): Environment | undefined {
  // The subject of a discarded draft is a procedure, whose id may be the name of an environment.
  if (action === checkpointAction || action.startsWith("procedure.")) return undefined;
  // An archive's subject is the name of its file. Others begin with the environment of the resource.
  const named = action === archiveAction && isObject(details) ? details["environment"] : subject.split("/", 1)[0];
  return environments.find((one) => one === named);
}

/**
 * An entry about the workspace without the details that concern the other environment only; `undefined` for a change of
 * access to that one.
 */
function asReadIn(environment: Environment, change: WorkspaceChange): WorkspaceChange | undefined {
  const { action, details } = change;
  if (action === checkpointAction) return { ...change, details: undefined };
  if (!isAboutPeople(change) || !isObject(details) || !isObject(details["access"])) return change;
  const { access, ...rest } = details;
  const { from, to, ...own } = accessIn(environment, access);
  if (!isObject(from) || !isObject(to)) return { ...change, details: { ...rest, access: own } };
  if (!isSame(from[environment], to[environment])) return { ...change, details: { ...rest, access: { from, to } } };
  return Object.keys(rest).every((name) => name === "email") ? undefined : { ...change, details: rest };
}

/** Whether two lists of roles have the same members. */
function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return JSON.stringify(Array.isArray(a) ? a.toSorted() : a) === JSON.stringify(Array.isArray(b) ? b.toSorted() : b);
}

/** Access without the roles in other environments, also as the pair of access before and after a change. */
function accessIn(environment: Environment, access: JsonObject): JsonObject {
  const isOther = (name: string): boolean => environments.some((one) => one === name && one !== environment);
  const kept = Object.entries(access).filter(([name]) => !isOther(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isObject(value) ? accessIn(environment, value) : value]),
  );
}

function isAboutPeople({ action }: WorkspaceChange): boolean {
  return /^(?:person|session)\./.test(action);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
