import { storageUnavailable } from "@procedo-testing/faults";
import type { Invocation } from "@procedo/contract";
import type { NewDecision } from "@procedo/storage";
import { expect, test } from "vitest";
import { procedure, review } from "./documents.ts";
import { calling, createPrivateHarness, declared, type PrivateHarness } from "./private-harness.ts";

const environment = "sandbox";
const verbs = [
  "runs.commit",
  "invocations.lease",
  "invocations.settle",
  "runs.claim",
  "runs.journal",
  "inbox.read",
] as const;

function counts({ engine }: PrivateHarness): readonly number[] {
  return verbs.map((verb) => engine.way.count(verb));
}

/** A harness with a published call and a client with a held poll. */
async function waited(max = 10) {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  await harness.publish(calling(), { version: "v1", defaultIn: [environment] });
  const poll = client.poll(max);
  await harness.clock.settle();
  return { harness, client, poll };
}

const statuses = async ({ storage }: PrivateHarness, runId: string): Promise<readonly string[]> =>
  (await storage.invocations.ofRun({ scope: { workspace: "default", environment }, runId })).map((row) => row.status);

test("a call is leased by the row that makes it durable, and its result is stored with the last row: two writes", async () => {
  const { harness, client, poll } = await waited();
  const before = counts(harness);
  const runId = await harness.run({});
  const [invocation] = await poll;
  if (invocation === undefined) throw new Error("There was no call.");
  expect(await statuses(harness, runId)).toEqual(["leased"]);
  await client.answer(invocation, { said: 1 });
  const after = counts(harness);
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 0, 1, 0, 0, 0]);
  expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { said: { said: 1 } } });
});

test("an acknowledgement is one more write", async () => {
  const { harness, client, poll } = await waited();
  const runId = await harness.run({});
  const [invocation] = await poll;
  if (invocation === undefined) throw new Error("There was no call.");
  const before = harness.engine.way.count("invocations.extend");
  expect(await client.heartbeat(invocation)).toEqual([]);
  expect(harness.engine.way.count("invocations.extend")).toBe(before + 1);
  expect(await statuses(harness, runId)).toEqual(["acknowledged"]);
});

test("calls of one turn go to one poll up to its maximum, and the rest to the next poll", async () => {
  const { harness, client, poll } = await waited(2);
  const second = client.poll(2);
  await harness.clock.settle();
  const runIds = await Promise.all([harness.run({}), harness.run({}), harness.run({})]);
  const dispatched = [await poll, await second];
  expect(dispatched.map((calls) => calls.length)).toEqual([2, 1]);
  expect(dispatched.flat().map(({ context }) => context.runId)).toEqual(runIds);
  expect(harness.engine.way.count("invocations.lease")).toBe(1);
});

test("a call waits for a client that serves its function", async () => {
  const harness = await createPrivateHarness();
  const poll = (await harness.connect([declared("pay")], { clientId: "payer" })).poll();
  const screener = await harness.connect([declared("screen")], { clientId: "screener" });
  const runId = await harness.call("screen");
  expect(await statuses(harness, runId)).toEqual(["queued"]);
  expect(await screener.take()).toMatchObject({ function: "screen" });
  await harness.clock.advance(25_000);
  expect(await poll).toEqual([]);
});

test("a call that finds no held poll is queued, and the next poll leases it", async () => {
  const { harness, client, poll } = await waited(1);
  await harness.run({});
  await poll;
  const runId = await harness.run({});
  expect(await statuses(harness, runId)).toEqual(["queued"]);
  expect((await client.poll(1)).map(({ context }) => context.runId)).toEqual([runId]);
});

test("a call whose row was refused reaches no client, and its poll gets the next call", async () => {
  const { harness, poll } = await waited();
  let fail = true;
  harness.engine.way.on("runs.commit", async (work) => {
    if (!fail) return await work();
    fail = false;
    throw storageUnavailable();
  });
  await expect(harness.run({})).rejects.toMatchObject({ code: "storage_unavailable" });
  const runId = await harness.run({});
  expect((await poll).map(({ context }) => context.runId)).toEqual([runId]);
});

test("a call whose commit had no answer is dispatched when its lease ends", async () => {
  const { harness, client, poll } = await waited();
  let lose = true;
  harness.engine.way.on("runs.commit", async (work) => {
    const result = await work();
    if (!lose) return result;
    lose = false;
    throw storageUnavailable();
  });
  await expect(harness.run({})).rejects.toMatchObject({ code: "storage_unavailable" });
  await harness.clock.advance(25_000);
  expect(await poll).toEqual([]);
  const later = client.poll();
  await harness.clock.advance(20_000);
  const last = client.poll();
  await harness.clock.advance(20_000);
  const [invocation] = [...(await later), ...(await last)];
  if (invocation === undefined) throw new Error("There was no call.");
  await client.answer(invocation, 1);
  expect(await harness.read(invocation.context.runId ?? "")).toMatchObject({ status: "completed" });
});

test("a call goes to another poll when its client leaves during the commit", async () => {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  await harness.publish(calling(), { version: "v1", defaultIn: [environment] });
  const gone = new AbortController();
  const first = client.poll(1, gone.signal);
  const second = client.poll(1);
  await harness.clock.settle();
  harness.engine.way.on("runs.commit", async (work) => {
    const result = await work();
    gone.abort();
    return result;
  });
  const runId = await harness.run({});
  expect(await first).toEqual([]);
  expect((await second).map(({ context }) => context.runId)).toEqual([runId]);
});

test("an expired poll waits for the commit of its call", async () => {
  const { harness, poll } = await waited();
  const { clock, engine } = harness;
  await clock.advance(24_900);
  const durable = Promise.withResolvers<void>();
  engine.way.on("runs.commit", async (work) => {
    await durable.promise;
    return await work();
  });
  const starting = engine.runs.start({ procedureId: "p", environment, data: {}, by: { person: "alice" } });
  await clock.advance(200);
  durable.resolve();
  const { runId } = await starting;
  expect((await poll).map(({ context }) => context.runId)).toEqual([runId]);
});

test("an engine that stops answers a poll with the call that is being committed for it", async () => {
  const { harness, poll } = await waited();
  const { engine } = harness;
  const durable = Promise.withResolvers<void>();
  engine.way.on("runs.commit", async (work) => {
    await durable.promise;
    return await work();
  });
  const starting = engine.runs.start({ procedureId: "p", environment, data: {}, by: { person: "alice" } });
  await harness.clock.settle();
  const stopping = engine.stop();
  durable.resolve();
  const { runId } = await starting;
  expect((await poll).map(({ context }) => context.runId)).toEqual([runId]);
  await stopping;
});

test("a run dispatches its next call with the row that reads the result before", async () => {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  const node = { kind: "tool_call", connection: "office", action: "screen", arguments: { name: "Acme" } } as const;
  const twice = { ...calling(), ...calling("screen") };
  const { nodes, edges } = twice;
  const again = nodes.flatMap((one) => (one.id === "screen" ? [one, { ...node, id: "again" }] : [one]));
  const through = edges.flatMap((edge) =>
    edge.from === "screen"
      ? [
          { from: "screen", to: "again" },
          { ...edge, from: "again" },
        ]
      : [edge],
  );
  await harness.publish({ ...twice, nodes: again, edges: through }, { version: "v1", defaultIn: [environment] });
  const first = client.poll(1);
  await harness.clock.settle();
  const runId = await harness.run({});
  const second = client.poll(1);
  await harness.clock.settle();
  const before = counts(harness);
  for (const invocation of await first) await client.answer(invocation, 1);
  expect(counts(harness).map((count, index) => count - (before[index] ?? 0))).toEqual([0, 0, 1, 0, 0, 0]);
  for (const invocation of await second) await client.answer(invocation, 2);
  expect(await harness.read(runId)).toMatchObject({ status: "completed" });
});

test("a row that is written again after its poll was released queues its call for any client", async () => {
  const { harness, client, poll } = await waited();
  const screen = { kind: "tool_call", connection: "office", action: "screen", arguments: { name: "Acme" } } as const;
  await harness.publish(procedure([{ ...screen, id: "first" }, review("approve"), { ...screen, id: "screen" }]), {
    version: "v2",
    defaultIn: [environment],
  });
  const runId = await harness.run({});
  const [first] = await poll;
  if (first === undefined) throw new Error("There was no call.");
  let dispatched: readonly Invocation[] = [];
  void client.poll().then((calls) => (dispatched = calls));
  await harness.clock.settle();
  await client.answer(first, "Acme");
  // Storage keeps the decision, loses the row that follows, and answers neither.
  harness.engine.way.on("reviews.decide", async (_work, request) => {
    const { next: _next, ...decision } = request as NewDecision;
    await harness.storage.reviews.decide(decision);
    throw storageUnavailable();
  });
  await expect(harness.decide(runId)).rejects.toMatchObject({ code: "storage_unavailable" });
  await harness.clock.settle();
  expect(dispatched).toMatchObject([{ context: { runId } }]);
  expect(await statuses(harness, runId)).toEqual(["settled", "leased"]);
});
