import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createEngine } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import type { ProofGroup } from "../proof-group.ts";

/**
 * The expected pragmas, as SQLite reports them: an acknowledged write is on disk, references are enforced, and no lock
 * blocks the thread.
 */
const wanted = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 0 } as const;

/** crash-pragmas: reads the pragmas of every connection that the product opens, in all ways in which it opens one. */
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
    // A new file, a second connection, a given connection, a reopened file. Fewer would mean that connections
    // were missed.
    if (read !== (1 + 3 + 3 + 1) * Object.keys(wanted).length)
      failures.push(`crash-pragmas: only ${read} pragmas were read.`);
    return { counts: { pragmasRead: read }, failures };
  },
};

/** Collects every connection on which this process prepares a statement during the work. */
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
