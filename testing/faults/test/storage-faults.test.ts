import { createMemoryStorage, type RunCommit, type Storage } from "@procedo/storage";
import { expect, test } from "vitest";
import { interceptEveryVerb, interceptVerbs, interruptibleStorage } from "../src/index.ts";

const scope = { workspace: "w", environment: "sandbox" } as const;

const newRun = (runId: string): RunCommit => {
  const create = { procedureId: "p", procedureVersion: "v1", createdAtMs: 0, startedBy: "alice" };
  return { scope, runId, epoch: 1, seq: 1, hash: "h", body: "[]", create, then: { kind: "hot", workerId: "w1" } };
};

const memory = (): Storage => createMemoryStorage({ now: () => 0 });

test("a hook can lose the answer of a verb, pass another request on, and leaves the other verbs alone", async () => {
  const inner = memory();
  const storage = interceptVerbs(inner, {
    "runs.commit": async (send, commit) => {
      await send({ ...commit, runId: "run_other" });
      throw new Error("The answer was lost.");
    },
  });
  await expect(storage.runs.commit(newRun("run_1"))).rejects.toThrow("lost");
  expect(await storage.runs.get({ scope, runId: "run_1" })).toBeUndefined();
  expect(await storage.runs.get({ scope, runId: "run_other" })).toMatchObject({ runId: "run_other" });
});

test("a hook of every verb receives the verb's name and all its arguments, and sends all of them", async () => {
  const calls: unknown[] = [];
  const storage = interceptEveryVerb(memory(), async (send, verb, ...request) => {
    calls.push([verb, ...request]);
    return send();
  });
  expect(await storage.budgets.taken(scope, ["sum"])).toEqual([0]);
  expect(calls).toEqual([["budgets.taken", scope, ["sum"]]]);
});

test("a store that is an instance of a class keeps its methods and their `this`", async () => {
  const inner = memory();
  class Inbox {
    readonly #store = inner.inbox;
    post: Storage["inbox"]["post"] = (items) => this.#store.post(items);
    read(request: Parameters<Storage["inbox"]["read"]>[0]) {
      return this.#store.read(request);
    }
  }
  const storage = interceptVerbs({ ...inner, inbox: new Inbox() }, {});
  expect(await storage.inbox.read({ scope, runId: "run_1" })).toEqual([]);
});

test("a cut storage refuses requests, loses the answers on their way and reports no change until it is mended", async () => {
  const inner = memory();
  const link = interruptibleStorage(inner);
  const changes: string[] = [];
  link.storage.watch(({ type }) => void changes.push(type));
  link.on("runs.commit", async (send) => {
    const result = await send();
    link.cut();
    return result;
  });
  await expect(link.storage.runs.commit(newRun("run_1"))).rejects.toMatchObject({ code: "storage_unavailable" });
  await expect(link.storage.runs.get({ scope, runId: "run_1" })).rejects.toMatchObject({ code: "storage_unavailable" });
  await inner.workers.release({ workerId: "w1" });
  expect(changes).toEqual([]);
  link.mend();
  expect(await link.storage.runs.get({ scope, runId: "run_1" })).toMatchObject({ runId: "run_1" });
  expect([link.count("runs.commit"), link.count("runs.get")]).toEqual([1, 2]);
});

test("a stalled verb reaches storage only after the mend", async () => {
  const inner = memory();
  const link = interruptibleStorage(inner);
  link.hang();
  const committing = link.storage.runs.commit(newRun("run_1"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await inner.runs.get({ scope, runId: "run_1" })).toBeUndefined();
  link.mend();
  expect(await committing).toMatchObject({ status: "committed" });
});

test("a deafened storage reports no change and still answers", async () => {
  const inner = memory();
  const link = interruptibleStorage(inner);
  const changes: string[] = [];
  link.storage.watch(({ type }) => void changes.push(type));
  await link.storage.runs.commit(newRun("run_1"));
  link.deafen();
  const received = changes.length;
  await inner.workers.release({ workerId: "w1" });
  expect(changes).toHaveLength(received);
});
