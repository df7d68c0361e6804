import type { JsonValue } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import { callKey } from "../effects/call-key.ts";

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
      const usual = createdAt === new Date(entry.atMs).toISOString();
      return { bare: { ...rest, facts: usual ? known : { ...known, createdAt } }, values: [["/input", input]] };
    }
    case "intent": {
      const { frozen, key: _follows, sendByMs, timeoutMs, ...facts } = entry;
      const { args, ...call } = frozen;
      const bare = {
        ...facts,
        ...firstOnly(facts),
        sendByMs: sendByMs === entry.atMs + usualSendWindowMs ? undefined : sendByMs,
        timeoutMs: timeoutMs === usualTimeoutMs ? undefined : timeoutMs,
        frozen: call,
      };
      return { bare, values: [["/frozen/args", args]] };
    }
    case "outcome": {
      if (entry.result.status !== "ok") return { bare: { ...entry, ...firstOnly(entry) }, values: [] };
      const { output, ...result } = entry.result;
      return { bare: { ...entry, ...firstOnly(entry), result }, values: [["/result/output", output]] };
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
      if (entry.result.status !== "completed") return { bare: { ...entry }, values: [] };
      const { output, ...result } = entry.result;
      return { bare: { ...entry, result }, values: [["/result/output", output]] };
    }
    case "recovered":
    case "chose":
    case "raised":
    case "cancel_requested":
    case "overtaken":
      return { bare: { ...entry }, values: [] };
  }
}

/** Puts what a bare entry leaves out back in its place. */
export function together(bare: Bare, runId: string): Entry {
  const entry = bare as unknown as Entry;
  switch (entry.type) {
    case "started": {
      const facts: Partial<typeof entry.facts> = entry.facts;
      const createdAt = facts.createdAt ?? new Date(entry.atMs).toISOString();
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

/** Most calls are the first of the first visit, at the first attempt: said by saying nothing. */
function firstOnly(numbers: { readonly visit: number; readonly call: number; readonly attempt: number }) {
  return {
    visit: numbers.visit === 1 ? undefined : numbers.visit,
    call: numbers.call === 1 ? undefined : numbers.call,
    attempt: numbers.attempt === 1 ? undefined : numbers.attempt,
  };
}
