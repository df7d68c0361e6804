import { DatabaseSync } from "node:sqlite";

/** One executed step with its exact input and output as JSON. */
export interface JournalRow {
  readonly runId: number;
  readonly seq: number;
  readonly node: string;
  readonly input: string;
  readonly output: string;
}

/** Makes rows durable, either in this thread or in a worker thread. */
export interface JournalWriter {
  /** Resolves when the row is durable. */
  append(row: JournalRow): Promise<void>;
  close(): Promise<void>;
}

/** The value of `PRAGMA synchronous` for FULL. */
const FULL = 2;

/** Opens the ideal journal with WAL and `synchronous=FULL`, and checks both. */
export function openJournal(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  const mode = db.prepare("PRAGMA journal_mode").get()?.["journal_mode"];
  const synchronous = db.prepare("PRAGMA synchronous").get()?.["synchronous"];
  if (mode !== "wal" || synchronous !== FULL) {
    throw new Error(`The journal opened with journal_mode ${String(mode)}, synchronous ${String(synchronous)}.`);
  }
  db.exec(
    "CREATE TABLE IF NOT EXISTS journal (run_id INTEGER, seq INTEGER, node TEXT, input TEXT, output TEXT, PRIMARY KEY (run_id, seq))",
  );
  return db;
}

/** Returns a function that writes a batch of rows in one transaction: durable when it returns. */
export function batchInsert(db: DatabaseSync): (rows: readonly JournalRow[]) => void {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const insert = db.prepare("INSERT INTO journal VALUES (?, ?, ?, ?, ?)");
  const commit = db.prepare("COMMIT");
  return (rows) => {
    begin.run();
    for (const { runId, seq, node, input, output } of rows) insert.run(runId, seq, node, input, output);
    commit.run();
  };
}

/** Group commit in this thread: all rows of one turn of the event loop become one transaction at its end. */
export function inThreadWriter(db: DatabaseSync): JournalWriter {
  const write = batchInsert(db);
  let rows: JournalRow[] = [];
  let durable: (() => void)[] = [];
  const flush = (): void => {
    const batch = rows;
    const settle = durable;
    rows = [];
    durable = [];
    write(batch);
    for (const resolve of settle) resolve();
  };
  return {
    append: (row) =>
      new Promise((resolve) => {
        if (rows.push(row) === 1) setImmediate(flush);
        durable.push(resolve);
      }),
    close: async () => db.close(),
  };
}
