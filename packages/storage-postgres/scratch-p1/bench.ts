import { openTestDatabase } from "@procedo-testing/postgres";
import { PostgresStorage } from "../src/index.ts";
import type { RunCommit } from "@procedo/storage";
import pg from "pg";
const db = await openTestDatabase();
const body = JSON.stringify({ pad: "x".repeat(640) });
const scope = { workspace: "acme", environment: "sandbox" } as const;
const hash = "h".repeat(43);
let n = 0;
const admin = new pg.Pool({ connectionString: db.url, max: 2 });
const stat = async () => (await admin.query("select pg_current_wal_insert_lsn() - '0/0' as wal, (select xact_commit from pg_stat_database where datname=current_database()) as commits")).rows[0];
import { readFileSync, readdirSync } from "node:fs";
const statOf = (pid: string) => readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
const backend = String((await admin.query("select pg_backend_pid() as pid")).rows[0].pid);
const postmaster = statOf(backend)[1]!;
function serverCpu(): number { // us
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((x) => /^\d+$/.test(x))) {
    try { const f = statOf(pid); if (f[1] === postmaster) ticks += Number(f[11]) + Number(f[12]); if (pid === postmaster) ticks += Number(f[13]) + Number(f[14]); } catch {}
  }
  return ticks * 10_000;
}
type Commit = (items: readonly RunCommit[]) => Promise<unknown>;
async function w1(commit: Commit) {
  const runId = `run_${Date.now().toString(36)}${(n++).toString(36).padStart(10, "0")}abcdefghijkl`;
  const one = async (item: Partial<RunCommit>) => {
    const r = await commit([{ scope, runId, epoch: 1, seq: 1, hash, body, then: { kind: "hot", workerId: "worker-1" }, ...item }]) as {status:string}[];
    if (r[0] !== undefined && r[0].status !== "committed") throw new Error(JSON.stringify(r));
  };
  await one({ create: { procedureId: "vendor-payment", procedureVersion: "v1", createdAtMs: Date.now(), startedBy: "key-1" } });
  await one({ seq: 2 });
  await one({ seq: 3 });
  await one({ seq: 4, then: { kind: "ended", status: "completed", endedAtMs: Date.now() }, events: [{ eventId: `evt_${runId}`, event: "run_completed", createdAtMs: 1, data: "{}" }] });
}
// like the engine: one call at a time, what comes meanwhile goes along
function gathered(commit: Commit): Commit {
  let waiting: { item: RunCommit; resolve: (v: unknown) => void; reject: (e: unknown) => void }[] = [];
  let busy = false;
  const go = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, 512);
      try { const r = (await commit(batch.map((b) => b.item))) as unknown[]; batch.forEach((b, i) => b.resolve([r[i]])); } catch (e) { batch.forEach((b) => b.reject(e)); }
    }
    busy = false;
  };
  return (items) => new Promise((resolve, reject) => { waiting.push({ item: items[0]!, resolve, reject }); if (!busy) { busy = true; setImmediate(() => void go()); } });
}
const pool = new pg.Pool({ connectionString: db.url, max: 4 });
await pool.query("create table ideal (run_id text, seq int, hash text, body text, primary key (run_id, seq))");
const ideal: Commit = async (items) => {
  await pool.query({ name: "ideal", text: "insert into ideal select * from unnest($1::text[], $2::int[], $3::text[], $4::text[])", values: [items.map((i) => i.runId), items.map((i) => i.seq), items.map((i) => i.hash), items.map((i) => i.body)] });
  return items.map(() => ({ status: "committed" }));
};
async function measure(label: string, commit: Commit, concurrency: number, ms: number) {
  const end = performance.now() + ms; let done = 0; const lat: number[] = [];
  const before = await stat(); const sc = serverCpu(); const s = performance.now(); const cpu = process.cpuUsage();
  await Promise.all(Array.from({ length: concurrency }, async () => { while (performance.now() < end) { const f = performance.now(); await w1(commit); lat.push(performance.now() - f); done++; } }));
  const took = performance.now() - s; const c = process.cpuUsage(cpu); const sc2 = serverCpu();
  await new Promise((r) => setTimeout(r, 1100));
  const after = await stat();
  lat.sort((a, b) => a - b);
  console.log(label.padEnd(26), `c${concurrency}`, (done / took * 1000).toFixed(0).padStart(6), "runs/s  p50", lat[Math.floor(lat.length / 2)]!.toFixed(2), "p99", lat[Math.floor(lat.length * 0.99)]!.toFixed(2), " commits/run", ((after.commits - before.commits) / done).toFixed(3), " wal/run", ((after.wal - before.wal) / done).toFixed(0), "server cpu us/run", ((sc2 - sc) / done).toFixed(0), "node cpu us/run", ((c.user + c.system) / done).toFixed(0));
}
const storage = await PostgresStorage.connect(db.url, { poolSize: 4 });
const direct: Commit = (items) => storage.runs.commit(items);
for (const round of [0, 1, 2]) {
  for (const [label, commit] of [["ideal gathered", gathered(ideal)], ["procedo gathered", gathered(direct)], ["procedo direct", direct]] as const) {
    await measure(label, commit, 1, 1500);
    await measure(label, commit, 100, 2000);
  }
  console.log(round);
}
await storage.close(); await pool.end(); await admin.end(); await db.close();
