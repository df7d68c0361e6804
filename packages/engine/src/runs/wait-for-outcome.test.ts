import { createSlices } from "../journal/slices.ts";
import { ProcedoError } from "@procedo/contract";
import type { JournalRow, RunRow } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import type { Clock } from "../ports/clock.ts";
import { waitForOutcome } from "./wait-for-outcome.ts";
import { createWaiters } from "./waiters.ts";

const scope = { workspace: "w", environment: "sandbox" } as const;
const runId = "run_1";
const running: RunRow = {
  scope,
  runId,
  procedureId: "p",
  procedureVersion: "v1",
  status: "running",
  startedBy: "ann",
  reference: undefined,
  trigger: undefined,
  createdAtMs: 1,
  endedAtMs: undefined,
  error: undefined,
};
const failed: RunRow = { ...running, status: "failed", endedAtMs: 7, error: "no" };

/** A wait with timers and a storage that the test controls. */
function waiting(
  options: {
    readonly waitThroughReviews?: boolean;
    readonly signal?: AbortSignal;
    readonly timeoutMs?: number;
    /** @defaultValue running, as the waiter knows */
    readonly unknownRow?: RunRow | Error | "none";
    readonly starting?: Promise<boolean>;
  } = {},
) {
  const timers = new Map<object, { readonly delayMs: number; readonly callback: () => void }>();
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    after: (delayMs, callback) => {
      const key = {};
      timers.set(key, { delayMs, callback });
      return () => void timers.delete(key);
    },
    soon: (callback) => callback(),
  };
  const { unknownRow, starting } = options;
  let row: RunRow | Error | "none" = unknownRow ?? running;
  let reads = 0;
  const waiters = createWaiters();
  const runs = {
    get: async () => {
      reads += 1;
      if (row instanceof Error) throw row;
      return row === "none" ? undefined : row;
    },
    journal: async (): Promise<readonly JournalRow[]> => [],
    output: async () => undefined,
  };
  const { waitThroughReviews = false, signal, timeoutMs = 60_000 } = options;
  const outcome = waitForOutcome(
    {
      storage: { runs: runs as never, retention: { stub: async () => undefined } as never },
      clock,
      slices: createSlices(clock),
      waiters,
    },
    {
      scope,
      runId,
      timeoutMs,
      waitThroughReviews,
      signal,
      ...(starting === undefined ? {} : { starting }),
      ...(unknownRow === undefined ? {} : { whenMissing: () => new ProcedoError("run_not_found", "none") }),
    },
  );
  let settled = false;
  outcome.then(
    () => (settled = true),
    () => (settled = true),
  );
  return {
    outcome,
    waiters,
    timers,
    reads: () => reads,
    settled: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return settled;
    },
    fire: async (delayMs: number) => {
      for (const [key, timer] of [...timers]) {
        if (timer.delayMs !== delayMs) continue;
        timers.delete(key);
        timer.callback();
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
    become: (next: RunRow | Error) => {
      row = next;
    },
  };
}

describe("waiting for the outcome of a run", () => {
  test("an outcome of this process is answered without a read of storage", async () => {
    const wait = waiting();
    wait.waiters.settled({ runId, status: "completed", output: { o: 1 }, completedAtMs: 5 });
    expect(await wait.outcome).toMatchObject({ status: "completed", output: { o: 1 } });
    expect(wait.reads()).toBe(0);
    expect(wait.timers.size).toBe(0);
  });

  test("a change is read, and the wait continues if it is no outcome", async () => {
    const wait = waiting();
    wait.waiters.changed("run_1");
    expect(await wait.settled()).toBe(false);
    wait.waiters.changed("run_2");
    expect(wait.reads()).toBe(1);
    wait.become(failed);
    wait.waiters.allChanged();
    expect(await wait.outcome).toEqual({ runId, status: "failed", error: "no", completedAtMs: 7 });
  });

  test("storage is read every second, in case a change was not announced", async () => {
    const wait = waiting();
    await wait.fire(1_000);
    wait.become(failed);
    expect(await wait.settled()).toBe(false);
    await wait.fire(1_000);
    expect(await wait.outcome).toMatchObject({ status: "failed" });
    expect(wait.reads()).toBe(2);
  });

  test("a review is an outcome, unless the wait continues through reviews", async () => {
    const wait = waiting();
    wait.waiters.settled({ runId, status: "awaiting_review" });
    expect(await wait.outcome).toEqual({ runId, status: "awaiting_review" });

    const through = waiting({ waitThroughReviews: true });
    through.waiters.settled({ runId, status: "awaiting_review" });
    expect(await through.settled()).toBe(false);
    through.become({ ...running, status: "awaiting_review" });
    await through.fire(1_000);
    expect(await through.settled()).toBe(false);
    through.waiters.settled({ runId, status: "failed", error: "no", completedAtMs: 5 });
    expect(await through.outcome).toMatchObject({ status: "failed" });
  });

  test("the wait ends at its time, and leaves neither timer nor listener", async () => {
    const wait = waiting({ timeoutMs: 5_000 });
    await wait.fire(5_000);
    expect(await wait.outcome).toEqual({ runId, status: "timeout" });
    expect(wait.timers.size).toBe(0);
    wait.waiters.changed("run_1");
    expect(wait.reads()).toBe(0);
  });

  test("the wait ends with its signal, even one aborted before, and leaves neither timer nor listener", async () => {
    const abort = new AbortController();
    const wait = waiting({ signal: abort.signal });
    abort.abort();
    expect(await wait.outcome).toEqual({ runId, status: "timeout" });
    expect(wait.timers.size).toBe(0);
    const late = waiting({ signal: abort.signal });
    expect(await late.outcome).toEqual({ runId, status: "timeout" });
    expect(late.timers.size).toBe(0);
    late.waiters.changed("run_1");
    expect(late.reads()).toBe(0);
  });

  test("the wait outlasts an outage of storage; any other error rejects it", async () => {
    const wait = waiting();
    wait.become(new ProcedoError("storage_unavailable", "gone"));
    await wait.fire(1_000);
    expect(await wait.settled()).toBe(false);
    wait.become(failed);
    await wait.fire(1_000);
    expect(await wait.outcome).toMatchObject({ status: "failed" });

    const broken = waiting();
    broken.become(new TypeError("bug"));
    const reported = expect(broken.outcome).rejects.toThrow("bug");
    await broken.fire(1_000);
    await reported;
    expect(broken.timers.size).toBe(0);
  });
});

describe("waiting for a run that is being started", () => {
  test("an outcome that precedes the answer to the start is not missed", async () => {
    const wait = waiting({ starting: new Promise(() => {}) });
    wait.waiters.settled({ runId, status: "awaiting_review" });
    expect(await wait.outcome).toEqual({ runId, status: "awaiting_review" });
  });

  test("the time counts from when the run is durable", async () => {
    const start = Promise.withResolvers<boolean>();
    const wait = waiting({ starting: start.promise, timeoutMs: 5_000 });
    expect(wait.timers.size).toBe(0);
    start.resolve(true);
    expect(await wait.settled()).toBe(false);
    await wait.fire(5_000);
    expect(await wait.outcome).toEqual({ runId, status: "timeout" });
  });

  test("a run that was not started is not waited for", async () => {
    const wait = waiting({ starting: Promise.resolve(false) });
    expect(await wait.outcome).toEqual({ runId, status: "timeout" });
    wait.waiters.changed(runId);
    expect([wait.timers.size, wait.reads()]).toEqual([0, 0]);
  });
});

describe("waiting for an unknown run", () => {
  test("a run that has ended is answered without a timer", async () => {
    expect(await waiting({ unknownRow: failed }).outcome).toMatchObject({ status: "failed" });
  });

  test("an outcome between the first listening and the first read is not missed", async () => {
    const { outcome, waiters } = waiting({ unknownRow: running });
    waiters.settled({ runId, status: "awaiting_review" });
    expect(await outcome).toEqual({ runId, status: "awaiting_review" });
  });

  test("an ended run is returned and a missing run is an error, even with a timeout of zero", async () => {
    const signal = AbortSignal.abort();
    expect(await waiting({ unknownRow: failed, signal }).outcome).toMatchObject({ status: "failed" });
    await expect(waiting({ unknownRow: "none", signal }).outcome).rejects.toMatchObject({ code: "run_not_found" });
    expect(await waiting({ unknownRow: running, signal }).outcome).toEqual({ runId, status: "timeout" });
  });

  test("a missing run is an error, and so is a storage that does not answer the first read", async () => {
    await expect(waiting({ unknownRow: "none" }).outcome).rejects.toMatchObject({ code: "run_not_found" });
    const unavailable = new ProcedoError("storage_unavailable", "away");
    await expect(waiting({ unknownRow: unavailable }).outcome).rejects.toBe(unavailable);
  });
});

test("a completed run without a journal is reported as broken, not as a run without output", async () => {
  const completed: RunRow = { ...running, status: "completed", endedAtMs: 7 };
  const { outcome } = waiting({ unknownRow: completed });
  await expect(outcome).rejects.toMatchObject({ code: "journal_corrupted" });
});
