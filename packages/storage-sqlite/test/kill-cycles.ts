import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SqliteStorage } from "../src/index.ts";
import { runScript } from "./child-process.ts";
import { scope } from "./rows.ts";

export interface KillReport {
  readonly cycles: number;
  readonly acknowledgedRows: number;
  readonly failures: readonly string[];
}

/**
 * Kills a committing process (SIGKILL) repeatedly, each time at another point of its work, and opens its database:
 * every acknowledged row must exist, no run may have a gap, and the file must be intact.
 */
export async function killCycles({
  directory,
  cycles,
}: {
  readonly directory: string;
  readonly cycles: number;
}): Promise<KillReport> {
  const path = join(directory, "killed.sqlite");
  const acknowledged = new Set<string>();
  const failures: string[] = [];
  for (let cycle = 0; cycle < cycles; cycle++) {
    const child = runScript("committing-process.ts", [path, `cycle-${cycle}`]);
    let batches = 0;
    for await (const line of child.lines) {
      for (const row of line.split(" ")) acknowledged.add(row);
      batches += 1;
      if (batches === 1 + ((cycle * 7) % 23)) child.kill();
    }
    if (batches === 0) failures.push(`cycle ${cycle}: the process ended before it committed anything`);
    failures.push(...(await problemsOf(path, acknowledged)).map((problem) => `cycle ${cycle}: ${problem}`));
  }
  return { cycles, acknowledgedRows: acknowledged.size, failures };
}

async function problemsOf(path: string, acknowledged: ReadonlySet<string>): Promise<readonly string[]> {
  const storage = await SqliteStorage.open({ path, pollMs: 0 });
  const newest = await storage.runs.list({ scope, limit: 1 });
  await storage.close();
  return [...(newest.items.length === 0 ? ["no run is listed"] : []), ...problemsWithin(path, acknowledged)];
}

/** Reads the tables directly: thousands of rows, in each cycle. */
function problemsWithin(path: string, acknowledged: ReadonlySet<string>): readonly string[] {
  const database = new DatabaseSync(path);
  const problems: string[] = [];
  const stored = new Set<string>();
  for (const row of database.prepare("SELECT run_id, seq FROM runs LEFT JOIN journal USING (run)").iterate()) {
    stored.add(`${String(row["run_id"])}:${String(row["seq"])}`);
  }
  for (const row of acknowledged) if (!stored.has(row)) problems.push(`row ${row} was acknowledged and is lost`);
  const gaps = `SELECT run_id, count(seq) AS rows, max(seq) AS last FROM runs LEFT JOIN journal USING (run)
                 GROUP BY run HAVING rows = 0 OR rows <> last`;
  for (const gap of database.prepare(gaps).all()) problems.push(`a gap in ${JSON.stringify(gap)}`);
  const integrity = database.prepare("PRAGMA integrity_check").all();
  problems.push(...integrity.map((row) => String(row["integrity_check"])).filter((text) => text !== "ok"));
  problems.push(
    ...database
      .prepare("PRAGMA foreign_key_check")
      .all()
      .map((row) => JSON.stringify(row)),
  );
  database.close();
  return problems;
}
