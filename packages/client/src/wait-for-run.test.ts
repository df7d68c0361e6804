import { ProcedoError, type Run } from "@procedo/contract";
import { expect, test } from "vitest";
import { awaitingRun, completedRun, failedRun, fakeRuntime, runningRun } from "../test/fixtures.ts";
import { waitForRun } from "./wait-for-run.ts";

const away = new ProcedoError("upstream_unreachable", "away");

/** Polls that give one state after the other; the last one stays. */
function polls(...states: readonly (Run | Error)[]): { read: () => Promise<Run>; count: () => number } {
  let index = 0;
  const read = async (): Promise<Run> => {
    const state = states[Math.min(index++, states.length - 1)];
    if (state === undefined || state instanceof Error) throw state ?? new Error("no state");
    return state;
  };
  return { read, count: () => index };
}

test.each([completedRun(), failedRun()])("an ended run is returned without waiting: $status", async (run) => {
  const runtime = fakeRuntime();
  expect(await waitForRun(polls(run).read, {}, runtime)).toBe(run);
  expect(runtime.slept).toEqual([]);
});

test("a run that waits for people is returned, unless the caller waits through reviews", async () => {
  expect(await waitForRun(polls(awaitingRun()).read, {}, fakeRuntime())).toEqual(awaitingRun());
  const { read } = polls(awaitingRun(), awaitingRun(), runningRun(), completedRun());
  expect(await waitForRun(read, { waitThroughReviews: true }, fakeRuntime())).toEqual(completedRun());
});

test("a run whose review is decided continues, so the wait continues", async () => {
  const { read } = polls(awaitingRun({ isDecided: true }), runningRun(), completedRun());
  expect(await waitForRun(read, {}, fakeRuntime())).toEqual(completedRun());
});

test("polls less and less often, down to a minimum rate, and often again after the run has changed", async () => {
  const runtime = fakeRuntime();
  const states = [...Array.from({ length: 20 }, () => runningRun()), awaitingRun({ isDecided: true }), runningRun()];
  await waitForRun(polls(...states, completedRun()).read, {}, runtime);
  expect(runtime.slept[0]).toBe(200);
  expect(runtime.slept.slice(0, 19)).toEqual(runtime.slept.slice(0, 19).toSorted((a, b) => a - b));
  expect(Math.max(...runtime.slept)).toBe(5_000);
  expect(runtime.slept.slice(20)).toEqual([200, 200]);
});

test("polls every half minute while a review is open", async () => {
  const runtime = fakeRuntime();
  const states = Array.from({ length: 20 }, () => awaitingRun());
  await waitForRun(polls(...states, completedRun()).read, { waitThroughReviews: true }, runtime);
  expect(Math.max(...runtime.slept)).toBe(30_000);
});

test("returns the run unchanged after the time limit, after a last poll", async () => {
  const runtime = fakeRuntime();
  const { read, count } = polls(runningRun());
  expect(await waitForRun(read, { timeoutMs: 1_000 }, runtime)).toEqual(runningRun());
  expect(runtime.slept.reduce((sum, ms) => sum + ms, 0)).toBe(1_000);
  expect(count()).toBe(runtime.slept.length + 1);
  expect(await waitForRun(polls(runningRun()).read, { timeoutMs: 0 }, fakeRuntime())).toEqual(runningRun());
});

test("waits for an unavailable service once the run was seen, and fails before", async () => {
  const { read } = polls(runningRun(), away, away, completedRun());
  expect(await waitForRun(read, {}, fakeRuntime())).toEqual(completedRun());
  await expect(waitForRun(polls(away).read, {}, fakeRuntime())).rejects.toBe(away);
});

test("rejects at once with a permanent error", async () => {
  const gone = new ProcedoError("unauthorized", "The key was deleted.");
  await expect(waitForRun(polls(runningRun(), gone).read, {}, fakeRuntime())).rejects.toBe(gone);
});

test("an abort ends the wait between two polls", async () => {
  const controller = new AbortController();
  const { read, count } = polls(runningRun());
  const runtime = fakeRuntime();
  const reason = new Error("enough");
  const abortSecond: typeof runtime.sleep = async (ms, signal) => {
    if (runtime.slept.length === 1) controller.abort(reason);
    await runtime.sleep(ms, signal);
  };
  const wait = waitForRun(read, { signal: controller.signal }, { ...runtime, sleep: abortSecond });
  await expect(wait).rejects.toBe(reason);
  expect(count()).toBe(2);
});
