import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createEngine } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import type { ProofGroup } from "../proof-group.ts";

/** As SQLite answers them: a write is on disk when it is acknowledged, references hold, and no lock blocks the thread. */
const wanted = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 0 } as const;

/** crash-pragmas: reads the pragmas of every connection that the product opens, however it comes to open it. */
export const everyConnection: ProofGroup = {
  id: "crash-pragmas",
  title: "Every connection writes ahead, syncs in full, holds foreign keys and never blocks",
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), "procedo-connections-"));
    const path = join(folder, "procedo.sqlite");
    const opened = new Set<DatabaseSync>();
    const failures: string[] = [];
    let read = 0;
    const readAll = (moment: string): void => {
      for (const [index, connection] of [...opened].entries()) {
        for (const [name, value] of Object.entries(wanted)) {
          const actual = Object.values(connection.prepare(`PRAGMA ${name}`).get() ?? {})[0];
          read += 1;
          if (actual !== value)
            failures.push(`crash-pragmas: ${moment}, connection ${index + 1}: ${name} is ${String(actual)}.`);
        }
      }
    };
    try {
      await observing(opened, async () => {
        const first = await SqliteStorage.open({ path });
        readAll("a new file");
        const beside = await SqliteStorage.open({ path, migrate: false });
        const given = new SqliteStorage({ database: new DatabaseSync(path) });
        readAll("three connections beside each other");
        const engine = createEngine({ storage: first, integrations: [], masterKey: new Uint8Array(32) });
        await engine.start();
        await engine.webhooks.list({ environment: "live", limit: 1 });
        await engine.stop();
        readAll("an engine has worked");
        for (const storage of [first, beside, given]) await storage.close();
        for (const connection of opened) if (connection.isOpen) connection.close();
        opened.clear();
        const again = await SqliteStorage.open({ path });
        readAll("a file that is opened again");
        await again.close();
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    // One new, one beside it, one given, one again: fewer would mean that the product's connections were not seen.
    if (read !== (1 + 3 + 3 + 1) * Object.keys(wanted).length)
      failures.push(`crash-pragmas: only ${read} pragmas were read.`);
    return { counts: { pragmasRead: read }, failures };
  },
};

/** Collects every connection on which anybody in this process prepares a statement meanwhile. */
async function observing(opened: Set<DatabaseSync>, work: () => Promise<void>): Promise<void> {
  const { prototype } = DatabaseSync;
  const { prepare } = prototype;
  prototype.prepare = function (this: DatabaseSync, ...args) {
    opened.add(this);
    return prepare.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.prepare = prepare;
  }
}
