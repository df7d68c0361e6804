import { manualClock } from "@procedo-testing/faults";
import { describe, expect, test } from "vitest";
import { createNotice, type Notice } from "../ports/notice.ts";
import { createCallLimiter, type CallPlace } from "./call-limiter.ts";

const never = createNotice();

function taking(limits: { concurrent?: number; perMinute?: number }) {
  const clock = manualClock();
  const limiter = createCallLimiter(clock);
  const entered: string[] = [];
  const places = new Map<string, CallPlace>();
  const take = (name: string, drains: Notice = never): void => {
    void limiter.take("con_1", limits, drains).then((place) => {
      entered.push(place === undefined ? `${name} gave up` : name);
      if (place !== undefined) places.set(name, place);
    });
  };
  return { clock, limiter, entered, take, leave: (name: string) => places.get(name)?.leave() };
}

describe("calls of a connection", () => {
  test("wait while as many as its limit are under way, and follow in their order", async () => {
    const { clock, entered, take, leave } = taking({ concurrent: 2 });
    for (const name of ["a", "b", "c", "d"]) take(name);
    await clock.settle();
    expect(entered).toEqual(["a", "b"]);
    leave("b");
    leave("b");
    await clock.settle();
    expect(entered).toEqual(["a", "b", "c"]);
    leave("a");
    await clock.settle();
    expect(entered).toEqual(["a", "b", "c", "d"]);
  });

  test("wait until the oldest one of the minute is a minute old", async () => {
    const { clock, entered, take, leave } = taking({ perMinute: 2 });
    take("a");
    await clock.advance(20_000);
    take("b");
    take("c");
    leave("a");
    await clock.advance(39_999);
    expect(entered).toEqual(["a", "b"]);
    await clock.advance(1);
    expect(entered).toEqual(["a", "b", "c"]);
  });

  test("of a worker that drains no longer wait, and hold up no other", async () => {
    const { clock, entered, take, leave } = taking({ concurrent: 1 });
    const drains = createNotice();
    take("a");
    take("b", drains);
    take("c");
    drains.give();
    await clock.settle();
    expect(entered).toEqual(["a", "b gave up"]);
    leave("a");
    await clock.settle();
    expect(entered).toEqual(["a", "b gave up", "c"]);
  });

  test("do not wait for those of another connection", async () => {
    const { clock, limiter, take } = taking({ concurrent: 1 });
    take("a");
    await clock.settle();
    expect(limiter.tryTake("con_1", { concurrent: 1 })).toBeUndefined();
    expect(limiter.tryTake("con_2", { concurrent: 1 })).toBeDefined();
  });
});
