import { manualClock } from "@procedo-testing/faults";
import { describe, expect, test } from "vitest";
import { EventStream, heartbeatMs, longestMs, untakenLength, untakenMs } from "./event-stream.ts";

function opened(signal = new AbortController()) {
  const clock = manualClock();
  let write: (text: string) => void = () => {};
  let stopped = 0;
  let ended = 0;
  const stream = new EventStream(
    clock,
    (writing) => {
      write = writing;
      return { first: "first", heartbeat: () => "beat", stop: () => (stopped += 1) };
    },
    signal.signal,
  );
  stream.whenEnded(() => (ended += 1));
  return { clock, stream, signal, write: (text: string) => write(text), counts: () => [stopped, ended] };
}

const done = { done: true, value: undefined };

test("text is read as it comes, and what has come together is one piece", async () => {
  const { stream, write } = opened();
  write("a");
  write("b");
  expect(await stream.next()).toEqual({ value: "firstab" });
  const next = stream.next();
  write("c");
  expect(await next).toEqual({ value: "c" });
});

test("a heartbeat is sent every 15 s", async () => {
  const { clock, stream } = opened();
  await stream.next();
  for (let beat = 0; beat < 3; beat++) {
    const next = stream.next();
    await clock.advance(heartbeatMs);
    expect(await next).toEqual({ value: "beat" });
  }
});

describe("the stream ends once, and releases its source and its timers,", () => {
  test.each<[string, (opened_: ReturnType<typeof opened>) => unknown]>([
    ["with its signal", ({ signal }) => signal.abort()],
    ["when the reader leaves", ({ stream }) => stream.return()],
    [
      "after an hour",
      async ({ clock, stream }) => {
        for (let beats = 0; beats * heartbeatMs < longestMs; beats++) {
          const next = stream.next();
          await clock.advance(heartbeatMs);
          await next;
        }
      },
    ],
  ])("%s", async (_when, end) => {
    const open = opened();
    await open.stream.next();
    const pending = open.stream.next();
    const ending = end(open);
    if (open.counts()[0] === 1) expect(await pending).toEqual(done);
    await ending;
    expect(await open.stream.next()).toEqual(done);
    open.signal.abort();
    await open.stream.return();
    open.write("late");
    await open.clock.advance(2 * longestMs);
    expect(open.counts()).toEqual([1, 1]);
    expect(open.stream.cut.aborted).toBe(false);
  });

  test("at once, with a signal that has fired", async () => {
    const signal = new AbortController();
    signal.abort();
    const { stream, counts } = opened(signal);
    expect(await stream.next()).toEqual(done);
    expect(counts()).toEqual([1, 1]);
  });
});

describe("a reader is dropped, and its connection closed,", () => {
  test("that takes nothing for 30 s, but not one that takes something", async () => {
    const slow = opened();
    await slow.clock.advance(untakenMs - 1);
    expect(await slow.stream.next()).toEqual({ value: "firstbeat" });
    slow.write("a");
    await slow.clock.advance(untakenMs - 1);
    expect(slow.stream.cut.aborted).toBe(false);
    await slow.clock.advance(1);
    expect(slow.stream.cut.aborted).toBe(true);
    expect(slow.counts()).toEqual([1, 1]);
    expect(await slow.stream.next()).toEqual(done);
  });

  test("that is 256 KiB behind", () => {
    const { stream, write, counts } = opened();
    const text = "x".repeat(1_024);
    for (let kib = 0; kib < untakenLength / 1_024 - 1; kib++) write(text);
    expect(stream.cut.aborted).toBe(false);
    write(text);
    expect(stream.cut.aborted).toBe(true);
    expect(counts()).toEqual([1, 1]);
  });
});
