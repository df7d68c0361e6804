import type { CompiledProcedure, Intent, RunState } from "@procedo/procedure";
import { expect, test } from "vitest";
import { createJournalWriter } from "../journal/journal-writer.ts";
import { createRowCodec } from "../journal/row-codec.ts";
import { invocationIdOf } from "../journal/invocation.ts";
import { outcomeKey } from "../journal/effect-keys.ts";
import { createActiveRun, type ActiveRun } from "./active-run.ts";
import { ParkedRunCache } from "./parked-run-cache.ts";

const scope = { workspace: "acme", environment: "sandbox" } as const;

function waitingRun(
  runId: string,
  bytes: number,
  at: "review" | "backoff" = "review",
  environment: "sandbox" | "live" = "sandbox",
): ActiveRun {
  const head = { scope: { ...scope, environment }, runId, epoch: 1, seq: 2, hash: "h", bytes };
  const writer = createJournalWriter(new Uint8Array(32), createRowCodec(runId), head);
  return createActiveRun({} as CompiledProcedure, writer, { cursor: { at } } as RunState, []);
}

test("a run that waits for a person is found only in its own scope", () => {
  const cache = new ParkedRunCache();
  const run = waitingRun("r1", 1_000);
  cache.keep(run);
  expect(cache.get(scope, "r1")).toBe(run);
  expect(cache.get({ ...scope, environment: "live" }, "r1")).toBeUndefined();
  expect(cache.get({ ...scope, workspace: "globex" }, "r1")).toBeUndefined();
  cache.forget("r1");
  expect(cache.get(scope, "r1")).toBeUndefined();
});

test("a run that waits for the result of a dispatched call is found by its invocation", () => {
  const cache = new ParkedRunCache();
  const intent = { key: "k1", attempt: 1, frozen: { dispatched: true } } as unknown as Intent;
  const run = waitingRun("r1", 1_000);
  run.state = { cursor: { at: "calling", nodeId: "n", intent, lost: false } } as RunState;
  const invocationId = invocationIdOf("r1", outcomeKey(intent));
  cache.keep(run);
  expect(cache.ofInvocation(scope, invocationId)).toBe(run);
  expect(cache.ofInvocation({ ...scope, environment: "live" }, invocationId)).toBeUndefined();
  expect(cache.ofInvocation(scope, invocationIdOf("r2", outcomeKey(intent)))).toBeUndefined();
  cache.forget("r1");
  expect(cache.ofInvocation(scope, invocationId)).toBeUndefined();
});

test("runs that wait for a time or have a long journal are not kept", () => {
  const cache = new ParkedRunCache();
  cache.keep(waitingRun("r1", 1_000, "backoff"));
  cache.keep(waitingRun("r2", 300 * 1024));
  expect(cache.get(scope, "r1")).toBeUndefined();
  expect(cache.get(scope, "r2")).toBeUndefined();
});

test.each([
  ["1,024 runs", 1_000, 1_024],
  ["8 MB of journals", 256 * 1024, 32],
])("at most %s are kept, the latest runs", (_bound, bytes, most) => {
  const cache = new ParkedRunCache();
  for (let index = 0; index < most + 10; index++) cache.keep(waitingRun(`r${index}`, bytes));
  const kept = Array.from({ length: most + 10 }, (_, index) => cache.get(scope, `r${index}`) !== undefined);
  expect(kept.indexOf(true)).toBe(10);
  expect(kept.filter(Boolean)).toHaveLength(most);
});

test("a run that is kept again counts once", () => {
  const cache = new ParkedRunCache();
  cache.keep(waitingRun("other", 256 * 1024));
  for (let time = 0; time < 100; time++) cache.keep(waitingRun("r1", 256 * 1024));
  expect(cache.get(scope, "other")).toBeDefined();
});

test("runs of one environment do not displace runs of the other", () => {
  const cache = new ParkedRunCache();
  const run = waitingRun("r", 1_000, "review", "live");
  cache.keep(run);
  for (let number = 0; number < 1_025; number++) cache.keep(waitingRun(`s${number}`, 1_000));
  expect(cache.get({ ...scope, environment: "live" }, "r")).toBe(run);
  expect(cache.get(scope, "s0")).toBeUndefined();
  expect(cache.get(scope, "s1024")).toBeDefined();
});
