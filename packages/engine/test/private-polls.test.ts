import { expect, test } from "vitest";
import { createPrivateHarness, declared } from "./private-harness.ts";

test("a poll is held for 25 seconds and then answered without a call", async () => {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  let answered: readonly unknown[] | undefined;
  void client.poll().then((invocations) => (answered = invocations));
  await harness.clock.advance(24_999);
  expect(answered).toBeUndefined();
  await harness.clock.advance(1);
  expect(answered).toEqual([]);
});

test("a held poll gets a new call at once, also from a run on another node", async () => {
  const harness = await createPrivateHarness();
  const other = await harness.addEngine({ started: false });
  const client = await harness.connect(undefined, { engine: other });
  const poll = client.poll();
  await harness.call();
  expect(await poll).toHaveLength(1);
});

test("a call without a notice is found by a read of storage", async () => {
  const harness = await createPrivateHarness();
  const deaf = await harness.addEngine({ started: false });
  deaf.way.deafen();
  const client = await harness.connect(undefined, { engine: deaf });
  const poll = client.poll();
  await harness.call();
  await harness.clock.advance(2_000);
  expect(await poll).toHaveLength(1);
});

test("storage without a call is read again after at most a second and a half, unless a call is announced", async () => {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  const ask = async (): Promise<number> => {
    const stop = new AbortController();
    const poll = client.poll(1, stop.signal);
    await harness.clock.settle();
    stop.abort();
    await poll;
    return harness.engine.way.count("invocations.lease");
  };
  expect([await ask(), await ask(), await ask()]).toEqual([1, 1, 1]);
  await harness.clock.advance(1_500);
  expect([await ask(), await ask()]).toEqual([2, 2]);
});

test("a call that was queued while no poll was held goes to the next poll at once", async () => {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  const stop = new AbortController();
  const poll = client.poll(1, stop.signal);
  await harness.clock.settle();
  stop.abort();
  await poll;
  await harness.call();
  let answered = 0;
  void client.poll(1).then((calls) => (answered = calls.length));
  await harness.clock.settle();
  expect(answered).toBe(1);
});

test("a failure of storage ends no poll", async () => {
  const harness = await createPrivateHarness();
  const away = await harness.addEngine({ started: false });
  const client = await harness.connect(undefined, { engine: away });
  const poll = client.poll();
  await harness.clock.settle();
  away.way.cut();
  await harness.call();
  await harness.clock.advance(5_000);
  away.way.mend();
  await harness.clock.advance(2_000);
  expect(await poll).toHaveLength(1);
});

test("one call goes to one of many polls, the one that has waited longest, with one read of storage", async () => {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  const polls = Array.from({ length: 50 }, () => client.poll(1));
  await harness.clock.settle();
  const before = harness.engine.way.count("invocations.lease");
  await harness.call();
  expect(await polls[0]).toHaveLength(1);
  expect(harness.engine.way.count("invocations.lease") - before).toBeLessThanOrEqual(2);
  await harness.clock.advance(25_000);
  expect((await Promise.all(polls)).flat()).toHaveLength(1);
});

test("a poll gets as many calls as it requests, and other polls the rest; no call is dispatched twice", async () => {
  const harness = await createPrivateHarness();
  const [one, two] = [await harness.connect(), await harness.connect()];
  for (let n = 0; n < 5; n++) await harness.call();
  const taken = [await one.poll(3), await two.poll(9)];
  expect(taken.map(({ length }) => length)).toEqual([3, 2]);
  expect(new Set(taken.flat().map(({ id }) => id)).size).toBe(5);
});

test("a call goes only to a client that serves the function", async () => {
  const harness = await createPrivateHarness();
  const old = await harness.connect([declared("screen")]);
  const fresh = await harness.connect([declared("pay")]);
  const polls = [old.poll(), fresh.poll()];
  await harness.call("pay");
  expect(await polls[1]).toMatchObject([{ function: "pay" }]);
  await harness.clock.advance(25_000);
  expect(await polls[0]).toEqual([]);
});

test("a call in dispatch to a client that has disconnected goes to the next poll", async () => {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  await harness.call();
  const left = new AbortController();
  harness.engine.way.on("invocations.lease", async (work) => {
    const leased = await work();
    left.abort();
    return leased;
  });
  const gone = client.poll(1, left.signal);
  const next = client.poll(1);
  expect(await gone).toEqual([]);
  expect(await next).toHaveLength(1);
});

test("no token reaches calls of another environment or connection", async () => {
  const harness = await createPrivateHarness();
  const live = await harness.connect(undefined, { environment: "live" });
  const desk = await harness.engine.connections.create({
    name: "desk",
    integration: "private_connection",
    by: { person: "alice" },
  });
  const other = await harness.connect(undefined, { token: desk.tokens?.sandbox ?? "" });
  const client = await harness.connect();
  const polls = [live.poll(), other.poll()];
  await harness.call();
  const invocation = await client.take();
  for (const stranger of [live, other]) {
    expect(await stranger.heartbeat(invocation)).toEqual([invocation.id]);
    await expect(stranger.answer(invocation, 1)).rejects.toMatchObject({ code: "stale_lease" });
  }
  await harness.clock.advance(25_000);
  expect(await Promise.all(polls)).toEqual([[], []]);
  expect(await client.heartbeat(invocation)).toEqual([]);
});

test("polls end without a call when the engine stops, and later polls are refused", async () => {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  const polls = [client.poll(), client.poll()];
  await harness.clock.settle();
  await harness.engine.stop();
  expect(await Promise.all(polls)).toEqual([[], []]);
  await expect(client.poll()).rejects.toMatchObject({ code: "shutting_down" });
});

test("more than 1000 polls of one connection are refused with a time to retry", async () => {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  const polls = Array.from({ length: 1_000 }, () => client.poll());
  await harness.clock.settle();
  await expect(client.poll()).rejects.toMatchObject({ code: "overloaded", retryAfterMs: 5_000 });
  await harness.engine.stop();
  await Promise.all(polls);
});

test("the presence of a client is written once in ten seconds, however often it polls", async () => {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  const stop = new AbortController();
  for (let n = 0; n < 20; n++) {
    const poll = client.poll(1, stop.signal);
    await harness.clock.advance(1_000);
    poll.catch(() => {});
  }
  stop.abort();
  expect(harness.engine.way.count("invocations.recordClient")).toBe(2);
});
