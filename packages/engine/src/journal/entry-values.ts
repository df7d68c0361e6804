import type { JsonValue } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";

/** An entry without people's values, and without what it says nearly always. */
export type Bare = { readonly [name: string]: unknown };

/** People's data in an entry, however large, by its JSON pointer. */
export type EntryValue = readonly [pointer: string, value: JsonValue];

/** Takes an entry apart into its facts and the values that it carries. */
export function apart(entry: Entry): { readonly bare: Bare; readonly values: readonly EntryValue[] } {
  switch (entry.type) {
    case "started": {
      const { input, ...facts } = entry;
      return { bare: facts, values: [["/input", input]] };
    }
    case "intent": {
      const { frozen, ...facts } = entry;
      const { args, ...call } = frozen;
      return { bare: { ...facts, ...firstOnly(facts), frozen: call }, values: [["/frozen/args", args]] };
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
export function together(bare: Bare): Entry {
  const numbered = bare["type"] === "intent" || bare["type"] === "outcome";
  return (numbered ? { visit: 1, call: 1, attempt: 1, ...bare } : bare) as unknown as Entry;
}

/** Most calls are the first of the first visit, at the first attempt: said by saying nothing. */
function firstOnly(numbers: { readonly visit: number; readonly call: number; readonly attempt: number }) {
  return {
    visit: numbers.visit === 1 ? undefined : numbers.visit,
    call: numbers.call === 1 ? undefined : numbers.call,
    attempt: numbers.attempt === 1 ? undefined : numbers.attempt,
  };
}
