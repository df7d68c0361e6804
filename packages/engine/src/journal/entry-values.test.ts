import type { Entry } from "@procedo/procedure";
import fc from "fast-check";
import { expect, test } from "vitest";
import { apart, textOf } from "./entry-values.ts";

/** Names, texts and reasons may hold anything that JSON has to escape. */
const text = fc.string({ unit: "binary", maxLength: 12 });
const count = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 300 }));
const atMs = fc.integer({ min: 0, max: 4e12 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const intent = fc
  .record({
    atMs,
    nodeId: text,
    visit: count,
    call: count,
    attempt: count,
    approvedDigest: maybe(text),
    doubted: maybe(text),
    sendsAfterMs: fc.oneof(fc.constant(5_000), fc.integer({ min: 1, max: 90_000 })),
    timeoutMs: fc.oneof(fc.constant(60_000), fc.integer({ min: 1, max: 90_000 })),
    connection: text,
    connectionId: text,
    action: text,
    revision: text,
    effect: fc.constantFrom("read", "idempotent", "once"),
  })
  .map(({ sendsAfterMs, connection, connectionId, action, revision, effect, ...rest }) => ({
    ...rest,
    type: "intent",
    key: "derived",
    sendByMs: rest.atMs + sendsAfterMs,
    frozen: { connection, connectionId, action, revision, effect, args: { a: 1 } },
  }));

const outcome = fc.record({
  type: fc.constant("outcome"),
  atMs,
  nodeId: text,
  visit: count,
  call: count,
  attempt: count,
  result: fc.oneof(
    fc.constant({ status: "ok", output: { a: 1 } }),
    text.map((reason) => ({ status: "unknown", reason })),
    text.map((message) => ({ status: "error", error: { message } })),
  ),
  retryAtMs: maybe(atMs),
  late: maybe(fc.constant(true)),
});

test("an entry's text is what JSON makes of its bare facts, byte for byte", () => {
  fc.assert(
    fc.property(fc.oneof(intent, outcome), (made) => {
      const entry = made as unknown as Entry;
      const { bare, values } = apart(entry);
      expect(textOf(entry)).toEqual({ open: JSON.stringify(bare).slice(0, -1), values });
    }),
    { numRuns: 2_000 },
  );
});
