import type { Chose, Ended, FrozenCall, Intent, Outcome, RecordedExchange, Started } from "@procedo/procedure";
import fc from "fast-check";
import { expect, test } from "vitest";
import { apart, textOf } from "./entry-values.ts";

/** Names, texts and reasons may hold anything that JSON has to escape. */
const text = fc.string({ unit: "binary", maxLength: 12 });
const count = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 300 }));
const atMs = fc.integer({ min: 0, max: 4e12 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** One arbitrary for each field, so that a new field is a type error here until it is drawn. */
type Arbitraries<T> = { readonly [K in keyof Required<T>]: fc.Arbitrary<T[K] | undefined> };

const frozenFields: Arbitraries<FrozenCall> = {
  connection: text,
  connectionId: text,
  action: text,
  revision: text,
  effect: fc.constantFrom("read", "idempotent", "once"),
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
  key: fc.constant("derived"),
  frozen: fc.record(frozenFields) as fc.Arbitrary<FrozenCall>,
  approvedDigest: maybe(text),
  doubted: maybe(text),
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
  ),
  retryAtMs: maybe(atMs),
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
  runId: text,
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
const intent = fc
  .tuple(fc.record(intentFields) as fc.Arbitrary<Intent>, fc.boolean())
  .map((made) => usualDeadline(...made));
const outcome = fc.record(outcomeFields) as fc.Arbitrary<Outcome>;

test("an entry's text is what JSON makes of its bare facts, byte for byte", () => {
  fc.assert(
    fc.property(fc.oneof(intent, outcome, ...others), (entry) => {
      const { bare, values } = apart(entry);
      expect(textOf(entry)).toEqual({ open: JSON.stringify(bare).slice(0, -1), values });
    }),
    { numRuns: 5_000 },
  );
});
