import { manualClock } from "@procedo-testing/faults";
import { describe, expect, test } from "vitest";
import { createNotice, type Notice } from "../ports/notice.ts";
import { createCallLimiter, type CallPlace } from "./call-limiter.ts";

const never = createNotice();

const capacity = 1_000;
/** Calls of one connection that may wait here. */
const mostWaiting = 100;

function taking(limits: { concurrent?: number; perMinute?: number }) {
  const clock = manualClock();
  const limiter = createCallLimiter(clock, capacity);
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

  test("get later turns, one after another, when too many of their connection wait", () => {
    const { limiter, take, leave } = taking({ perMinute: 60 });
    for (let n = 0; n < 60; n++) take(`made ${n}`);
    const turn = (connectionId = "con_1") => limiter.laterTurn(connectionId, { perMinute: 60 });
    for (let n = 0; n < mostWaiting; n++) {
      expect(turn()).toBeUndefined();
      take(`waits ${n}`);
    }
    expect([turn(), turn(), turn()]).toEqual([101_000, 102_000, 103_000]);
    expect(turn("con_2")).toBeUndefined();
    leave("made 0");
  });

  test("get later turns when those of all connections hold half of the worker's places", async () => {
    const { clock, limiter } = taking({});
    const limits = { concurrent: 1 };
    const giveUp = createNotice();
    for (let n = 0; n < capacity / 2 + 5; n++) void limiter.take(`con_${n % 5}`, limits, giveUp);
    expect(limiter.tryTake("con_5", limits)).toBeDefined();
    expect(limiter.laterTurn("con_5", limits)).toBe(1_000);
    giveUp.give();
    await clock.settle();
    expect(limiter.laterTurn("con_5", limits)).toBeUndefined();
  });

  test("get a turn after those that wait, also when earlier turns have passed", async () => {
    const { clock, limiter, take, leave } = taking({ concurrent: 4 });
    const turn = () => limiter.laterTurn("con_1", { concurrent: 4 });
    for (let n = 0; n < 4 + mostWaiting; n++) take(`call ${n}`);
    expect(turn()).toBe(25_250);
    await clock.advance(60_000);
    expect(turn()).toBe(25_250);
    leave("call 0");
    await clock.settle();
    expect(turn()).toBeUndefined();
  });

  test("get no turn after those of runs that are gone, once no call waits", async () => {
    const { clock, limiter, take, leave } = taking({ concurrent: 1 });
    const turn = () => limiter.laterTurn("con_1", { concurrent: 1 });
    const wait = (name: string) => {
      for (let n = 0; n <= mostWaiting; n++) take(`${name} ${n}`);
    };
    wait("first");
    for (let n = 0; n < 1_000; n++) turn();
    await clock.settle();
    for (let n = 0; n <= mostWaiting; n++) {
      leave(`first ${n}`);
      await clock.settle();
    }
    wait("second");
    expect(turn()).toBe(101_000);
  });
});
