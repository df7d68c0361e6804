import { createMemoryStorage } from "@procedo/storage";
import { expect, test } from "vitest";
import { createConnectionUses } from "./connection-uses.ts";

const workspace = "default";

/** A storage with versions of one procedure, each with a number of calls of its own connection. */
async function storageOf(versions: number, calls: number) {
  const storage = createMemoryStorage({ now: () => 0 });
  for (let seq = 1; seq <= versions; seq++) {
    const call = { id: "c", kind: "tool_call", connection: `of-v${seq}`, action: "x" };
    const document = JSON.stringify({ nodes: Array.from({ length: calls }, () => call) });
    const version = {
      workspace,
      procedureId: "p",
      version: `v${seq}`,
      name: "P",
      document,
      publishedBy: "a",
      publishedAtMs: 0,
    };
    const audit = { seq, hash: String(seq), body: "{}" };
    await storage.procedures.publish({ version, defaultIn: [], defaultIfFirst: "sandbox", audit });
  }
  return storage;
}

function countingSlices() {
  let asked = 0;
  return { slices: { next: async () => void (asked += 1) }, asked: () => asked };
}

test("reading a version takes one slice of long work, and a cached version takes none", async () => {
  const { slices, asked } = countingSlices();
  const uses = createConnectionUses({ storage: await storageOf(7, 1), workspace, slices });
  expect(await uses.ofVersions("of-v3", 20)).toEqual([
    { procedureId: "p", version: "v3", calls: [{ nodeId: "c", action: "x" }] },
  ]);
  expect(asked()).toBe(7);
  expect(await uses.ofVersions("of-nobody", 20)).toEqual([]);
  expect(asked()).toBe(7);
});

test("versions with more calls than the cache holds are found too, and read again", async () => {
  const { slices, asked } = countingSlices();
  const uses = createConnectionUses({ storage: await storageOf(3, 9_000), workspace, slices });
  for (const round of [1, 2]) {
    for (const version of ["v1", "v2", "v3"]) {
      expect(await uses.ofVersions(`of-${version}`, 20), `round ${round}`).toMatchObject([{ version }]);
    }
  }
  expect(asked()).toBeGreaterThan(3);
});
