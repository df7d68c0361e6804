import { ProcedoError } from "@procedo/contract";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { expect, test } from "vitest";
import { keyedStorage, verbKinds } from "./keyed-storage.ts";

const stores = Object.keys(verbKinds) as (keyof typeof verbKinds)[];
const wrongKey = new ProcedoError("invalid_configuration", "another master key");

test("every verb of an adapter has a kind and is forwarded", () => {
  const storage = createMemoryStorage({ now: Date.now });
  const keyed = keyedStorage(storage, () => Promise.resolve(), { noted: (write) => write });
  expect(Object.keys(keyed).sort()).toEqual(Object.keys(storage).sort());
  for (const name of stores) expect(Object.keys(keyed[name]).sort(), name).toEqual(Object.keys(storage[name]).sort());
});

test("no verb that writes reaches storage while the check fails; reads do", async () => {
  const reached: string[] = [];
  const { storage, noted } = recording(reached);
  const keyed = keyedStorage(storage, () => Promise.reject(wrongKey), { noted });
  for (const name of stores) {
    const verbs = keyed[name] as unknown as Record<string, () => Promise<unknown>>;
    const writing = Object.entries(verbKinds[name]).filter(([, kind]) => kind === "writes");
    for (const [verb] of writing) await expect(verbs[verb]?.(), `${name}.${verb}`).rejects.toBe(wrongKey);
  }
  expect(reached).toEqual([]);
  await keyed.runs.get({ scope: { workspace: "w", environment: "live" }, runId: "r" });
  expect(reached).toEqual(["runs.get"]);
});

test("the check runs once for writes at the same time, again after a failure, and never after it has passed", async () => {
  const reached: string[] = [];
  const { storage, noted, ends } = recording(reached);
  let checks = 0;
  let isAway = true;
  const check = async (): Promise<void> => {
    checks += 1;
    await Promise.resolve();
    if (isAway) throw new ProcedoError("storage_unavailable", "away");
  };
  const { inbox } = keyedStorage(storage, check, { noted });
  const failed = await Promise.allSettled([inbox.post([]), inbox.post([])]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(checks).toBe(1);
  isAway = false;
  await Promise.all([inbox.post([]), inbox.post([])]);
  await inbox.post([]);
  expect(checks).toBe(2);
  expect(reached).toEqual(["inbox.post", "inbox.post", "inbox.post"]);
  expect(ends).toEqual(["rejected", "rejected", "resolved", "resolved", "resolved"]);
});

/** Storage whose verbs only record their calls, with the outcomes of writes. */
function recording(reached: string[]) {
  const memory = createMemoryStorage({ now: Date.now });
  const ends: string[] = [];
  const replaced = stores.map((name) => {
    const verbs = Object.keys(memory[name]).map((verb) => [
      verb,
      () => Promise.resolve(void reached.push(`${name}.${verb}`)),
    ]);
    return [name, Object.fromEntries(verbs) as unknown] as const;
  });
  const storage: Storage = { ...memory, ...(Object.fromEntries(replaced) as Pick<Storage, (typeof stores)[number]>) };
  const noted = <T>(write: Promise<T>): Promise<T> => {
    void write.then(
      () => ends.push("resolved"),
      () => ends.push("rejected"),
    );
    return write;
  };
  return { storage, noted, ends };
}
