import { expect, test } from "vitest";
import { createPrivateBench, declared } from "./private-bench.ts";

test("a poll is held for 25 seconds and then answered with nothing", async () => {
  const bench = await createPrivateBench();
  const client = await bench.connect();
  let answered: readonly unknown[] | undefined;
  void client.poll().then((invocations) => (answered = invocations));
  await bench.clock.advance(24_999);
  expect(answered).toBeUndefined();
  await bench.clock.advance(1);
  expect(answered).toEqual([]);
});

test("a held poll gets a new call at once, also from a run on another node", async () => {
  const bench = await createPrivateBench();
  const other = await bench.addEngine({ started: false });
  const client = await bench.connect(undefined, { engine: other });
  const poll = client.poll();
  await bench.call();
  expect(await poll).toHaveLength(1);
});

test("a call without an announcement is found by looking", async () => {
  const bench = await createPrivateBench();
  const deaf = await bench.addEngine({ started: false });
  deaf.way.deafen();
  const client = await bench.connect(undefined, { engine: deaf });
  const poll = client.poll();
  await bench.call();
  await bench.clock.advance(2_000);
  expect(await poll).toHaveLength(1);
});

test("storage that had no call is asked again after a second and a half at most, unless a call is announced", async () => {
  const bench = await createPrivateBench();
  const client = await bench.connect();
  const ask = async (): Promise<number> => {
    const stop = new AbortController();
    const poll = client.poll(1, stop.signal);
    await bench.clock.settle();
    stop.abort();
    await poll;
    return bench.engine.way.count("invocations.lease");
  };
  expect([await ask(), await ask(), await ask()]).toEqual([1, 1, 1]);
  await bench.clock.advance(1_500);
  expect([await ask(), await ask()]).toEqual([2, 2]);
});

test("a call that was queued while no poll was held goes to the next poll at once", async () => {
  const bench = await createPrivateBench();
  const client = await bench.connect();
  const stop = new AbortController();
  const poll = client.poll(1, stop.signal);
  await bench.clock.settle();
  stop.abort();
  await poll;
  await bench.call();
  let answered = 0;
  void client.poll(1).then((calls) => (answered = calls.length));
  await bench.clock.settle();
  expect(answered).toBe(1);
});

test("a failure of storage ends no poll", async () => {
  const bench = await createPrivateBench();
  const away = await bench.addEngine({ started: false });
  const client = await bench.connect(undefined, { engine: away });
  const poll = client.poll();
  await bench.clock.settle();
  away.way.cut();
  await bench.call();
  await bench.clock.advance(5_000);
  away.way.mend();
  await bench.clock.advance(2_000);
  expect(await poll).toHaveLength(1);
});

test("one call goes to one of many polls, the one that has waited longest, with one look at storage", async () => {
  const bench = await createPrivateBench();
  const client = await bench.connect();
  const polls = Array.from({ length: 50 }, () => client.poll(1));
  await bench.clock.settle();
  const before = bench.engine.way.count("invocations.lease");
  await bench.call();
  expect(await polls[0]).toHaveLength(1);
  expect(bench.engine.way.count("invocations.lease") - before).toBeLessThanOrEqual(2);
  await bench.clock.advance(25_000);
  expect((await Promise.all(polls)).flat()).toHaveLength(1);
});

test("a poll takes as many calls as it asks for, and other polls the rest; none is handed out twice", async () => {
  const bench = await createPrivateBench();
  const [one, two] = [await bench.connect(), await bench.connect()];
  for (let n = 0; n < 5; n++) await bench.call();
  const taken = [await one.poll(3), await two.poll(9)];
  expect(taken.map(({ length }) => length)).toEqual([3, 2]);
  expect(new Set(taken.flat().map(({ id }) => id)).size).toBe(5);
});

test("a call goes only to a client that serves the function", async () => {
  const bench = await createPrivateBench();
  const old = await bench.connect([declared("screen")]);
  const fresh = await bench.connect([declared("pay")]);
  const polls = [old.poll(), fresh.poll()];
  await bench.call("pay");
  expect(await polls[1]).toMatchObject([{ function: "pay" }]);
  await bench.clock.advance(25_000);
  expect(await polls[0]).toEqual([]);
});

test("a call on its way to a client that has left goes to the next poll", async () => {
  const bench = await createPrivateBench();
  const client = await bench.connect();
  await bench.call();
  const left = new AbortController();
  bench.engine.way.on("invocations.lease", async (work) => {
    const leased = await work();
    left.abort();
    return leased;
  });
  const gone = client.poll(1, left.signal);
  const next = client.poll(1);
  expect(await gone).toEqual([]);
  expect(await next).toHaveLength(1);
});

test("no token reaches another environment's or connection's calls", async () => {
  const bench = await createPrivateBench();
  const live = await bench.connect(undefined, { environment: "live" });
  const desk = await bench.engine.connections.create({
    name: "desk",
    integration: "private_connection",
    by: { person: "alice" },
  });
  const other = await bench.connect(undefined, { token: desk.tokens?.sandbox ?? "" });
  const client = await bench.connect();
  const polls = [live.poll(), other.poll()];
  await bench.call();
  const invocation = await client.take();
  for (const stranger of [live, other]) {
    expect(await stranger.beat(invocation)).toEqual([invocation.id]);
    await expect(stranger.answer(invocation, 1)).rejects.toMatchObject({ code: "stale_lease" });
  }
  await bench.clock.advance(25_000);
  expect(await Promise.all(polls)).toEqual([[], []]);
  expect(await client.beat(invocation)).toEqual([]);
});

test("polls end without a call when the engine stops, and later polls are refused", async () => {
  const bench = await createPrivateBench();
  const client = await bench.connect();
  const polls = [client.poll(), client.poll()];
  await bench.clock.settle();
  await bench.engine.stop();
  expect(await Promise.all(polls)).toEqual([[], []]);
  await expect(client.poll()).rejects.toMatchObject({ code: "shutting_down" });
});

test("more polls of one connection than 1000 are refused and may come again", async () => {
  const bench = await createPrivateBench();
  const client = await bench.connect();
  const polls = Array.from({ length: 1_000 }, () => client.poll());
  await bench.clock.settle();
  await expect(client.poll()).rejects.toMatchObject({ code: "overloaded", retryAfterMs: 5_000 });
  await bench.engine.stop();
  await Promise.all(polls);
});

test("that a client is here is written once in ten seconds, however often it polls", async () => {
  const bench = await createPrivateBench();
  const client = await bench.connect();
  const stop = new AbortController();
  for (let n = 0; n < 20; n++) {
    const poll = client.poll(1, stop.signal);
    await bench.clock.advance(1_000);
    poll.catch(() => {});
  }
  stop.abort();
  expect(bench.engine.way.count("invocations.recordClient")).toBe(2);
});
