/* Calls that went ahead and that no client acknowledged: nobody has begun with them, and somebody else may. */
import { expect, test } from "vitest";
import { commitUnheard, holdCommits, holding, only, scope, start, statuses } from "./calls-ahead-bench.ts";
import type { Invocation } from "@procedo/contract";
import { sleep } from "../src/ports/clock.ts";
import { alice } from "./bench.ts";
import { unavailable } from "./interruptible-storage.ts";
import { calling } from "./private-bench.ts";

/** A call that went ahead, is durable, and of which its client has said nothing. */
async function silent() {
  const { bench, client, poll } = await holding(1);
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
  const { bench, client, poll } = await holding(1);
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
  const { bench, client, poll } = await holding(1);
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
  const { bench, client, poll } = await holding(1);
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

test("what a cancelled run does not wait for any more is given to nobody else", async () => {
  const { bench, client, call, runId } = await silent();
  const other = await bench.connect(undefined, { clientId: "other", acknowledges: true });
  let handed: readonly Invocation[] = [];
  void other.poll(1).then((calls) => (handed = calls));
  // What follows the cancel is slow to be stored.
  let failures = 1;
  bench.engine.way.on("invocations.withdraw", async (work) => {
    if (failures-- > 0) throw unavailable();
    return await work();
  });
  await bench.engine.runs.cancel({ runId, environment: "sandbox", by: alice });
  await bench.clock.advance(500);
  expect(handed).toEqual([]);
  expect(await statuses(bench, runId)).toEqual(["withdrawn"]);
  const late = client.beat(call);
  await bench.clock.advance(525);
  expect(await late).toEqual([call.id]);
  await bench.clock.advance(1_000);
  expect(handed).toEqual([]);
});

test("a deadline while a call is being taken back leaves nothing in doubt", async () => {
  const { bench, poll } = await holding(1);
  await bench.publish(calling("screen", { timeoutMs: 1_003 }), { version: "v2", defaultIn: ["sandbox"] });
  bench.engine.way.on("invocations.unacknowledge", async (work) => {
    await sleep(bench.clock, 20);
    return await work();
  });
  const starting = start(bench);
  await only(poll);
  const { runId } = await starting;
  await bench.clock.advance(1_100);
  expect(await statuses(bench, runId)).toEqual(["withdrawn"]);
  expect(await bench.read(runId)).toMatchObject({ status: "failed" });
});

test("… also while that is to be tried again", async () => {
  const { bench, poll } = await holding(1);
  await bench.publish(calling("screen", { timeoutMs: 1_500 }), { version: "v2", defaultIn: ["sandbox"] });
  bench.engine.way.on("invocations.unacknowledge", () => Promise.reject(unavailable()));
  const starting = start(bench);
  await only(poll);
  const { runId } = await starting;
  await bench.clock.advance(1_600);
  expect(await statuses(bench, runId)).toEqual(["withdrawn"]);
});

test("a call that its client has acknowledged stays in doubt when its run does not wait for it any more", async () => {
  const { bench, client, poll } = await holding(1);
  await bench.publish(calling("screen", { timeoutMs: 500 }), { version: "v2", defaultIn: ["sandbox"] });
  const starting = start(bench);
  const call = await only(poll);
  expect(await client.beat(call)).toEqual([]);
  const { runId } = await starting;
  await bench.clock.advance(600);
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
  expect(await bench.read(runId)).toMatchObject({ status: "awaiting_review" });
});

test("after its deadline nobody begins with a call that only its commit has acknowledged, wherever the client asks", async () => {
  const { bench, client, poll } = await holding(1);
  await bench.publish(calling("screen", { timeoutMs: 500 }), { version: "v2", defaultIn: ["sandbox"] });
  const there = await bench.connect(undefined, { engine: await bench.addEngine({ started: false }) });
  const starting = start(bench);
  const call = await only(poll);
  const { runId } = await starting;
  // The run is told at another node that the client may have begun.
  bench.engine.way.on("invocations.withdraw", () => new Promise(() => {}));
  await bench.clock.advance(500);
  const [row] = await bench.storage.invocations.ofRun({ scope, runId });
  const effect = { scope, runId, effectKey: row?.effectKey ?? "" };
  expect(await bench.storage.invocations.withdraw(effect)).toBe("acknowledged");
  const asked = [there.begin(call), client.begin(call)];
  await bench.clock.advance(525);
  expect(await Promise.all(asked)).toEqual([[call.id], [call.id]]);
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

test("… which is done when it has stopped", async () => {
  const { bench, runId } = await silent();
  bench.engine.way.on("invocations.unacknowledge", async (work) => {
    await sleep(bench.clock, 50);
    return await work();
  });
  const stopping = bench.engine.stop();
  await bench.clock.advance(50);
  await stopping;
  expect(await statuses(bench, runId)).toEqual(["leased"]);
});

test("… and leaves with their clients those that were acknowledged", async () => {
  const { bench, client, call, runId } = await silent();
  await client.beat(call);
  const second = client.poll(1);
  await bench.clock.settle();
  const release = holdCommits(bench);
  const starting = start(bench);
  const later = await only(second);
  const beating = client.beat(later);
  await bench.clock.settle();
  const stopping = bench.engine.stop();
  release();
  await stopping;
  expect(await beating).toEqual([]);
  await starting;
  expect(bench.engine.way.count("invocations.unacknowledge")).toBe(0);
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
});

test("… and waits for a commit that has no answer no longer than for the last of its own", async () => {
  const { bench, poll } = await holding(1);
  bench.engine.way.on("runs.commit", () => new Promise(() => {}));
  void start(bench).catch(() => {});
  await only(poll);
  let isStopped = false;
  void bench.engine.stop({ drainMs: 0 }).then(() => (isStopped = true));
  await bench.clock.advance(2_000);
  expect(isStopped).toBe(true);
});

test("… and tries once more what storage has not taken back before", async () => {
  const { bench, runId } = await silent();
  let down = true;
  bench.engine.way.on("invocations.unacknowledge", async (work) => {
    if (down) throw unavailable();
    return await work();
  });
  await bench.clock.advance(3_000);
  down = false;
  let isStopped = false;
  void bench.engine.stop().then(() => (isStopped = true));
  await bench.clock.settle();
  expect(isStopped).toBe(true);
  expect(await statuses(bench, runId)).toEqual(["leased"]);
});

test("a heartbeat after the first goes to storage, and makes the lease end later", async () => {
  const { bench, client, call, runId } = await silent();
  await client.beat(call);
  await bench.clock.advance(50_000);
  expect(await client.beat(call)).toEqual([]);
  await bench.clock.advance(50_000);
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
});

test("a process that was stopped for long does not answer by what it knew", async () => {
  const { bench, client, call, runId } = await silent();
  const { monotonic } = bench.clock;
  // Its timers have not been called yet.
  bench.clock.monotonic = () => monotonic() + 70_000;
  expect(await client.beat(call)).toEqual([]);
  expect(bench.engine.way.count("invocations.unacknowledge")).toBe(1);
  expect(await statuses(bench, runId)).toEqual(["acknowledged"]);
});

test("a call whose row is refused late is not taken back either", async () => {
  const { bench, poll } = await holding(1);
  const result = { status: "fenced", error: new Error("No.") };
  bench.engine.way.on("runs.commit", async () => {
    await sleep(bench.clock, 1_500);
    return [result];
  });
  const refused = start(bench).catch(() => "refused");
  await only(poll);
  await bench.clock.advance(3_000);
  await refused;
  expect(bench.engine.way.count("invocations.unacknowledge")).toBe(0);
});

test("a call whose row is refused is not taken back, and the next ones go ahead as before", async () => {
  const { bench, client, poll } = await holding(1);
  const result = { status: "fenced", error: new Error("No.") };
  let isRefused = true;
  bench.engine.way.on("runs.commit", (work) => (isRefused ? Promise.resolve([result]) : work()));
  const refused = start(bench).catch(() => "refused");
  await only(poll);
  await refused;
  await bench.clock.advance(1_000);
  expect(bench.engine.way.count("invocations.unacknowledge")).toBe(0);
  isRefused = false;
  const second = client.poll(1);
  await bench.clock.settle();
  const release = holdCommits(bench);
  const starting = start(bench);
  await only(second);
  release();
  await starting;
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
  const { bench, poll } = await holding(1);
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
