/* Calls that went ahead and that no client acknowledged: nobody has begun with them, and somebody else may. */
import { expect, test } from "vitest";
import { commitUnheard, holdCommits, near, only, scope, start, statuses } from "./calls-ahead-bench.ts";
import { unavailable } from "./interruptible-storage.ts";
import { calling } from "./private-bench.ts";

/** A call that went ahead, is durable, and of which its client has said nothing. */
async function silent() {
  const { bench, client, poll } = await near(1);
  const starting = start(bench);
  const call = await only(poll);
  const { runId } = await starting;
  return { bench, client, call, runId };
}

test("a call that is not acknowledged within a second is handed to whoever polls next", async () => {
  const { bench, client, call, runId } = await silent();
  const second = client.poll(1);
  await bench.clock.advance(999);
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
  await bench.clock.advance(1);
  const again = await only(second);
  expect(again).toMatchObject({ id: call.id, context: { runId } });
  const late = client.beat(call);
  await bench.clock.advance(525);
  expect(await late).toEqual([call.id]);
  expect(await client.beat(again)).toEqual([]);
  await client.answer(again, "Acme");
  expect(await bench.read(runId)).toMatchObject({ status: "completed", output: { said: "Acme" } });
});

test("… and is its first client's still, as long as nobody else has it", async () => {
  const { bench, client, call, runId } = await silent();
  await bench.clock.advance(1_000);
  expect(await statuses(bench, runId)).toEqual(["leased"]);
  expect(await client.beat(call)).toEqual([]);
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
  const other = client.poll(1);
  await bench.clock.advance(25_000);
  expect(await other).toEqual([]);
});

test("… and for 10 s calls are durable before they go out", async () => {
  const { bench, client } = await silent();
  await bench.clock.advance(1_000);
  const second = await only(client.poll(1));
  await client.beat(second);
  const third = client.poll(1);
  await bench.clock.settle();
  const release = holdCommits(bench);
  const starting = start(bench);
  let handed = false;
  void third.then(() => (handed = true));
  await bench.clock.advance(100);
  expect(handed).toBe(false);
  release();
  await starting;
  await only(third);
  const fourth = client.poll(1);
  await bench.clock.advance(10_000);
  const releaseLater = holdCommits(bench);
  const later = start(bench);
  expect(await statuses(bench, (await only(fourth)).context.runId ?? "")).toEqual([]);
  releaseLater();
  await later;
});

test("a call that its client acknowledges late, before it is durable, stays with it", async () => {
  const { bench, client, poll } = await near(1);
  const release = holdCommits(bench);
  const starting = start(bench);
  const call = await only(poll);
  await bench.clock.advance(999);
  const beating = client.beat(call);
  await bench.clock.advance(500);
  release();
  expect(await beating).toEqual([]);
  const { runId } = await starting;
  await bench.clock.advance(1_000);
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
  expect(bench.engine.way.count("invocations.unacknowledge")).toBe(0);
});

test("a call whose deadline has come is not begun with", async () => {
  const { bench, client, poll } = await near(1);
  await bench.publish(calling("screen", { timeoutMs: 500 }), { version: "v2", defaultIn: ["sandbox"] });
  const release = holdCommits(bench);
  const starting = start(bench);
  const call = await only(poll);
  await bench.clock.advance(500);
  const beating = client.beat(call);
  release();
  await starting;
  await bench.clock.advance(525);
  expect(await beating).toEqual([call.id]);
});

test("what a run does not wait for any more is taken back first, so that nothing is in doubt", async () => {
  const { bench, client, poll } = await near(1);
  await bench.publish(calling("screen", { timeoutMs: 500 }), { version: "v2", defaultIn: ["sandbox"] });
  const starting = start(bench);
  const call = await only(poll);
  const { runId } = await starting;
  await bench.clock.advance(600);
  expect(await statuses(bench, runId)).toEqual(["withdrawn"]);
  expect(await bench.read(runId)).toMatchObject({ status: "failed" });
  const late = client.beat(call);
  await bench.clock.advance(525);
  expect(await late).toEqual([call.id]);
});

test("what another node's run does not wait for any more stays with the client, who may have begun", async () => {
  const { bench, runId } = await silent();
  const [row] = await bench.storage.invocations.ofRun({ scope, runId });
  const effect = { scope, runId, effectKey: row?.effectKey ?? "" };
  expect(await bench.storage.invocations.withdraw(effect)).toBe("acknowledged");
  await bench.clock.advance(1_000);
  expect(bench.engine.way.count("invocations.unacknowledge")).toBe(1);
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
});

test("an engine that stops takes back what was not acknowledged, so that others hand it out at once", async () => {
  const { bench, call, runId } = await silent();
  await bench.engine.stop();
  expect(await statuses(bench, runId)).toEqual(["leased"]);
  const there = await bench.connect(undefined, { engine: await bench.addEngine(), clientId: "there" });
  expect(await there.poll(1)).toMatchObject([{ id: call.id }]);
});

test("what storage does not take back at once is tried again", async () => {
  const { bench, runId } = await silent();
  let down = true;
  bench.engine.way.on("invocations.unacknowledge", async (work) => {
    if (down) throw unavailable();
    return await work();
  });
  await bench.clock.advance(2_000);
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
  down = false;
  await bench.clock.advance(4_000);
  expect(await statuses(bench, runId)).toEqual(["leased"]);
});

test("what comes to be although its commit had no answer is taken back as well", async () => {
  const { bench, poll } = await near(1);
  const land = commitUnheard(bench);
  const refused = expect(start(bench)).rejects.toMatchObject({ code: "storage_unavailable" });
  const call = await only(poll);
  await refused;
  await bench.clock.advance(3_000);
  await land();
  const runId = call.context.runId ?? "";
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
  await bench.clock.advance(10_000);
  expect(await statuses(bench, runId)).toEqual(["leased"]);
});

test("a lease lasts a minute from the acknowledgement, though it was written before", async () => {
  const { bench, client, call, runId } = await silent();
  await bench.clock.advance(900);
  expect(await client.beat(call)).toEqual([]);
  await bench.clock.advance(60_000);
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
  await bench.clock.advance(6_000);
  expect(await statuses(bench, runId)).toEqual(["lapsed"]);
});
