/* Calls of functions that are not idempotent, which their client has before they are durable, and begins once they are. */
import type { Invocation } from "@procedo/contract";
import { expect, test } from "vitest";
import { counts, environment, holdCommits, holding, only, start, statuses } from "./calls-ahead-bench.ts";
import { calling, createPrivateBench, declared } from "./private-bench.ts";

test("a call is acknowledged by the write that makes it durable: two writes in all", async () => {
  const { bench, client, poll, since } = await holding();
  const starting = start(bench);
  const call = await only(poll);
  const runId = call.context.runId ?? "";
  expect(await client.beat(call)).toEqual([]);
  expect(await starting).toMatchObject({ runId });
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
  expect(since()).toEqual([1, 0, 0, 0]);
  await client.answer(call, "Acme");
  expect(since()).toEqual([1, 0, 0, 1]);
  expect(await bench.read(runId)).toMatchObject({ status: "completed", output: { said: "Acme" } });
  await bench.clock.advance(1_000);
  expect(bench.engine.way.count("invocations.unacknowledge")).toBe(0);
});

test("a call leaves before it is durable, and its commit waits for nobody", async () => {
  const { bench, poll, since } = await holding();
  const release = holdCommits(bench);
  const starting = start(bench);
  const call = await only(poll);
  expect(await statuses(bench, call.context.runId ?? "")).toEqual([]);
  release();
  expect(await starting).toMatchObject({ runId: call.context.runId });
  expect(since()).toEqual([1, 0, 0, 0]);
});

test("nobody is told to begin before the call is durable", async () => {
  const { bench, client, poll } = await holding();
  const release = holdCommits(bench);
  const starting = start(bench);
  const call = await only(poll);
  let told = false;
  const beating = client.beat(call).then((abandoned) => {
    told = true;
    return abandoned;
  });
  await bench.clock.advance(5_000);
  expect(told).toBe(false);
  release();
  expect(await beating).toEqual([]);
  await starting;
});

test("the calls of one turn go ahead together, as many as the poll asked for, and are acknowledged together", async () => {
  const { bench, client, poll, since } = await holding(2);
  const starting = [start(bench), start(bench)];
  const calls = await poll;
  expect(calls).toHaveLength(2);
  expect(await client.beat(...calls)).toEqual([]);
  const started = await Promise.all(starting);
  expect(started.map(({ runId }) => runId)).toEqual(calls.map(({ context }) => context.runId));
  expect(since()).toEqual([1, 0, 0, 0]);
});

test("only the client that has it acknowledges it", async () => {
  const { bench, client, poll } = await holding();
  const live = await bench.connect(undefined, { environment: "live" });
  const desk = await bench.engine.connections.create({
    name: "desk",
    integration: "private_connection",
    by: { person: "alice" },
  });
  const other = await bench.connect(undefined, { token: desk.tokens?.sandbox ?? "" });
  const starting = start(bench);
  const call = await only(poll);
  const strangers = [live.beat(call), other.beat(call), client.beat({ ...call, leaseToken: "another" })];
  await starting;
  await bench.clock.advance(525);
  expect(await Promise.all(strangers)).toEqual([[call.id], [call.id], [call.id]]);
  const extended = bench.engine.way.count("invocations.extend");
  expect(await client.beat(call)).toEqual([]);
  expect(bench.engine.way.count("invocations.extend")).toBe(extended);
});

test("another node that is told of it before it is durable knows of it a little later", async () => {
  const { bench, poll } = await holding();
  const there = await bench.connect(undefined, { engine: await bench.addEngine({ started: false }) });
  const release = holdCommits(bench);
  const starting = start(bench);
  const call = await only(poll);
  const beating = there.beat(call);
  await bench.clock.settle();
  release();
  const { runId } = await starting;
  await bench.clock.advance(25);
  expect(await beating).toEqual([]);
  // Here nobody knows of it, and there it counts.
  await bench.clock.advance(1_000);
  expect(bench.engine.way.count("invocations.unacknowledge")).toBe(1);
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
});

test("the next call of a run goes ahead with its acknowledgement in the write that takes the result before", async () => {
  const bench = await createPrivateBench();
  const client = await bench.connect(undefined, { acknowledges: true });
  const document = calling();
  const [start, screen, ...rest] = document.nodes;
  if (start === undefined || screen === undefined) throw new Error("There is a start and a call.");
  const again = { ...screen, id: "again" };
  const [first, ...edges] = document.edges;
  if (first === undefined) throw new Error("There is an edge.");
  const through = [first, { from: "screen", to: "again" }, ...edges.map((edge) => ({ ...edge, from: "again" }))];
  await bench.publish(
    { ...document, nodes: [start, screen, again, ...rest], edges: through },
    { version: "v1", defaultIn: [environment] },
  );
  const one = client.poll(1);
  await bench.clock.settle();
  const runId = await bench.run({});
  const call = await only(one);
  await client.beat(call);
  const two = client.poll(1);
  await bench.clock.settle();
  const before = counts(bench);
  const answering = client.answer(call, "first");
  const next = await only(two);
  expect(await client.beat(next)).toEqual([]);
  await answering;
  expect(counts(bench).map((count, index) => count - (before[index] ?? 0))).toEqual([0, 0, 0, 1]);
  expect(await statuses(bench, runId)).toEqual(["settled", "acknowledged"]);
  await client.answer(next, "second");
  expect(await bench.read(runId)).toMatchObject({ status: "completed", output: { said: "first" } });
});

test("an idempotent function's call never goes ahead", async () => {
  const bench = await createPrivateBench();
  const client = await bench.connect([declared("screen", { idempotent: true })], { acknowledges: true });
  await bench.publish(calling(), { version: "v1", defaultIn: [environment] });
  const first = client.poll();
  await bench.clock.settle();
  await bench.run({});
  await only(first);
  const poll = client.poll();
  await bench.clock.settle();
  const release = holdCommits(bench);
  let handed = false;
  void poll.then(() => (handed = true));
  const starting = start(bench);
  await bench.clock.advance(100);
  expect(handed).toBe(false);
  release();
  expect(await only(poll)).toMatchObject({ context: { runId: (await starting).runId } });
});

test("nothing goes ahead to a client that may call a function before it was told to", async () => {
  const { bench, poll } = await holding(10, false);
  const runId = await bench.run({});
  expect(await statuses(bench, runId)).toEqual(["leased"]);
  expect(await only(poll)).toMatchObject({ context: { runId } });
});

test("what is answered without a call is accepted once the call is durable, here and on another node", async () => {
  const { bench, client, poll } = await holding(2);
  const there = await bench.connect(undefined, { engine: await bench.addEngine({ started: false }) });
  const starting = [start(bench), start(bench)];
  const [one, other] = await poll;
  if (one === undefined || other === undefined) throw new Error("There were not two calls.");
  const failing = [client.fail(one, "No such function."), there.fail(other, "No such function.")];
  await bench.clock.advance(10);
  await Promise.all(starting);
  await bench.clock.advance(15);
  await Promise.all(failing);
  for (const { context } of [one, other]) {
    expect(await bench.read(context.runId ?? "")).toMatchObject({ status: "failed" });
  }
});

test.each([true, false])(
  "a call whose poll leaves goes ahead to another one, if that acknowledges: %s",
  async (acknowledges) => {
    const { bench, client, poll } = await holding(1);
    const before = start(bench);
    await client.beat(await only(poll));
    await before;
    const leaving = new AbortController();
    const first = client.poll(1, leaving.signal);
    await bench.clock.settle();
    const second = (await bench.connect(undefined, { clientId: "other", acknowledges })).poll(1);
    await bench.clock.settle();
    let handed: readonly Invocation[] = [];
    void second.then((calls) => (handed = calls));
    const { soon } = bench.clock;
    // A call goes out at the end of the turn in which its poll was chosen.
    bench.clock.soon = (work) => {
      bench.clock.soon = soon;
      soon(() => {
        leaving.abort();
        work();
      });
    };
    const release = holdCommits(bench);
    const starting = start(bench);
    expect(await first).toEqual([]);
    await bench.clock.settle();
    expect(handed).toHaveLength(acknowledges ? 1 : 0);
    release();
    await starting;
    // One that may begin at once has it once it is durable.
    await bench.clock.settle();
    expect(handed).toHaveLength(1);
  },
);

test("nothing goes ahead to a client whose own manifest calls the function idempotent: it begins at once", async () => {
  const { bench, client, poll } = await holding();
  await client.beat(await only((start(bench).catch(() => {}), poll)));
  const hasty = await bench.connect([declared("screen", { idempotent: true })], {
    clientId: "hasty",
    acknowledges: true,
  });
  const early = hasty.poll();
  await bench.clock.settle();
  // Whoever registered last says how runs see the function.
  await bench.connect([declared("screen"), declared("other")], { clientId: "last", acknowledges: true });
  await bench.publish(calling(), { version: "v2", defaultIn: [environment] });
  await bench.run({});
  await only(early);
  await bench.clock.advance(3);
  const next = hasty.poll();
  await bench.clock.settle();
  const release = holdCommits(bench);
  let handed = false;
  void next.then(() => (handed = true));
  const starting = start(bench);
  await bench.clock.advance(100);
  expect(handed).toBe(false);
  release();
  expect(await only(next)).toMatchObject({ context: { runId: (await starting).runId } });
  expect(await statuses(bench, (await starting).runId)).toEqual(["leased"]);
});
