import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { afterAll, beforeAll } from "vitest";
import { agentReloads } from "../../packages/engine/test/agent-reloads.ts";

let folder = "";
let files = 0;
const opened: SqliteStorage[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "procedo-agent-"));
});

afterAll(async () => {
  for (const storage of opened) await storage.close();
  await rm(folder, { recursive: true, force: true });
});

agentReloads(async (now) => {
  files += 1;
  const storage = await SqliteStorage.open({ path: join(folder, `${files}.sqlite`), now });
  opened.push(storage);
  return storage;
});
