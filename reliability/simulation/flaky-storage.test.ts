import { seededRandom } from "@procedo-testing/faults";
import { createMemoryStorage, type RunCommit, type Storage } from "@procedo/storage";
import { expect, test } from "vitest";
import { flakyStorage } from "./flaky-storage.ts";
import { createMachine } from "./machine.ts";
import { calmStorage, type StorageFaults } from "./options.ts";
import { createWorld } from "./world.ts";

const scope = { workspace: "w", environment: "live" } as const;

function newRun(runId: string): RunCommit {
  const create = { procedureId: "p", procedureVersion: "v1", createdAtMs: 0, startedBy: "alice" };
  return { scope, runId, epoch: 1, seq: 1, hash: "h", body: "[]", create, then: { kind: "hot", workerId: "w1" } };
}

function setUp(faults: Partial<StorageFaults>) {
  const world = createWorld(seededRandom(7));
  const machine = createMachine(world, "m1", () => 0);
  const inner = createMemoryStorage({ now: () => 0 });
  const flaky = flakyStorage(inner, {
    world,
    machine,
    random: seededRandom(8),
    faults: () => ({ ...calmStorage, ...faults }),
    spins: () => {},
  });
  return { world, machine, inner, flaky };
}

/** The answer that the caller receives, and whether the run is stored in the end. */
async function commitThrough(faults: Partial<StorageFaults>) {
  const { world, inner, flaky } = setUp(faults);
  let told = "nothing";
  flaky.runs.commit(newRun("run_1")).then(
    () => (told = "done"),
    () => (told = "an error"),
  );
  await world.run(10_000, () => false);
  return { told, there: await isThere(inner, "run_1") };
}

async function isThere(storage: Storage, runId: string): Promise<boolean> {
  return (await storage.runs.get({ scope, runId })) !== undefined;
}

test("without faults a request is done and answered", async () => {
  expect(await commitThrough({})).toEqual({ told: "done", there: true });
});

test("a request may be refused before it has any effect", async () => {
  expect(await commitThrough({ errorBefore: 1 })).toEqual({ told: "an error", there: false });
});

test("a request may be done and its answer lost", async () => {
  expect(await commitThrough({ errorAfter: 1 })).toEqual({ told: "an error", there: true });
});

test("a request may be done after its caller was told that it failed", async () => {
  expect(await commitThrough({ doneLate: 1 })).toEqual({ told: "an error", there: true });
});

test.each<keyof StorageFaults>(["errorAfter", "doneLate"])(
  "a reservation whose answer is lost (%s) stays, and its repetition reserves nothing else",
  async (fault) => {
    const { world, inner, flaky } = setUp({ [fault]: 1 });
    await inner.runs.commit(newRun("run_1"));
    const reservation = { scope, runId: "run_1", key: "call:1", amounts: [{ budget: "sum", amount: 5, atMost: 9 }] };
    let told = "nothing";
    flaky.budgets.reserve(reservation).catch(() => (told = "an error"));
    await world.run(10_000, () => false);
    expect(told).toBe("an error");
    expect(await inner.budgets.reserve(reservation)).toMatchObject({ status: "reserved", amounts: [{ amount: 5 }] });
    expect(await inner.budgets.taken(scope, ["sum"])).toEqual([5]);
  },
);

test("a request with two arguments arrives complete", async () => {
  const { world, inner, flaky } = setUp({});
  await inner.runs.commit(newRun("run_1"));
  const amounts = [{ budget: "sum", amount: 5, atMost: 9 }];
  await inner.budgets.reserve({ scope, runId: "run_1", key: "call:1", amounts });
  let taken: readonly number[] = [];
  void flaky.budgets.taken(scope, ["other", "sum"]).then((answer) => (taken = answer));
  await world.run(100, () => false);
  expect(taken).toEqual([0, 5]);
});

test("a batch may be done in part", async () => {
  const { world, inner, flaky } = setUp({ partialBatch: 1 });
  await inner.runs.commit(newRun("run_1"));
  const posts = Array.from({ length: 20 }, (_item, number) => ({
    scope,
    runId: "run_1",
    effectKey: `effect_${number}`,
    body: "{}",
  }));
  flaky.inbox.post(posts).catch(() => {});
  await world.run(100, () => false);
  const there = await inner.inbox.read({ scope, runId: "run_1" });
  expect(there.length).toBeGreaterThan(0);
  expect(there.length).toBeLessThan(20);
});

test("a dead machine is never answered", async () => {
  const { world, machine, flaky } = setUp({ latencyMs: 10 });
  let told = false;
  flaky.runs.get({ scope, runId: "run_1" }).then(
    () => (told = true),
    () => (told = true),
  );
  machine.kill();
  await world.run(1_000, () => false);
  expect(told).toBe(false);
});

test("changes may be lost, and otherwise arrive late", async () => {
  const { world, inner, flaky } = setUp({ lostNews: 1 });
  const heard: string[] = [];
  flaky.watch(({ type }) => heard.push(type));
  await inner.runs.commit(newRun("run_1"));
  await inner.workers.release({ workerId: "w1" });
  await world.run(1_000, () => false);
  expect(heard).toEqual([]);

  const calm = setUp({});
  calm.flaky.watch(({ type }) => heard.push(type));
  await calm.inner.runs.commit(newRun("run_1"));
  await calm.inner.workers.release({ workerId: "w1" });
  await calm.world.run(1_000, () => false);
  expect(heard).toContain("claimable");
});
