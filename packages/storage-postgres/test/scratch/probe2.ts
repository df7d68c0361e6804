import { startPostgres } from "@procedo-testing/postgres";
import pg from "pg";
import { PostgresStorage } from "../../src/index.ts";
import { firstRow, scope } from "../run-rows.ts";
const server = await startPostgres();
const url = await server.createDatabase();
const admin = new pg.Client(url); await admin.connect();
const q = async () => { await new Promise((r) => setTimeout(r, 1500)); return Number((await admin.query("SELECT sum(fsyncs) AS n FROM pg_stat_io WHERE object = 'wal' AND backend_type='client backend'")).rows[0].n); };
for (const notify of [true, false]) {
  const s = await PostgresStorage.connect(url, { schema: `s${notify}`, notify });
  const before = await q();
  const t = performance.now();
  for (let i = 0; i < 300; i++) await s.runs.commit([firstRow(`w${i}`, { then: { kind: "ended", status: "completed", endedAtMs: 1 } })]);
  console.log("8 notify", notify, "ms", (performance.now() - t).toFixed(0), "fsyncs", (await q()) - before);
  await s.close();
}
// conformance costs
const pool = new pg.Pool({ connectionString: url, max: 8 });
pool.on("error", () => undefined);
const now = () => 1;
for (const notify of [true, false]) for (let r = 0; r < 3; r++) {
  const t0 = performance.now();
  const s = await PostgresStorage.open({ pool, schema: "conf", now, notify });
  const t1 = performance.now();
  const { rows } = await pool.query("SELECT format('DELETE FROM %I.%I', schemaname, tablename) AS sql FROM pg_tables WHERE schemaname = $1 AND tablename <> 'procedo_migrations'", ["conf"]);
  const t2 = performance.now();
  await pool.query(`BEGIN; SET LOCAL session_replication_role = replica; ${rows.map((x: any) => x.sql).join("; ")}; COMMIT`);
  const t3 = performance.now();
  await s.close();
  console.log("open", (t1 - t0).toFixed(1), "list", (t2 - t1).toFixed(1), "delete", (t3 - t2).toFixed(1), "close", (performance.now() - t3).toFixed(1));
}
// seq scans in plans of all statements prepared by a run through
const names = await pool.query("SELECT 1");
await pool.end(); await admin.end(); await server.close();
