import type { JsonValue } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import { callKey } from "./effect-keys.ts";
import type { EncodingContext } from "./encoding-context.ts";
import { setValueAt } from "./value-at-pointer.ts";

/** User data in an entry, of any size, by its JSON pointer. */
export type EntryValue = readonly [pointer: string, value: JsonValue];

/** The members of an entry that are stored as facts. */
export type EntryFacts = { readonly [name: string]: unknown };

const userData = Symbol("user data");

/**
 * How a member is stored. User data is stored by its pointer. A member with a function is omitted where its value is
 * the one that the function derives, which is `always` so for some. An object, or each item of a list, has fields of
 * its own. Other members need no field.
 */
type Field<E, Of, T> =
  | typeof userData
  | { readonly always: (object: Of, context: EncodingContext, entry: E) => T }
  | ((object: Of, context: EncodingContext, entry: E) => T | undefined)
  | (T extends readonly (infer Item)[] ? Fields<E, Item> : Fields<E, T>);

/**
 * A function receives the object that has the member. It may read the members above its own, and members without a
 * field.
 */
type Fields<E, T = E> = { readonly [K in NameIn<T>]?: Field<E, T, NonNullable<Member<T, K>>> };

type NameIn<T> = T extends unknown ? keyof T : never;
type Member<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

const one = (): number => 1;

const fieldsByType: { readonly [K in Entry["type"]]: Fields<Extract<Entry, { type: K }>> } = {
  started: {
    input: userData,
    facts: {
      runId: { always: (_facts, { runId }) => runId },
      createdAt: (_facts, _context, { atMs }) => new Date(atMs).toISOString(),
    },
  },
  recovered: {},
  branch_taken: { visit: one },
  prompted: { visit: one, added: { text: userData, output: userData } },
  replied: {
    visit: one,
    result: {
      reply: {
        content: { text: userData, input: userData, providerMetadata: userData },
        providerMetadata: userData,
      },
    },
  },
  concluded: { visit: one, text: userData },
  intent: {
    visit: one,
    call: one,
    attempt: one,
    key: { always: ({ nodeId, visit, call }, { runId }) => callKey(runId, nodeId, visit, call) },
    frozen: {
      connection: (_frozen, { intent }) => intent?.frozen.connection,
      connectionId: ({ connection }, { intent }) =>
        connection === intent?.frozen.connection ? intent.frozen.connectionId : connection,
      action: (_frozen, { intent }) => intent?.frozen.action,
      revision: (_frozen, { intent }) => intent?.frozen.revision,
      effect: (_frozen, { intent }) => intent?.frozen.effect,
      args: userData,
    },
    sendByMs: ({ atMs }) => atMs + 5_000,
    timeoutMs: () => 60_000,
  },
  outcome: {
    nodeId: (_entry, { intent }) => intent?.nodeId,
    visit: (_entry, { intent }) => intent?.visit,
    call: (_entry, { intent }) => intent?.call,
    attempt: (_entry, { intent }) => intent?.attempt,
    result: { status: () => "ok" as const, output: userData },
    exchange: { request: { body: userData }, response: { body: userData } },
  },
  node_failed: { visit: one },
  review_opened: { visit: one, review: { data: userData, call: { args: userData } } },
  review_closed: { answer: { outputs: userData } },
  held: { visit: one },
  emitted: { visit: one, payload: userData },
  cancel_requested: {},
  superseded: {},
  ended: { result: { status: () => "completed" as const, output: userData } },
};

/** Splits an entry into the facts that have to be stored and its user data. */
export function splitEntry(
  entry: Entry,
  context: EncodingContext,
): { readonly facts: EntryFacts; readonly values: readonly EntryValue[] } {
  const split: Split = { entry, context, values: [] };
  const facts = storedTime(entry, context);
  splitMembers(entry as unknown as Members, fieldsOf(entry.type), "", split, facts);
  return { facts, values: split.values };
}

/** The entry that was split into these facts and values. */
export function joinEntry(facts: EntryFacts, values: readonly EntryValue[], context: EncodingContext): Entry {
  const { type, afterMs = 0, ...members } = facts as { type: Entry["type"]; afterMs?: number };
  const joined: Members = { type, atMs: context.atMs + afterMs, ...members };
  const entry = joined as unknown as Entry;
  addDerived(joined, fieldsOf(type), entry, context);
  for (const [pointer, value] of values) setValueAt(joined, pointer, value);
  return entry;
}

type Members = Record<string, unknown>;
type Derive = (object: Members, context: EncodingContext, entry: Entry) => unknown;
interface AnyFields {
  readonly [name: string]: typeof userData | { readonly always: Derive } | Derive | AnyFields;
}

function fieldsOf(type: Entry["type"]): AnyFields {
  return fieldsByType[type] as AnyFields;
}

function isDerived(field: AnyFields[string]): field is { readonly always: Derive } {
  return typeof field === "object" && "always" in field;
}

/** Adding a fractional difference may not restore the exact time. The time itself is stored in that case. */
function storedTime({ type, atMs }: Entry, before: EncodingContext): Members {
  if (atMs === before.atMs) return { type };
  const afterMs = atMs - before.atMs;
  return before.atMs + afterMs === atMs ? { type, afterMs } : { type, atMs };
}

interface Split {
  readonly entry: Entry;
  readonly context: EncodingContext;
  readonly values: EntryValue[];
}

function splitMembers(members: Members, fields: AnyFields, at: string, split: Split, facts: Members): void {
  const isEntry = at === "";
  for (const name of Object.keys(members)) {
    const field = fields[name];
    const member = members[name];
    if (member === undefined || (isEntry && (name === "type" || name === "atMs"))) continue;
    if (field === undefined) facts[name] = member;
    else if (field === userData) split.values.push([`${at}/${name}`, member as JsonValue]);
    else if (typeof field === "function") {
      if (member !== field(members, split.context, split.entry)) facts[name] = member;
    } else if (!isDerived(field)) {
      const inner = splitInner(member as Members, field, `${at}/${name}`, split);
      if (inner !== undefined) facts[name] = inner;
    }
  }
}

/** `undefined` for an object whose members are all derived or user data. */
function splitInner(member: Members | Members[], fields: AnyFields, at: string, split: Split): object | undefined {
  if (Array.isArray(member)) {
    return member.map((item, index) => splitInner(item, fields, `${at}/${index}`, split) ?? {});
  }
  const inner: Members = {};
  splitMembers(member, fields, at, split, inner);
  return isEmpty(inner) && !isEmpty(member) ? undefined : inner;
}

function addDerived(members: Members, fields: AnyFields, entry: Entry, context: EncodingContext): void {
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (field === undefined || field === userData) continue;
    if (typeof field === "function" || isDerived(field)) {
      const derive = typeof field === "function" ? field : field.always;
      members[name] ??= derive(members, context, entry);
      if (members[name] !== undefined) continue;
      throw new Error(`An entry "${entry.type}" omits "${name}", and no earlier entry states it.`);
    } else if (!Array.isArray(members[name])) {
      const inner = (members[name] ?? {}) as Members;
      addDerived(inner, field, entry, context);
      if (!isEmpty(inner)) members[name] = inner;
    }
  }
}

export function isEmpty(object: object): boolean {
  for (const _name in object) return false;
  return true;
}
