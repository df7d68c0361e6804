import { startPostgres, type PostgresServer } from "@procedo-testing/postgres";
import { seededRandom } from "@procedo-testing/faults";
import { PostgresStorage } from "@procedo/storage-postgres";
import pg from "pg";
import { playRace, type RaceResult } from "./play-race.ts";
import { scheduledPool } from "./scheduled-pool.ts";
import { createStatementScheduler, type StatementScheduler } from "./statement-scheduler.ts";

/** One real Postgres with several nodes, on which seeds are raced one after another. */
export interface RaceTrack {
  readonly version: string;
  race(seed: number): Promise<RaceResult & { readonly trace: readonly string[] }>;
  close(): Promise<void>;
}

const nodeCount = 3;
const connectionsPerNode = 4;
/** Races while an unrelated transaction holds rows. */
const heldTurns = 3;
/** The time of storage, which stands still during a race. */
export const raceTimeMs = Date.UTC(2026, 10, 20);

/** No race is judged by its duration. */
const timeoutMs = 120_000;

/** Races test the order of statements, not durability: commits need not reach a disk. A deadlock is detected soon. */
const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", deadlock_timeout: "20ms" };

/** @param url of the database; concurrent races in one database need different schemas */
export async function openRaceTrack(url: string, schema = "races"): Promise<RaceTrack> {
  const now = (): number => raceTimeMs;
  const open: { close(): Promise<void> }[] = [];
  let scheduler: StatementScheduler | undefined;
  const poolOf = (max: number): pg.Pool => {
    const pool = new pg.Pool({ connectionString: url, max, idleTimeoutMillis: 0 });
    open.push({ close: () => pool.end() });
    return pool;
  };
  const storageOn = async (pool: pg.Pool): Promise<PostgresStorage> => {
    // Change notifications are off: races test stored state alone.
    const storage = await PostgresStorage.open({ pool, schema, now, timeoutMs, pollMs: 3_600_000 });
    open.push(storage);
    return storage;
  };

  const watch = poolOf(1);
  const stranger = scheduledPool(poolOf(connectionsPerNode), () => scheduler, "other");
  const beside = await storageOn(poolOf(connectionsPerNode));
  const nodes: PostgresStorage[] = [];
  for (let node = 0; node < nodeCount; node++) {
    nodes.push(await storageOn(scheduledPool(poolOf(connectionsPerNode), () => scheduler, `w${node}`)));
  }
  const { rows } = await watch.query<{ server_version: string }>("SHOW server_version");

  return {
    version: rows[0]?.server_version ?? "unknown",
    race: async (seed) => {
      const random = seededRandom(seed, "race");
      const turns = createStatementScheduler(random.fork("order"), (pids) => blockedAmong(watch, pids));
      scheduler = turns;
      try {
        const workspace = `${schema}-${seed}`;
        const drive = (work: Promise<unknown>): Promise<void> => turns.drive(work);
        const result = await playRace({
          workspace,
          random,
          nowMs: now,
          nodes,
          beside,
          drive,
          holdRuns: (runIds) => holdRows(stranger, schema, runIds),
        });
        const { trace } = turns;
        return { ...result, violations: [...result.violations, ...trace.filter(isHeldUpClaim)], trace };
      } finally {
        scheduler = undefined;
      }
    },
    close: async () => {
      for (const one of open.reverse()) await one.close();
    },
  };
}

/** Claims skip rows that others have locked: a node never waits for a slow one. */
function isHeldUpClaim(line: string): boolean {
  return line.startsWith("…") && line.endsWith(": queue-claim");
}

/** A server for races; its data is discarded. */
export function startRaceServer(): Promise<PostgresServer> {
  return startPostgres({ settings });
}

/** Statements that arrive meanwhile wait with the snapshot that they began with, and so overlap with the others. */
async function holdRows(pool: pg.Pool, schema: string, runIds: readonly string[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query(
      `SELECT FROM ${pg.escapeIdentifier(schema)}.runs WHERE run_id = ANY ($1) ORDER BY run_id FOR UPDATE`,
      [runIds],
    );
    for (let turn = 0; turn < heldTurns; turn++) await client.query("SELECT");
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}

async function blockedAmong(watch: pg.Pool, pids: readonly number[]): Promise<ReadonlySet<number>> {
  const text = "SELECT pid FROM unnest($1::int[]) AS pid WHERE cardinality(pg_blocking_pids(pid)) > 0";
  const { rows } = await watch.query<{ pid: number }>({ name: "blocked", text, values: [pids] });
  return new Set(rows.map(({ pid }) => pid));
}
