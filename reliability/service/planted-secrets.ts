import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { canary, type Canary, type Trace } from "./canary-forms.ts";

/** The planted secrets, and the bytes that were written since. */
export interface PlantedSecrets {
  readonly canaries: Map<string, Canary>;
  readonly traces: Trace[];
  /** A secret for a connection, with characters that encodings change; the same name returns the same secret. */
  token(name: string): string;
  /** Registers a secret and returns it. */
  add(name: string, text: string): string;
  note(where: string, text: string): void;
}

/** Number of characters of a secret that count as a leak. */
const partLength = 12;

export function plantSecrets(): PlantedSecrets {
  const canaries = new Map<string, Canary>();
  const tokens = new Map<string, string>();
  const traces: Trace[] = [];
  const add = (name: string, text: string): string => {
    canaries.set(name, canary(name, text));
    return text;
  };
  const token = (name: string): string => {
    const text = tokens.get(name) ?? `cn/+"${randomBytes(18).toString("base64")}%`;
    tokens.set(name, text);
    // A truncated text may contain a part of a secret.
    add(`the beginning of ${name}`, text.slice(0, partLength));
    add(`the end of ${name}`, text.slice(-partLength));
    return add(name, text);
  };
  return { canaries, traces, token, add, note: (where, text) => traces.push({ where, bytes: Buffer.from(text) }) };
}

/**
 * Adds the database, its WAL and its backup to the traces: the bytes, and each value, because a value may cross pages.
 */
export function readFiles(databasePath: string, planted: PlantedSecrets): void {
  const folder = dirname(databasePath);
  for (const name of readdirSync(folder).filter((one) => one.includes(".sqlite"))) {
    const where = name.startsWith("backup")
      ? "the backup"
      : `the file ${name.replace(basename(databasePath), "database")}`;
    planted.traces.push({ where, bytes: readFileSync(join(folder, name)) });
  }
  const db = new DatabaseSync(databasePath, { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) {
      const rows = db.prepare(`SELECT * FROM "${String(name)}"`).all();
      const values = rows.flatMap((row) => Object.values(row));
      const bytes = values.map((value) => (value instanceof Uint8Array ? value : Buffer.from(`${String(value)}\n`)));
      planted.traces.push({ where: `the table ${String(name)}`, bytes: Buffer.concat(bytes) });
    }
  } finally {
    db.close();
  }
}
