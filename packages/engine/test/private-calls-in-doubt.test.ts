/* Calls that went out ahead of a commit that is refused, or of which nothing is known. */
import type { NewDecision } from "@procedo/storage";
import { expect, test } from "vitest";
import { commitUnheard, environment, holding, only, start, statuses } from "./calls-ahead-bench.ts";
import { call as toolCall, procedure, review } from "./documents.ts";
import { unavailable } from "./interruptible-storage.ts";

test.each(["fenced", "refused"] as const)("a call whose row is not stored (%s) is to be abandoned", async (status) => {
  const { bench, client, poll } = await holding();
  const result = { status, runId: "run_other", digest: "another", error: new Error("No.") };
  bench.engine.way.on("runs.commit", () => Promise.resolve([result]));
  const refused = start(bench).catch(() => "refused");
  const call = await only(poll);
  expect(await client.beat(call)).toEqual([call.id]);
  await refused;
});

test("a call of a start that turns out to be another one's repetition is to be abandoned", async () => {
  const { bench, client, poll } = await holding();
  const other = await bench.addEngine({ started: false });
  const request = {
    procedureId: "p",
    environment,
    data: {},
    idempotencyKey: "key-1",
    by: { person: "alice" },
  } as const;
  const first = Promise.withResolvers<void>();
  bench.engine.way.on("runs.commit", async (work) => {
    await first.promise;
    return await work();
  });
  const repeating = bench.engine.runs.start(request);
  const call = await only(poll);
  const beating = client.beat(call);
  const { runId } = await other.runs.start(request);
  first.resolve();
  expect(await beating).toEqual([call.id]);
  expect(await repeating).toMatchObject({ runId });
  expect(call.context.runId).not.toBe(runId);
});

test("of a call whose write had no answer nothing is said until it is known, and then what storage says", async () => {
  const { bench, client, poll } = await holding();
  const land = commitUnheard(bench);
  const refused = expect(start(bench)).rejects.toMatchObject({ code: "storage_unavailable" });
  const call = await only(poll);
  const unknown = { code: "storage_unavailable", retryable: true };
  await expect(client.beat(call)).rejects.toMatchObject(unknown);
  await refused;
  await bench.clock.advance(4_000);
  await expect(client.beat(call)).rejects.toMatchObject(unknown);
  await land();
  expect(await client.beat(call)).toEqual([]);
  expect(await statuses(bench, call.context.runId ?? "")).toEqual(["acknowledged"]);
});

test("… and one that never came to be is to be abandoned in the end", async () => {
  const { bench, client, poll } = await holding();
  bench.engine.way.on("runs.commit", () => Promise.reject(unavailable()));
  const refused = expect(start(bench)).rejects.toMatchObject({ code: "storage_unavailable" });
  const call = await only(poll);
  await expect(client.beat(call)).rejects.toMatchObject({ code: "storage_unavailable" });
  await refused;
  await bench.clock.advance(10_000);
  const beating = client.beat(call);
  await bench.clock.advance(525);
  expect(await beating).toEqual([call.id]);
});

test("while a row that nobody waits for is written again, its call's acknowledgement waits", async () => {
  const { bench, client, poll } = await holding();
  await bench.publish(
    procedure([
      toolCall("a", "read"),
      { id: "screen", kind: "tool_call", connection: "office", action: "screen", arguments: { name: "Acme" } },
    ]),
    { version: "v2", defaultIn: [environment] },
  );
  let down = false;
  bench.engine.way.on("runs.commit", async (work, items) => {
    if (down && JSON.stringify(items).includes("invocationId")) throw unavailable();
    return await work();
  });
  down = true;
  const starting = start(bench);
  const call = await only(poll);
  await starting;
  let told: readonly string[] | undefined;
  const beating = client.beat(call).then((abandoned) => (told = abandoned));
  await bench.clock.advance(2_000);
  expect(told).toBeUndefined();
  const extended = bench.engine.way.count("invocations.extend");
  down = false;
  await bench.clock.advance(20_000);
  expect(await beating).toEqual([]);
  // The lease counts from the answer, and not from a write that may have been stored long before.
  expect(bench.engine.way.count("invocations.extend")).toBe(extended + 1);
  expect(await statuses(bench, call.context.runId ?? "")).toEqual(["acknowledged"]);
});

test("a result of a call of which nothing is known yet may be given again", async () => {
  const { bench, client, poll } = await holding();
  const land = commitUnheard(bench);
  const refused = expect(start(bench)).rejects.toMatchObject({ code: "storage_unavailable" });
  const call = await only(poll);
  const failing = expect(client.fail(call, "No such function.")).rejects.toMatchObject({ code: "storage_unavailable" });
  await refused;
  await bench.clock.advance(525);
  await failing;
  await land();
  await client.fail(call, "No such function.");
  expect(await statuses(bench, call.context.runId ?? "")).toEqual(["settled"]);
});

test("a decision's row that is written after its call was given up hands the call to whoever polls next", async () => {
  const { bench, client, poll } = await holding();
  // So that the connection is known when the run is decided, and the row can follow at once.
  await bench.publish(
    procedure([
      { id: "first", kind: "tool_call", connection: "office", action: "screen", arguments: { name: "Acme" } },
      review("approve"),
      { id: "screen", kind: "tool_call", connection: "office", action: "screen", arguments: { name: "Acme" } },
    ]),
    { version: "v2", defaultIn: [environment] },
  );
  const starting = start(bench);
  const first = await only(poll);
  await client.beat(first);
  const { runId } = await starting;
  await bench.clock.advance(3);
  const second = client.poll();
  await bench.clock.settle();
  await client.answer(first, "Acme");
  // The decision is stored, the row that follows from it is not, and nobody hears of either.
  bench.engine.way.on("reviews.decide", async (_work, request) => {
    const { next: _next, ...decision } = request as NewDecision;
    await bench.storage.reviews.decide(decision);
    throw unavailable();
  });
  const deciding = expect(bench.decide(runId)).rejects.toMatchObject({ code: "storage_unavailable" });
  const call = await only(second);
  await expect(client.beat(call)).rejects.toMatchObject({ code: "storage_unavailable" });
  await deciding;
  await bench.clock.settle();
  expect(await statuses(bench, runId)).toEqual(["settled", "queued"]);
  const next = await only(client.poll(1));
  expect(next).toMatchObject({ id: call.id, context: { runId } });
  expect(next.leaseToken).not.toBe(call.leaseToken);
  expect(await client.beat(next)).toEqual([]);
  expect(await statuses(bench, runId)).toEqual(["settled", "acknowledged"]);
});
