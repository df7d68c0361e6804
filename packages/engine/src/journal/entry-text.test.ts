import type { Chose, Ended, Entry, FrozenCall, Intent, Outcome, RecordedExchange, Started } from "@procedo/procedure";
import fc from "fast-check";
import { expect, test } from "vitest";
import { callKey } from "./effect-keys.ts";
import { textOf } from "./entry-text.ts";
import { apart } from "./entry-values.ts";
import { createRowCodec } from "./row-codec.ts";

const runId = "run_1";

/** Names, texts and reasons may hold anything that JSON has to escape; a few come again, so that there is something to leave out. */
const text = fc.oneof(fc.constantFrom("a", "b"), fc.string({ unit: "binary", maxLength: 12 }));
const count = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 300 }));
/** A clock may go back, and tell fractions. */
const atMs = fc.oneof(
  fc.integer({ min: 0, max: 4e12 }),
  fc.integer({ min: 0, max: 9 }),
  fc.double({ min: 0, max: 4e12, noNaN: true }),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** One arbitrary for each field, so that a new field is a type error here until it is drawn. */
type Arbitraries<T> = { readonly [K in keyof Required<T>]: fc.Arbitrary<T[K] | undefined> };

const frozenFields: Arbitraries<FrozenCall> = {
  connection: text,
  connectionId: text,
  action: text,
  revision: text,
  effect: fc.constantFrom("read", "idempotent", "once"),
  idempotencyKeyTtlMs: maybe(fc.constantFrom(1_000, 300_000)),
  handedOut: maybe(fc.constant(true as const)),
  args: fc.constant({ a: 1 }),
};
const intentFields: Arbitraries<Intent> = {
  type: fc.constant("intent"),
  atMs,
  nodeId: text,
  visit: count,
  call: count,
  attempt: count,
  notBegun: maybe(count),
  deferrals: maybe(count),
  key: fc.constant("derived"),
  frozen: fc.record(frozenFields) as fc.Arbitrary<FrozenCall>,
  approvedDigest: maybe(text),
  doubted: maybe(text),
  firstSentAtMs: maybe(atMs),
  waivesKeyAge: maybe(fc.constant(true as const)),
  reserved: maybe(fc.array(fc.record({ budget: text, amount: count }), { maxLength: 2 })),
  sendByMs: atMs,
  timeoutMs: fc.oneof(fc.constant(60_000), fc.integer({ min: 1, max: 90_000 })),
};
const outcomeFields: Arbitraries<Outcome> = {
  type: fc.constant("outcome"),
  atMs,
  nodeId: text,
  visit: count,
  call: count,
  attempt: count,
  result: fc.oneof(
    fc.constant({ status: "ok", output: { a: 1 } } as const),
    text.map((reason) => ({ status: "unknown", reason }) as const),
    text.map((reason) => ({ status: "unknown", reason, answered: true }) as const),
    text.map((message) => ({ status: "error", error: { message } }) as const),
    text.map((message) => ({ status: "error", error: { message, code: "not_begun" } }) as const),
  ),
  retryAtMs: maybe(atMs),
  deferred: maybe(fc.constant(true as const)),
  late: maybe(fc.constant(true as const)),
  exchange: maybe(
    fc.record(
      {
        request: fc.record(
          { method: text, url: text, headers: fc.constant({ a: "b" }), body: text },
          { requiredKeys: [] },
        ),
        response: fc.record({ status: count, headers: fc.constant({}), body: text }, { requiredKeys: [] }),
        note: text,
      },
      { requiredKeys: ["request"] },
    ) as fc.Arbitrary<RecordedExchange>,
  ),
};
const factsFields: Arbitraries<Started["facts"]> = {
  runId: fc.constant(runId),
  procedureId: text,
  procedureVersion: text,
  environment: fc.constantFrom("sandbox", "live"),
  createdAt: fc.constant("1970-01-01T00:00:00.007Z"),
  startedBy: text,
};
const startedFields: Arbitraries<Started> = {
  type: fc.constant("started"),
  // Now and then the very moment of `createdAt`, as in the engine's own runs.
  atMs: fc.oneof(fc.constant(7), atMs),
  input: fc.constant({ a: 1 }),
  facts: fc.record(factsFields) as fc.Arbitrary<Started["facts"]>,
};
const choseFields: Arbitraries<Chose> = {
  type: fc.constant("chose"),
  atMs,
  nodeId: text,
  visit: count,
  branch: text,
  reason: maybe(text),
  confidence: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
};
const endedFields: Arbitraries<Ended> = {
  type: fc.constant("ended"),
  atMs,
  nodeId: maybe(text),
  result: fc.oneof(
    fc.constant({ status: "completed", output: { a: 1 } } as const),
    text.map((error) => ({ status: "failed", error }) as const),
  ),
};
const others = [fc.record(startedFields), fc.record(choseFields), fc.record(endedFields)] as fc.Arbitrary<
  Started | Chose | Ended
>[];
const usualDeadline = (entry: Intent, usual: boolean): Intent =>
  usual ? { ...entry, sendByMs: entry.atMs + 5_000 } : entry;
const withKey = (entry: Intent): Intent => {
  const { nodeId, visit, call } = entry;
  return { ...entry, key: callKey(runId, nodeId, visit, call) };
};
const intent = fc
  .tuple(fc.record(intentFields) as fc.Arbitrary<Intent>, fc.boolean())
  .map((made) => withKey(usualDeadline(...made)));
const outcome = fc.record(outcomeFields) as fc.Arbitrary<Outcome>;

/** An outcome of the call, of another one, or the next attempt of the call: some of what it says was said. */
const afterIntent = fc
  .tuple(intent, outcome, intent, fc.nat(4))
  .map(([call, { nodeId: _, visit: _visit, call: _call, attempt: _attempt, ...rest }, other, way]): Entry[] => {
    const { nodeId, visit, call: number, attempt } = call;
    const answered: Outcome = { ...rest, nodeId, visit, call: number, attempt };
    const retry: Intent = { ...other, nodeId, visit, call: number, key: call.key, frozen: call.frozen };
    const sameConnection: Intent = {
      ...other,
      frozen: { ...other.frozen, connection: call.frozen.connection, connectionId: call.frozen.connectionId },
    };
    switch (way) {
      case 0:
        return [call, answered];
      case 1:
        return [call, answered, retry];
      case 2:
        return [call, answered, sameConnection];
      case 3:
        return [call, { ...answered, attempt: attempt + 1 }, sameConnection, answered];
      default:
        return [call, other, answered];
    }
  });

test("an entry's text is what JSON makes of its bare facts, byte for byte, whatever was said before it", () => {
  const before = fc.record({ atMs, intent: maybe(intent) });
  const nextTo = fc.oneof(
    fc.tuple(before, fc.oneof(intent, outcome, ...others)),
    afterIntent.map(([call, ...entries]) => [
      { atMs: call?.atMs ?? 0, intent: call as Intent },
      entries.at(-1) as Entry,
    ]) as fc.Arbitrary<[{ atMs: number; intent: Intent | undefined }, Entry]>,
  );
  fc.assert(
    fc.property(nextTo, ([said, entry]) => {
      const { bare, values } = apart(entry, said);
      expect(textOf(entry, said)).toEqual({ open: JSON.stringify(bare).slice(0, -1), values });
    }),
    { numRuns: 5_000 },
  );
});

test("what an entry leaves out comes back from those before it, however rows are cut and whoever goes on writing", () => {
  const journal = fc.array(
    fc.oneof(
      afterIntent,
      fc.oneof(intent, outcome, ...others).map((entry): Entry[] => [entry]),
    ),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(
      journal,
      fc.array(fc.integer({ min: 1, max: 3 })),
      fc.nat(9),
      fc.array(fc.nat(9)),
      (parts, cuts, heirAt, twice) => {
        const rows = cut(parts.flat(), cuts);
        let writer = createRowCodec(runId);
        const bodies: string[] = [];
        rows.forEach((entries, index) => {
          if (index === heirAt) {
            writer = createRowCodec(runId);
            bodies.forEach((body, earlier) => writer.decode(earlier + 1, body));
          }
          if (twice.includes(index)) writer.encode(index + 1, [...entries, ...(rows[0] ?? [])]);
          bodies.push(writer.encode(index + 1, entries));
        });
        const reader = createRowCodec(runId);
        expect(bodies.map((body, index) => reader.decode(index + 1, body))).toEqual(rows);
      },
    ),
    { numRuns: 2_000 },
  );
});

/** Rows of as many entries as `cuts` says, and of one where it says no more. */
function cut(entries: readonly Entry[], cuts: readonly number[]): readonly (readonly Entry[])[] {
  const rows: (readonly Entry[])[] = [];
  for (let from = 0; from < entries.length; from += rows.at(-1)?.length ?? 1) {
    rows.push(entries.slice(from, from + (cuts[rows.length] ?? 1)));
  }
  return rows;
}
