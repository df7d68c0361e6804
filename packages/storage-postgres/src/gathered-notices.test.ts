import type { Change } from "@procedo/storage";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gatherNotices } from "./gathered-notices.ts";

const claimable: Change = { type: "claimable" };
const defaultChanged: Change = { type: "default_changed", environment: "live" };
const settled = (runId: string): Change => ({ type: "settled", runId });

/** Notices that are on their way until they are told to arrive. */
function held() {
  const sent: (readonly Change[])[] = [];
  const ends: (() => void)[] = [];
  const gathered = gatherNotices((changes) => {
    sent.push(changes);
    return new Promise((resolve) => void ends.push(resolve));
  });
  return {
    ...gathered,
    sent,
    /** What was added has come to be sent by then, if it is at once. */
    turn: () => vi.advanceTimersByTimeAsync(0),
    async arriveAfter(ms: number): Promise<void> {
      await vi.advanceTimersByTimeAsync(ms);
      ends.shift()?.();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("notices", () => {
  it("go at once where nobody waits, with all that is announced in the same turn", async () => {
    const { add, sent, turn } = held();
    add([claimable]);
    add([]);
    add([defaultChanged]);
    await turn();
    expect(sent).toEqual([[claimable, defaultChanged]]);
  });

  it("of what came to rest wait for 3 ms after the first of it", async () => {
    const { add, sent } = held();
    add([settled("run-1")]);
    await vi.advanceTimersByTimeAsync(2);
    add([settled("run-2")]);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([[settled("run-1"), settled("run-2")]]);
  });

  it("of what came to rest go along early with what cannot wait, and once", async () => {
    const { add, sent, turn, arriveAfter } = held();
    add([settled("run-1")]);
    add([claimable]);
    await turn();
    expect(sent).toEqual([[settled("run-1"), claimable]]);
    await arriveAfter(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toHaveLength(1);
  });

  it.each([
    [2, 8],
    [6, 24],
    [7, 25],
    [1_000, 25],
  ])("that took %i ms are followed by none for %i ms", async (tookMs, restMs) => {
    const { add, sent, arriveAfter } = held();
    add([claimable]);
    await arriveAfter(tookMs);
    add([defaultChanged]);
    await vi.advanceTimersByTimeAsync(restMs - 1);
    add([settled("run-1")]);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent.slice(1)).toEqual([[defaultChanged, settled("run-1")]]);
  });

  it("of what came to rest wait for the rest after the last one, too", async () => {
    const { add, sent, arriveAfter } = held();
    add([claimable]);
    await arriveAfter(5);
    add([settled("run-1")]);
    await vi.advanceTimersByTimeAsync(19);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent.slice(1)).toEqual([[settled("run-1")]]);
  });

  it("take along after the rest what was announced while one was on its way", async () => {
    const { add, sent, turn, arriveAfter } = held();
    add([claimable]);
    await turn();
    add([settled("run-1")]);
    add([defaultChanged]);
    await arriveAfter(2);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(8);
    expect(sent.slice(1)).toEqual([[settled("run-1"), defaultChanged]]);
  });
});

describe("notices that are closed", () => {
  it("tell what rested, and no more", async () => {
    const { add, close, sent, arriveAfter } = held();
    add([claimable]);
    await arriveAfter(5);
    add([defaultChanged]);
    const closing = close();
    add([settled("run-1")]);
    await arriveAfter(0);
    await closing;
    expect(sent).toEqual([[claimable], [defaultChanged]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("tell what was announced in the same turn", async () => {
    const { add, close, sent, arriveAfter } = held();
    add([claimable]);
    const closing = close();
    await arriveAfter(0);
    await closing;
    expect(sent).toEqual([[claimable]]);
  });

  it("wait for the one that is on its way, then tell what came meanwhile, and set no timer", async () => {
    const { add, close, sent, turn, arriveAfter } = held();
    let isClosed = false;
    add([claimable]);
    await turn();
    add([defaultChanged]);
    const closing = close().then(() => void (isClosed = true));
    await turn();
    expect(sent).toHaveLength(1);
    await arriveAfter(5);
    expect(sent).toEqual([[claimable], [defaultChanged]]);
    expect(vi.getTimerCount()).toBe(0);
    expect(isClosed).toBe(false);
    await arriveAfter(0);
    await closing;
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toHaveLength(2);
  });

  it("resolve at once where nothing waits, also twice", async () => {
    const { close, sent } = held();
    await Promise.all([close(), close()]);
    await close();
    expect(sent).toEqual([]);
  });
});
