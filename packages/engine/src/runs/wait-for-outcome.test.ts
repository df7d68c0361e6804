import { createSlices } from "../journal/slices.ts";
import { ProcedoError } from "@procedo/contract";
import type { JournalRow, RunRow } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import type { Clock } from "../ports/clock.ts";
import { waitForOutcome } from "./wait-for-outcome.ts";
import { createWaiters } from "./waiters.ts";

const scope = { workspace: "w", environment: "sandbox" } as const;
const running: RunRow = {
  scope,
  runId: "run_1",
  procedureId: "p",
  procedureVersion: "v1",
  status: "running",
  startedBy: "ann",
  createdAtMs: 1,
  endedAtMs: undefined,
  error: undefined,
};
const failed: RunRow = { ...running, status: "failed", endedAtMs: 7, error: "no" };

/** A wait whose timers and storage a test moves by hand. */
function waiting(
  options: {
    readonly waitThroughReviews?: boolean;
    readonly signal?: AbortSignal;
    readonly timeoutMs?: number;
    /** @defaultValue running, and the waiter knows it */
    readonly unknownRow?: RunRow | Error | "none";
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
  const { unknownRow } = options;
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
  const rest = waitForOutcome(
    {
      storage: { runs: runs as never, retention: { stub: async () => undefined } as never },
      clock,
      slices: createSlices(clock),
      waiters,
    },
    {
      scope,
      runId: "run_1",
      timeoutMs,
      waitThroughReviews,
      signal,
      ...(unknownRow === undefined ? {} : { whenMissing: () => new ProcedoError("run_not_found", "none") }),
    },
  );
  let settled = false;
  rest.then(
    () => (settled = true),
    () => (settled = true),
  );
  return {
    rest,
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

describe("waiting for a run to rest", () => {
  test("hears of it in this process without asking storage", async () => {
    const wait = waiting();
    wait.waiters.rested("run_1", { status: "completed", result: { status: "completed", output: { o: 1 } }, atMs: 5 });
    expect(await wait.rest).toMatchObject({ status: "completed", result: { output: { o: 1 } } });
    expect(wait.reads()).toBe(0);
    expect(wait.timers.size).toBe(0);
  });

  test("reads when something may have changed, and waits on when nothing that counts has", async () => {
    const wait = waiting();
    wait.waiters.changed("run_1");
    expect(await wait.settled()).toBe(false);
    wait.waiters.changed("run_2");
    expect(wait.reads()).toBe(1);
    wait.become(failed);
    wait.waiters.allChanged();
    expect(await wait.rest).toEqual({ status: "failed", result: { status: "failed", error: "no" }, atMs: 7 });
  });

  test("reads now and then in case that nothing told of the change", async () => {
    const wait = waiting();
    await wait.fire(1_000);
    wait.become(failed);
    expect(await wait.settled()).toBe(false);
    await wait.fire(1_000);
    expect(await wait.rest).toMatchObject({ status: "failed" });
    expect(wait.reads()).toBe(2);
  });

  test("a review is a rest, unless it is waited through", async () => {
    const wait = waiting();
    wait.waiters.rested("run_1", { status: "awaiting_review" });
    expect(await wait.rest).toEqual({ status: "awaiting_review" });

    const through = waiting({ waitThroughReviews: true });
    through.waiters.rested("run_1", { status: "awaiting_review" });
    expect(await through.settled()).toBe(false);
    through.become({ ...running, status: "awaiting_review" });
    await through.fire(1_000);
    expect(await through.settled()).toBe(false);
    through.waiters.rested("run_1", { status: "failed", result: { status: "failed", error: "no" }, atMs: 5 });
    expect(await through.rest).toMatchObject({ status: "failed" });
  });

  test("ends at its time with nothing, and leaves nothing behind", async () => {
    const wait = waiting({ timeoutMs: 5_000 });
    await wait.fire(5_000);
    expect(await wait.rest).toBeUndefined();
    expect(wait.timers.size).toBe(0);
    wait.waiters.changed("run_1");
    expect(wait.reads()).toBe(0);
  });

  test("ends with its signal, also one that had ended before, and leaves nothing behind", async () => {
    const abort = new AbortController();
    const wait = waiting({ signal: abort.signal });
    abort.abort();
    expect(await wait.rest).toBeUndefined();
    expect(wait.timers.size).toBe(0);
    const late = waiting({ signal: abort.signal });
    expect(await late.rest).toBeUndefined();
    expect(late.timers.size).toBe(0);
    late.waiters.changed("run_1");
    expect(late.reads()).toBe(0);
  });

  test("an outage of storage is waited out, any other failure is told", async () => {
    const wait = waiting();
    wait.become(new ProcedoError("storage_unavailable", "gone"));
    await wait.fire(1_000);
    expect(await wait.settled()).toBe(false);
    wait.become(failed);
    await wait.fire(1_000);
    expect(await wait.rest).toMatchObject({ status: "failed" });

    const broken = waiting();
    broken.become(new TypeError("bug"));
    const told = expect(broken.rest).rejects.toThrow("bug");
    await broken.fire(1_000);
    await told;
    expect(broken.timers.size).toBe(0);
  });
});

describe("waiting for a run of which nothing is known", () => {
  test("a run that rests already is answered without a timer", async () => {
    expect(await waiting({ unknownRow: failed }).rest).toMatchObject({ status: "failed" });
  });

  test("a rest between the listening and the reading is not missed", async () => {
    const { rest, waiters } = waiting({ unknownRow: running });
    waiters.rested("run_1", { status: "awaiting_review" });
    expect(await rest).toEqual({ status: "awaiting_review" });
  });

  test("what rests already is answered, and what does not exist is an error, also when there is no time to wait", async () => {
    const signal = AbortSignal.abort();
    expect(await waiting({ unknownRow: failed, signal }).rest).toMatchObject({ status: "failed" });
    await expect(waiting({ unknownRow: "none", signal }).rest).rejects.toMatchObject({ code: "run_not_found" });
    expect(await waiting({ unknownRow: running, signal }).rest).toBeUndefined();
  });

  test("a run that does not exist is an error, and so is a storage that does not answer the first time", async () => {
    await expect(waiting({ unknownRow: "none" }).rest).rejects.toMatchObject({ code: "run_not_found" });
    const unavailable = new ProcedoError("storage_unavailable", "away");
    await expect(waiting({ unknownRow: unavailable }).rest).rejects.toBe(unavailable);
  });
});

test("a completed run whose journal is gone is told as broken, not as one without a result", async () => {
  const completed: RunRow = { ...running, status: "completed", endedAtMs: 7 };
  const { rest } = waiting({ unknownRow: completed });
  await expect(rest).rejects.toMatchObject({ code: "journal_broken" });
});
