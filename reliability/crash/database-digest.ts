import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

/** SHA-256 over every row of every table: equal digests mean equal contents. */
export function databaseDigest(database: DatabaseSync): string {
  const digest = createHash("sha256");
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  for (const { name } of tables) {
    const rows = database.prepare(`SELECT * FROM "${String(name)}" ORDER BY rowid`).all();
    digest.update(JSON.stringify([name, rows]));
  }
  return digest.digest("hex");
}
