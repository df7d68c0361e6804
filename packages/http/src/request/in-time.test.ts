import { expect, test } from "vitest";
import { manualClock, type ManualClock } from "@procedo-testing/faults";
import { createDeadlines } from "./deadlines.ts";
import { InTime } from "./in-time.ts";

const createInTime = (clock: ManualClock) => new InTime(clock, createDeadlines(clock));

const never = new Promise<never>(() => {});

test("gives up work without an answer half a second before 5 s have passed", async () => {
  const clock = manualClock();
  const waiting = expect(createInTime(clock).wait(never)).rejects.toMatchObject({ code: "storage_unavailable" });
  await clock.advance(4_500);
  await waiting;
});

test("shares the time limit between the parts of one request", async () => {
  const clock = manualClock();
  const inTime = createInTime(clock);
  const first = inTime.wait(new Promise<void>((resolve) => void clock.after(4_000, resolve)));
  await clock.advance(4_000);
  await first;
  const second = expect(inTime.wait(never)).rejects.toMatchObject({ code: "storage_unavailable" });
  await clock.advance(500);
  await second;
});

test("lets a request that waits for its run use the caller's own timeout", async () => {
  const clock = manualClock();
  const inTime = createInTime(clock);
  const work = inTime.wait(new Promise<string>((resolve) => void clock.after(60_000, () => resolve("ended"))));
  inTime.hold();
  await clock.advance(60_000);
  expect(await work).toBe("ended");
});

test("passes on a value or an error that arrives in time", async () => {
  const inTime = createInTime(manualClock());
  expect(await inTime.wait(Promise.resolve(1))).toBe(1);
  await expect(inTime.wait(Promise.reject(new Error("No.")))).rejects.toThrow("No.");
});

test("pauses the time limit during a wait for an external service, and resumes it afterwards", async () => {
  const clock = manualClock();
  const inTime = createInTime(clock);
  // The work may announce an external wait before its caller starts to wait.
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

test("pauses the time limit until the last of several external waits is over", async () => {
  const clock = manualClock();
  const inTime = createInTime(clock);
  const work = inTime.wait(new Promise<string>((resolve) => void clock.after(60_000, () => resolve("read"))));
  inTime.outside(true);
  inTime.outside(true);
  inTime.outside(false);
  await clock.advance(60_000);
  expect(await work).toBe("read");
});

test("lets a request that waits for its run keep waiting after an external wait", async () => {
  const clock = manualClock();
  const inTime = createInTime(clock);
  const work = inTime.wait(new Promise<string>((resolve) => void clock.after(60_000, () => resolve("ended"))));
  inTime.hold();
  inTime.outside(true);
  inTime.outside(false);
  await clock.advance(60_000);
  expect(await work).toBe("ended");
});

test("ends the wait of an ended request, even one with the caller's own timeout", async () => {
  const inTime = createInTime(manualClock());
  const waiting = inTime.wait(never);
  inTime.hold();
  inTime.end(new Error("No more."));
  await expect(waiting).rejects.toThrow("No more.");
  inTime.end(new Error("Once is enough."));
});
