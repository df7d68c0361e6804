import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Storage } from "@procedo/storage";
import type { ConformanceOptions } from "@procedo/storage/conformance";
import { describeAgainstMemory, describeStorage } from "@procedo/storage/conformance";
import { SqliteStorage } from "../src/index.ts";

const directory = mkdtempSync(join(tmpdir(), "procedo-conformance-"));
const paths = new Map<Storage, string>();
const abandoned: Storage[] = [];

async function open(path: string, now: () => number): Promise<Storage> {
  const storage = await SqliteStorage.open({ path, now, pollMs: 0 });
  paths.set(storage, path);
  return storage;
}

const options: ConformanceOptions = {
  create: (now) => open(join(directory, `${paths.size}.sqlite`), now),
  reopen(storage, now) {
    // As after a crash, nothing is closed or checkpointed before the file is opened again.
    abandoned.push(storage);
    return open(paths.get(storage) ?? "", now);
  },
};

afterAll(async () => {
  for (const storage of abandoned) await storage.close();
  rmSync(directory, { recursive: true, force: true });
});

describeStorage("sqlite", options);
describeAgainstMemory("sqlite", { ...options, seeds: Array.from({ length: 12 }, (_, seed) => seed), steps: 150 });
