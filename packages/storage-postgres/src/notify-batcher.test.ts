import type { Change } from "@procedo/storage";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createNotifyBatcher } from "./notify-batcher.ts";

const claimable: Change = { type: "claimable" };
const defaultChanged: Change = { type: "default_changed", environment: "live" };
const settled = (runId: string): Change => ({
  type: "settled",
  runId,
  scope: { workspace: "acme", environment: "live" },
});

/** A batcher whose notifications stay in flight until the test completes them. */
function open() {
  const sent: (readonly Change[])[] = [];
  const ends: (() => void)[] = [];
  const batcher = createNotifyBatcher((changes) => {
    sent.push(changes);
    return new Promise((resolve) => void ends.push(resolve));
  });
  const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
  const arrive = async (): Promise<void> => {
    ends.shift()?.();
    await pass(0);
  };
  return { ...batcher, sent, pass, arrive };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("notifications to other nodes", () => {
  it("announce all changes of 5 ms together", async () => {
    const { add, sent, pass } = open();
    add([claimable]);
    await pass(4);
    add([]);
    add([defaultChanged, settled("run-1")]);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual([[claimable, defaultChanged, settled("run-1")]]);
  });

  it("are sent one at a time, 5 ms apart", async () => {
    const { add, sent, pass, arrive } = open();
    add([claimable]);
    await pass(5);
    add([settled("run-1")]);
    await pass(1_000);
    expect(sent).toEqual([[claimable]]);
    await arrive();
    await pass(4);
    expect(sent).toHaveLength(1);
    await pass(1);
    expect(sent.slice(1)).toEqual([[settled("run-1")]]);
  });

  it("are not sent without a change", async () => {
    const { add, sent, pass, arrive } = open();
    add([]);
    await pass(100);
    add([claimable]);
    await pass(5);
    await arrive();
    await pass(100);
    expect(sent).toEqual([[claimable]]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("closing the notifications", () => {
  it("sends the collected changes immediately, and no later ones", async () => {
    const { add, close, sent, pass, arrive } = open();
    add([claimable]);
    const closing = close();
    add([settled("run-1")]);
    await pass(0);
    expect(sent).toEqual([[claimable]]);
    await arrive();
    await closing;
    await pass(100);
    expect(sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("waits for the notification in flight, then sends the changes collected since", async () => {
    const { add, close, sent, pass, arrive } = open();
    let isClosed = false;
    add([claimable]);
    await pass(5);
    add([defaultChanged]);
    const closing = close().then(() => void (isClosed = true));
    await pass(100);
    expect(sent).toHaveLength(1);
    await arrive();
    expect(sent).toEqual([[claimable], [defaultChanged]]);
    expect(isClosed).toBe(false);
    await arrive();
    await closing;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("resolves immediately without collected changes, also on a second call", async () => {
    const { close, sent } = open();
    await Promise.all([close(), close()]);
    await close();
    expect(sent).toEqual([]);
  });
});
