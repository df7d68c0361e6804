import type { JsonValue } from "@procedo/contract";
import type { Ended, Entry, FrozenCall, Intent, Outcome, RecordedExchange } from "@procedo/procedure";
import { callKey } from "./effect-keys.ts";
import { promptedApart, repliedApart } from "./conversation-values.ts";
import { isoTime } from "./iso-time.ts";
import {
  isOfIntent,
  isSameAction,
  isSameConnection,
  usualSendWindowMs,
  usualTimeoutMs,
  type SaidBefore,
} from "./said-before.ts";

/**
 * An entry without people's values, and without what follows from the rest of it, was said by the entries before or is
 * nearly always the same.
 */
export type Bare = { readonly [name: string]: unknown };

/** People's data in an entry, however large, by its JSON pointer. */
export type EntryValue = readonly [pointer: string, value: JsonValue];

interface Apart {
  readonly bare: Bare;
  readonly values: readonly EntryValue[];
}

/** Takes an entry apart into its facts and the values that it carries. */
export function apart(entry: Entry, before: SaidBefore): Apart {
  const { bare, values } = partsOf(entry, before.intent);
  const { type, atMs: _atMs, visit, ...facts } = bare;
  return { bare: { type, ...timeApart(entry.atMs, before.atMs), visit: unlessFirst(visit), ...facts }, values };
}

/** The values that an entry carries. */
export function valuesOf(entry: Entry): readonly EntryValue[] {
  return partsOf(entry, undefined).values;
}

/** Milliseconds since the entry before; the time itself where that would not give it back, as a clock may tell fractions. */
function timeApart(atMs: number, beforeMs: number): Bare {
  if (atMs === beforeMs) return {};
  const afterMs = atMs - beforeMs;
  return beforeMs + afterMs === atMs ? { afterMs } : { atMs };
}

function partsOf(entry: Entry, lastIntent: Intent | undefined): Apart {
  switch (entry.type) {
    case "started": {
      const { input, facts, ...rest } = entry;
      const { runId: _same, createdAt, ...known } = facts;
      const usual = createdAt === isoTime(entry.atMs);
      return { bare: { ...rest, facts: usual ? known : { ...known, createdAt } }, values: [["/input", input]] };
    }
    case "intent": {
      const { type, atMs, nodeId, visit, call, attempt, notBegun, approvedDigest, doubted, reserved } = entry;
      const { deferrals, firstSentAtMs, waivesKeyAge, sendByMs, timeoutMs, frozen } = entry;
      const bare: Facts<Intent, "key" | "frozen"> & { readonly frozen: object | undefined } = {
        type,
        atMs,
        nodeId,
        visit,
        call: unlessFirst(call),
        attempt: unlessFirst(attempt),
        notBegun,
        deferrals,
        approvedDigest,
        doubted,
        firstSentAtMs,
        waivesKeyAge,
        reserved,
        sendByMs: sendByMs === atMs + usualSendWindowMs ? undefined : sendByMs,
        timeoutMs: timeoutMs === usualTimeoutMs ? undefined : timeoutMs,
        frozen: frozenApart(frozen, lastIntent?.frozen),
      };
      return { bare, values: [["/frozen/args", frozen.args]] };
    }
    case "outcome": {
      const { type, atMs, nodeId, visit, call, attempt, result, retryAtMs, deferred, late, exchange } = entry;
      const wire = exchange && exchangeApart(exchange);
      const known = isOfIntent(entry, lastIntent);
      const bare: Facts<Outcome, "result" | "exchange"> & { readonly result: unknown; readonly exchange: unknown } = {
        type,
        atMs,
        nodeId: known ? undefined : nodeId,
        visit: known ? undefined : visit,
        call: known ? undefined : unlessFirst(call),
        attempt: known ? undefined : unlessFirst(attempt),
        result: result.status === "ok" ? undefined : result,
        retryAtMs,
        deferred,
        late,
        exchange: wire?.bare,
      };
      const output: readonly EntryValue[] = result.status === "ok" ? [["/result/output", result.output]] : [];
      return { bare, values: wire === undefined ? output : [...output, ...wire.values] };
    }
    case "asked": {
      const { review, ...facts } = entry;
      const { data, call, ...question } = review;
      if (call === undefined) return { bare: { ...facts, review: question }, values: [["/review/data", data]] };
      const { args, ...held } = call;
      return {
        bare: { ...facts, review: { ...question, call: held } },
        values: [
          ["/review/data", data],
          ["/review/call/args", args],
        ],
      };
    }
    case "answered": {
      if (entry.answer.status !== "approved" || entry.answer.outputs === undefined)
        return { bare: { ...entry }, values: [] };
      const { outputs, ...answer } = entry.answer;
      return { bare: { ...entry, answer }, values: [["/answer/outputs", outputs]] };
    }
    case "emitted": {
      const { payload, ...facts } = entry;
      return { bare: facts, values: [["/payload", payload]] };
    }
    case "ended": {
      const { type, atMs, nodeId, result } = entry;
      if (result.status !== "completed") return { bare: { ...entry }, values: [] };
      const bare: Facts<Ended, "result"> = { type, atMs, nodeId };
      return { bare, values: [["/result/output", result.output]] };
    }
    case "prompted":
      return promptedApart(entry);
    case "replied":
      return repliedApart(entry);
    case "concluded": {
      const { text, ...facts } = entry;
      return { bare: facts, values: [["/text", text]] };
    }
    case "recovered":
    case "chose":
    case "raised":
    case "cancel_requested":
    case "overtaken":
      return { bare: { ...entry }, values: [] };
  }
}

/** The bodies are values: what was sent is often what the step was given. */
function exchangeApart({ request, response, note }: RecordedExchange): {
  readonly bare: object;
  readonly values: readonly EntryValue[];
} {
  const { body: sent, ...requestHead } = request;
  const { body: came, ...responseHead } = response ?? { headers: {} };
  const values: EntryValue[] = [];
  if (sent !== undefined) values.push(["/exchange/request/body", sent]);
  if (came !== undefined) values.push(["/exchange/response/body", came]);
  const bare = { request: requestHead, response: response === undefined ? undefined : responseHead, note };
  return { bare, values };
}

/** What of a call the one before did not say. A connection that is said without its id has its name for one. */
function frozenApart(frozen: FrozenCall, before: FrozenCall | undefined): object | undefined {
  const { connection, connectionId, action, revision, effect, idempotencyKeyTtlMs, handedOut } = frozen;
  const sameConnection = isSameConnection(frozen, before);
  const sameAction = isSameAction(frozen, before);
  if (sameConnection && sameAction && effect === before?.effect && handedOut === undefined) return undefined;
  const said: Facts<FrozenCall, "args"> = {
    connection: sameConnection ? undefined : connection,
    connectionId: sameConnection || connectionId === connection ? undefined : connectionId,
    action: sameAction ? undefined : action,
    revision: sameAction ? undefined : revision,
    effect: effect === before?.effect ? undefined : effect,
    idempotencyKeyTtlMs: sameAction ? undefined : idempotencyKeyTtlMs,
    handedOut,
  };
  return said;
}

/** Puts what a bare entry leaves out back in its place. Of the first form's entries that is less. */
export function together(bare: Bare, runId: string, before: SaidBefore): Entry {
  const { type, afterMs, ...facts } = bare;
  const entry = { type, atMs: before.atMs + ((afterMs as number | undefined) ?? 0), ...facts } as unknown as Entry;
  switch (entry.type) {
    case "started": {
      const facts: Partial<typeof entry.facts> = entry.facts;
      const createdAt = facts.createdAt ?? isoTime(entry.atMs);
      return { ...entry, facts: { ...entry.facts, createdAt, runId } };
    }
    case "outcome":
      return { ...callOf(entry, before.intent), ...entry, result: { ...ok, ...entry.result } };
    case "ended":
      return { ...entry, result: { ...completed, ...entry.result } };
    case "intent": {
      const said: Partial<typeof entry> = entry;
      const numbered = { ...first, ...entry };
      return {
        ...numbered,
        key: callKey(runId, entry.nodeId, numbered.visit, numbered.call),
        frozen: frozenTogether(entry.frozen, before.intent?.frozen),
        sendByMs: said.sendByMs ?? entry.atMs + usualSendWindowMs,
        timeoutMs: said.timeoutMs ?? usualTimeoutMs,
      };
    }
    case "asked":
    case "chose":
    case "concluded":
    case "emitted":
    case "prompted":
    case "raised":
    case "replied":
      return { ...firstVisit, ...entry };
    case "answered":
    case "cancel_requested":
    case "overtaken":
    case "recovered":
      return entry;
  }
}

/** The call that an outcome is of: where it names no node, the one that was about to be made last. */
function callOf(
  { nodeId }: Partial<Outcome>,
  lastIntent: Intent | undefined,
): Pick<Intent, "nodeId" | "visit" | "call" | "attempt"> {
  if (nodeId !== undefined) return { nodeId, ...first };
  if (lastIntent === undefined) throw new Error("An outcome is of the last call, and none was about to be made.");
  const { visit, call, attempt } = lastIntent;
  return { nodeId: lastIntent.nodeId, visit, call, attempt };
}

function frozenTogether(said: Partial<FrozenCall> & Pick<FrozenCall, "args">, before?: FrozenCall): FrozenCall {
  const {
    connection = before?.connection,
    connectionId = said.connection ?? before?.connectionId,
    action = before?.action,
    revision = before?.revision,
    effect = before?.effect,
    idempotencyKeyTtlMs = said.action === undefined ? before?.idempotencyKeyTtlMs : undefined,
    args,
    ...others
  } = said;
  const key = idempotencyKeyTtlMs === undefined ? {} : { idempotencyKeyTtlMs };
  const isWhole = connection !== undefined && connectionId !== undefined && action !== undefined;
  if (!isWhole || revision === undefined || effect === undefined) {
    throw new Error("A call leaves out what no call before it says.");
  }
  return { connection, connectionId, action, revision, effect, ...key, ...others, args };
}

const first = { visit: 1, call: 1, attempt: 1 };
const firstVisit = { visit: 1 };

/** What an entry says beside the members that stand elsewhere; every one has to be named, and may be left out. */
type Facts<T, Elsewhere extends keyof T> = { readonly [K in Exclude<keyof T, Elsewhere>]-?: T[K] | undefined };

const ok = { status: "ok" } as const;
const completed = { status: "completed" } as const;

/** Most calls are the first of the first visit, at the first attempt: said by saying nothing. */
function unlessFirst<T>(number: T): T | undefined {
  return number === 1 ? undefined : number;
}
