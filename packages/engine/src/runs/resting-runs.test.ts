import type { CompiledProcedure, Intent, RunState } from "@procedo/procedure";
import { expect, test } from "vitest";
import { createJournalWriter } from "../journal/journal-writer.ts";
import { createRowCodec } from "../journal/row-codec.ts";
import { invocationIdOf } from "../private-connections/invocation.ts";
import { outcomeKey } from "../journal/effect-keys.ts";
import { createHotRun, type HotRun } from "./hot-run.ts";
import { createRestingRuns } from "./resting-runs.ts";

const scope = { workspace: "acme", environment: "sandbox" } as const;

function waitingRun(
  runId: string,
  bytes: number,
  at: "review" | "backoff" = "review",
  environment: "sandbox" | "live" = "sandbox",
): HotRun {
  const head = { scope: { ...scope, environment }, runId, epoch: 1, seq: 2, hash: "h", bytes };
  const writer = createJournalWriter(new Uint8Array(32), createRowCodec(runId), head);
  return createHotRun({} as CompiledProcedure, writer, { cursor: { at } } as RunState, []);
}

test("a run that waits for a person is found in its own scope, and nowhere else", () => {
  const resting = createRestingRuns();
  const run = waitingRun("r1", 1_000);
  resting.keep(run);
  expect(resting.get(scope, "r1")).toBe(run);
  expect(resting.get({ ...scope, environment: "live" }, "r1")).toBeUndefined();
  expect(resting.get({ ...scope, workspace: "globex" }, "r1")).toBeUndefined();
  resting.forget("r1");
  expect(resting.get(scope, "r1")).toBeUndefined();
});

test("a run that waits for the result of a call that it handed out is found by the call", () => {
  const resting = createRestingRuns();
  const intent = { key: "k1", attempt: 1, frozen: { handedOut: true } } as unknown as Intent;
  const run = waitingRun("r1", 1_000);
  run.state = { cursor: { at: "calling", nodeId: "n", intent, lost: false } } as RunState;
  const invocationId = invocationIdOf("r1", outcomeKey(intent));
  resting.keep(run);
  expect(resting.ofCall(scope, invocationId)).toBe(run);
  expect(resting.ofCall({ ...scope, environment: "live" }, invocationId)).toBeUndefined();
  expect(resting.ofCall(scope, invocationIdOf("r2", outcomeKey(intent)))).toBeUndefined();
  resting.forget("r1");
  expect(resting.ofCall(scope, invocationId)).toBeUndefined();
});

test("what waits for time, or is long, is not kept", () => {
  const resting = createRestingRuns();
  resting.keep(waitingRun("r1", 1_000, "backoff"));
  resting.keep(waitingRun("r2", 300 * 1024));
  expect(resting.get(scope, "r1")).toBeUndefined();
  expect(resting.get(scope, "r2")).toBeUndefined();
});

test.each([
  ["1,024 runs", 1_000, 1_024],
  ["8 MB of journals", 256 * 1024, 32],
])("no more than %s are kept, those that came last", (_bound, bytes, most) => {
  const resting = createRestingRuns();
  for (let index = 0; index < most + 10; index++) resting.keep(waitingRun(`r${index}`, bytes));
  const kept = Array.from({ length: most + 10 }, (_, index) => resting.get(scope, `r${index}`) !== undefined);
  expect(kept.indexOf(true)).toBe(10);
  expect(kept.filter(Boolean)).toHaveLength(most);
});

test("a run that is kept again counts once", () => {
  const resting = createRestingRuns();
  resting.keep(waitingRun("other", 256 * 1024));
  for (let time = 0; time < 100; time++) resting.keep(waitingRun("r1", 256 * 1024));
  expect(resting.get(scope, "other")).toBeDefined();
});

test("runs of one environment do not drive those of the other out", () => {
  const resting = createRestingRuns();
  const run = waitingRun("r", 1_000, "review", "live");
  resting.keep(run);
  for (let number = 0; number < 1_025; number++) resting.keep(waitingRun(`s${number}`, 1_000));
  expect(resting.get({ ...scope, environment: "live" }, "r")).toBe(run);
  expect(resting.get(scope, "s0")).toBeUndefined();
  expect(resting.get(scope, "s1024")).toBeDefined();
});
