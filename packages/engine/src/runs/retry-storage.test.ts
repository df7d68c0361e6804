import { ProcedoError } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { silentLog } from "../ports/log.ts";
import { retryUntilStored } from "./retry-storage.ts";

const unavailable = new ProcedoError("storage_unavailable", "gone");

/** A clock that records its waits and ends them at once. */
function impatient(): { readonly waits: number[]; readonly ports: Parameters<typeof retryUntilStored>[0] } {
  const waits: number[] = [];
  const after = (delayMs: number, callback: () => void): (() => void) => {
    waits.push(delayMs);
    setImmediate(callback);
    return () => {};
  };
  return { waits, ports: { log: silentLog, clock: { now: () => 0, monotonic: () => 0, after, soon: setImmediate } } };
}

function failing(
  times: number,
  error: unknown,
): { readonly calls: () => number; readonly operation: () => Promise<string> } {
  let calls = 0;
  return {
    calls: () => calls,
    operation: async () => {
      calls += 1;
      if (calls <= times) throw error;
      return "stored";
    },
  };
}

describe("retrying until storage answers", () => {
  test("waits longer each time, and never longer than 5 s", async () => {
    const { waits, ports } = impatient();
    const { operation } = failing(10, unavailable);
    expect(await retryUntilStored(ports, new AbortController().signal, operation)).toBe("stored");
    expect(waits).toEqual([50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  });

  test.each([
    new TypeError("a mistake of ours"),
    new ProcedoError("journal_corrupted", "no"),
    new ProcedoError("internal", "no"),
  ])("does not repeat an operation after a permanent error: %s", async (error) => {
    const { waits, ports } = impatient();
    const { calls, operation } = failing(1, error);
    await expect(retryUntilStored(ports, new AbortController().signal, operation)).rejects.toBe(error);
    expect([calls(), waits]).toEqual([1, []]);
  });

  test("returns undefined when the worker has stopped, after one last try", async () => {
    const { ports } = impatient();
    const stopped = new AbortController();
    stopped.abort();
    const { calls, operation } = failing(9, unavailable);
    expect(await retryUntilStored(ports, stopped.signal, operation)).toBeUndefined();
    expect(calls()).toBe(1);
  });
});
