import { expect, test } from "vitest";
import { manualClock, type ManualClock } from "../../test/manual-clock.ts";
import { createDeadlines } from "./deadlines.ts";
import { InTime } from "./in-time.ts";

const createInTime = (clock: ManualClock) => new InTime(clock, createDeadlines(clock));

const never = new Promise<never>(() => {});

test("what never answers is given up half a second before 5 s have passed", async () => {
  const clock = manualClock();
  const waiting = expect(createInTime(clock).wait(never)).rejects.toMatchObject({ code: "storage_unavailable" });
  await clock.advance(4_500);
  await waiting;
});

test("the parts of one request share its time", async () => {
  const clock = manualClock();
  const inTime = createInTime(clock);
  const first = inTime.wait(new Promise<void>((resolve) => void clock.after(4_000, resolve)));
  await clock.advance(4_000);
  await first;
  const second = expect(inTime.wait(never)).rejects.toMatchObject({ code: "storage_unavailable" });
  await clock.advance(500);
  await second;
});

test("a request that waits for its run waits as long as it was asked to", async () => {
  const clock = manualClock();
  const inTime = createInTime(clock);
  const work = inTime.wait(new Promise<string>((resolve) => void clock.after(60_000, () => resolve("ended"))));
  inTime.hold();
  await clock.advance(60_000);
  expect(await work).toBe("ended");
});

test("what is answered in time passes, whether it is a value or an error", async () => {
  const inTime = createInTime(manualClock());
  expect(await inTime.wait(Promise.resolve(1))).toBe(1);
  await expect(inTime.wait(Promise.reject(new Error("No.")))).rejects.toThrow("No.");
});

test("time stands still while something outside is waited for, and goes on afterwards", async () => {
  const clock = manualClock();
  const inTime = createInTime(clock);
  // Whoever does the work may say so before anybody waits for it.
  inTime.outside(true);
  const waiting = expect(inTime.wait(never)).rejects.toMatchObject({ code: "storage_unavailable" });
  await clock.advance(60_000);
  inTime.outside(false);
  await clock.advance(2_000);
  inTime.outside(true);
  await clock.advance(60_000);
  inTime.outside(false);
  await clock.advance(2_500);
  await waiting;
});

test("time stands still until the last of several things outside is over", async () => {
  const clock = manualClock();
  const inTime = createInTime(clock);
  const work = inTime.wait(new Promise<string>((resolve) => void clock.after(60_000, () => resolve("read"))));
  inTime.outside(true);
  inTime.outside(true);
  inTime.outside(false);
  await clock.advance(60_000);
  expect(await work).toBe("read");
});

test("a request that waits for its run goes on waiting after something outside is over", async () => {
  const clock = manualClock();
  const inTime = createInTime(clock);
  const work = inTime.wait(new Promise<string>((resolve) => void clock.after(60_000, () => resolve("ended"))));
  inTime.hold();
  inTime.outside(true);
  inTime.outside(false);
  await clock.advance(60_000);
  expect(await work).toBe("ended");
});

test("a request that is ended is not waited for, also when it waits as long as it was asked to", async () => {
  const inTime = createInTime(manualClock());
  const waiting = inTime.wait(never);
  inTime.hold();
  inTime.end(new Error("No more."));
  await expect(waiting).rejects.toThrow("No more.");
  inTime.end(new Error("Once is enough."));
});
