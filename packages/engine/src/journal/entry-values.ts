import type { JsonValue } from "@procedo/contract";
import type { Ended, Entry, FrozenCall, Intent, Outcome, RecordedExchange } from "@procedo/procedure";
import { callKey } from "../effects/call-key.ts";
import { isoTime } from "./iso-time.ts";
import { promptedApart, repliedApart } from "./conversation-values.ts";

/** An entry without people's values, and without what follows from the rest of it or is nearly always the same. */
export type Bare = { readonly [name: string]: unknown };

const usualSendWindowMs = 5_000;
const usualTimeoutMs = 60_000;

/** People's data in an entry, however large, by its JSON pointer. */
export type EntryValue = readonly [pointer: string, value: JsonValue];

/** Takes an entry apart into its facts and the values that it carries. */
export function apart(entry: Entry): { readonly bare: Bare; readonly values: readonly EntryValue[] } {
  switch (entry.type) {
    case "started": {
      const { input, facts, ...rest } = entry;
      const { runId: _same, createdAt, ...known } = facts;
      const usual = createdAt === isoTime(entry.atMs);
      return { bare: { ...rest, facts: usual ? known : { ...known, createdAt } }, values: [["/input", input]] };
    }
    case "intent": {
      const { type, atMs, nodeId, visit, call, attempt, approvedDigest, doubted, reserved } = entry;
      const { sendByMs, timeoutMs } = entry;
      const { connection, connectionId, action, revision, effect, handedOut, args } = entry.frozen;
      const bare: Facts<Intent, "key" | "frozen"> & { readonly frozen: Facts<FrozenCall, "args"> } = {
        type,
        atMs,
        nodeId,
        visit: unlessFirst(visit),
        call: unlessFirst(call),
        attempt: unlessFirst(attempt),
        approvedDigest,
        doubted,
        reserved,
        sendByMs: sendByMs === atMs + usualSendWindowMs ? undefined : sendByMs,
        timeoutMs: timeoutMs === usualTimeoutMs ? undefined : timeoutMs,
        frozen: { connection, connectionId, action, revision, effect, handedOut },
      };
      return { bare, values: [["/frozen/args", args]] };
    }
    case "outcome": {
      const { type, atMs, nodeId, visit, call, attempt, result, retryAtMs, late, exchange } = entry;
      const wire = exchange && exchangeApart(exchange);
      const bare: Facts<Outcome, "result" | "exchange"> & { readonly result: object; readonly exchange: unknown } = {
        type,
        atMs,
        nodeId,
        visit: unlessFirst(visit),
        call: unlessFirst(call),
        attempt: unlessFirst(attempt),
        result: result.status === "ok" ? ok : result,
        retryAtMs,
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
      const bare: Facts<Ended, "result"> & { readonly result: object } = { type, atMs, nodeId, result: completed };
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

/** An entry as it is written: its bare facts as JSON text that is still open for its values. */
export interface EntryText {
  /** Without the last brace. */
  readonly open: string;
  readonly values: readonly EntryValue[];
}

/**
 * What {@link apart} makes of an entry, as text. The kinds that every run writes are spelled out, which their test holds to
 * the other way: making an object of each for `JSON.stringify` costs half of what writing the row does.
 */
export function textOf(entry: Entry): EntryText {
  switch (entry.type) {
    case "started": {
      const { atMs, input, facts } = entry;
      const { procedureId, procedureVersion, environment, createdAt, startedBy } = facts;
      if (createdAt !== isoTime(atMs)) break;
      const open =
        `{"type":"started","atMs":${atMs},"facts":{"procedureId":${quoted(procedureId)},` +
        `"procedureVersion":${quoted(procedureVersion)},"environment":"${environment}","startedBy":${JSON.stringify(startedBy)}}`;
      return { open, values: [["/input", input]] };
    }
    case "chose": {
      const { atMs, nodeId, visit, branch, reason, confidence } = entry;
      if (reason !== undefined || confidence !== undefined) break;
      const open = `{"type":"chose","atMs":${atMs},"nodeId":${quoted(nodeId)},"visit":${visit},"branch":${quoted(branch)}`;
      return { open, values: [] };
    }
    case "ended": {
      const { atMs, nodeId, result } = entry;
      if (nodeId === undefined || result.status !== "completed") break;
      const open = `{"type":"ended","atMs":${atMs},"nodeId":${quoted(nodeId)},"result":{"status":"completed"}`;
      return { open, values: [["/result/output", result.output]] };
    }
    case "intent": {
      const { atMs, nodeId, visit, call, attempt, approvedDigest, doubted, reserved } = entry;
      const { sendByMs, timeoutMs, frozen } = entry;
      const open =
        `{"type":"intent","atMs":${atMs},"nodeId":${quoted(nodeId)}${numbersText(visit, call, attempt)}` +
        (approvedDigest === undefined ? "" : `,"approvedDigest":${JSON.stringify(approvedDigest)}`) +
        (doubted === undefined ? "" : `,"doubted":${JSON.stringify(doubted)}`) +
        (reserved === undefined ? "" : `,"reserved":${JSON.stringify(reserved)}`) +
        (sendByMs === atMs + usualSendWindowMs ? "" : `,"sendByMs":${sendByMs}`) +
        (timeoutMs === usualTimeoutMs ? "" : `,"timeoutMs":${timeoutMs}`) +
        frozenText(frozen);
      return { open, values: [["/frozen/args", frozen.args]] };
    }
    case "outcome": {
      const { atMs, nodeId, visit, call, attempt, result, retryAtMs, late, exchange } = entry;
      if (result.status !== "ok" || exchange !== undefined) break;
      const open =
        `{"type":"outcome","atMs":${atMs},"nodeId":${quoted(nodeId)}${numbersText(visit, call, attempt)},` +
        `"result":{"status":"ok"}` +
        (retryAtMs === undefined ? "" : `,"retryAtMs":${retryAtMs}`) +
        (late === undefined ? "" : `,"late":${late}`);
      return { open, values: [["/result/output", result.output]] };
    }
    default:
      break;
  }
  const { bare, values } = apart(entry);
  return { open: JSON.stringify(bare).slice(0, -1), values };
}

function numbersText(visit: number, call: number, attempt: number): string {
  return (
    (visit === 1 ? "" : `,"visit":${visit}`) +
    (call === 1 ? "" : `,"call":${call}`) +
    (attempt === 1 ? "" : `,"attempt":${attempt}`)
  );
}

/** What was frozen last of each revision of an action: every call of it says the same but for its arguments. */
const frozenLast = new Map<string, { readonly frozen: FrozenCall; readonly text: string }>();

function frozenText(frozen: FrozenCall): string {
  const { connection, connectionId, action, revision, effect, handedOut } = frozen;
  const last = frozenLast.get(revision);
  if (last !== undefined && isSameAction(last.frozen, frozen)) return last.text;
  const text =
    `,"frozen":{"connection":${quoted(connection)},"connectionId":${quoted(connectionId)},` +
    `"action":${quoted(action)},"revision":${quoted(revision)},"effect":"${effect}"` +
    (handedOut === undefined ? "}" : `,"handedOut":true}`);
  if (frozenLast.size >= maxKeptTexts) frozenLast.clear();
  frozenLast.set(revision, { frozen: { ...frozen, args: {} }, text });
  return text;
}

function isSameAction(one: FrozenCall, other: FrozenCall): boolean {
  const isSameConnection = one.connectionId === other.connectionId && one.connection === other.connection;
  return (
    isSameConnection &&
    one.action === other.action &&
    one.effect === other.effect &&
    one.handedOut === other.handedOut &&
    one.revision === other.revision
  );
}

const quotedNames = new Map<string, string>();
const maxKeptTexts = 4_096;

/** A name as JSON. The same ones come with every run: those of nodes, connections and actions. */
function quoted(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (quotedNames.size >= maxKeptTexts) quotedNames.clear();
  quotedNames.set(name, text);
  return text;
}

/** Puts what a bare entry leaves out back in its place. */
export function together(bare: Bare, runId: string): Entry {
  const entry = bare as unknown as Entry;
  switch (entry.type) {
    case "started": {
      const facts: Partial<typeof entry.facts> = entry.facts;
      const createdAt = facts.createdAt ?? isoTime(entry.atMs);
      return { ...entry, facts: { ...entry.facts, createdAt, runId } };
    }
    case "outcome":
      return { ...first, ...entry };
    case "intent": {
      const said: Partial<typeof entry> = entry;
      const numbered = { ...first, ...entry };
      return {
        ...numbered,
        key: callKey(runId, entry.nodeId, numbered.visit, numbered.call),
        sendByMs: said.sendByMs ?? entry.atMs + usualSendWindowMs,
        timeoutMs: said.timeoutMs ?? usualTimeoutMs,
      };
    }
    default:
      return entry;
  }
}

const first = { visit: 1, call: 1, attempt: 1 };

/** What an entry says beside the members that stand elsewhere; every one has to be named, and may be left out. */
type Facts<T, Elsewhere extends keyof T> = { readonly [K in Exclude<keyof T, Elsewhere>]-?: T[K] | undefined };

const ok = { status: "ok" } as const;
const completed = { status: "completed" } as const;

/** Most calls are the first of the first visit, at the first attempt: said by saying nothing. */
function unlessFirst(number: number): number | undefined {
  return number === 1 ? undefined : number;
}
