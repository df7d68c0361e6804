import { ProcedoError } from "@procedo/contract";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { expect, test } from "vitest";
import { keyedStorage, writingVerbs } from "./keyed-storage.ts";

/**
 * The verbs of the port that write nothing, or need a lease of an earlier write. Each new verb belongs in one of the
 * tables.
 */
const otherVerbs = {
  runs: ["findByKey", "get", "journal", "output", "list", "heads"],
  inbox: ["read"],
  reviews: ["get", "open", "ofRun", "list"],
  invocations: ["ofRun", "backlog", "listClients"],
  budgets: ["taken"],
  workers: ["release", "listRuns", "areWorking", "releaseRuns"],
  procedures: ["version", "defaultVersion", "versions", "list"],
  records: ["get", "find", "list"],
  deliveries: ["list", "attempts"],
  retention: ["archivable", "stub", "stubs"],
} satisfies { readonly [Name in keyof typeof writingVerbs]: readonly (keyof Storage[Name])[] };

const stores = Object.keys(writingVerbs) as (keyof typeof writingVerbs)[];
const wrongKey = new ProcedoError("invalid_configuration", "another master key");

test("every verb of the port is either checked or known to write nothing", () => {
  const storage = createMemoryStorage({ now: Date.now });
  for (const name of stores) {
    const verbs = Object.entries(storage[name]).filter(([, member]) => typeof member === "function");
    const known: readonly string[] = [...writingVerbs[name], ...otherVerbs[name]];
    expect(verbs.map(([verb]) => verb).sort(), name).toEqual([...known].sort());
  }
});

test("no verb that writes reaches storage while the check fails; reads do", async () => {
  const reached: string[] = [];
  const { storage, noted } = recording(reached);
  const keyed = keyedStorage(storage, () => Promise.reject(wrongKey), { noted });
  for (const name of stores) {
    const verbs = keyed[name] as unknown as Record<string, () => Promise<unknown>>;
    for (const verb of writingVerbs[name]) await expect(verbs[verb]?.(), `${name}.${verb}`).rejects.toBe(wrongKey);
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
