import { openTestDatabase, startPostgres } from "@procedo-testing/postgres";
import pg from "pg";
import { PostgresStorage } from "../../src/index.ts";
import { codeOf, firstRow, post, row, scope } from "../run-rows.ts";
const server = await startPostgres();
const url = await server.createDatabase();
const u = new URL(url);
// 1
{
  const pool = new pg.Pool({ host: u.hostname, port: Number(u.port), user: u.username, password: u.password, database: u.pathname.slice(1), max: 2 });
  pool.on("error", () => undefined);
  console.log("1 pool with password:", await codeOf(PostgresStorage.open({ pool, timeoutMs: 2000 }).then(async (s) => { await s.close(); return "ok"; })));
  await pool.end();
}
const storage = await PostgresStorage.connect(url, { timeoutMs: 1000 });
const show = async (name: string, p: Promise<unknown>) => { const t = performance.now(); const r = await p.then((v) => v, (e) => e); console.log(name, (performance.now() - t).toFixed(0) + "ms", r instanceof Error ? `${(r as any).code} ${r.message}` : JSON.stringify(r)); };
// 2 cursor
await storage.runs.commit([firstRow("a"), firstRow("b")]);
const page = await storage.runs.list({ scope, limit: 1 });
const parts = JSON.parse(Buffer.from(page.nextCursor ?? "", "base64url").toString());
for (const bad of [1.5, 1e300]) await show("2 cursor " + bad, storage.runs.list({ scope, limit: 1, cursor: Buffer.from(JSON.stringify([parts[0], bad, 1])).toString("base64url") }));
// 3
await show("3 NUL", storage.runs.get({ scope, runId: "\0" }));
// 6
{
  const s = await PostgresStorage.connect(url, { now: () => { throw new Error("a bug"); }, notify: false });
  await show("6 bug in work", s.inbox.post([post("a")]));
  await s.close();
}
// 7
await storage.inbox.post([post("a", "k1"), post("a", "k2")]);
await show("7 consume twice", storage.runs.commit([row("a", 2, { consume: ["k1", "k1"], then: { kind: "ended", status: "completed", endedAtMs: 1 } })]));
// 4
server.pause();
const t0 = performance.now();
const calls = Array.from({ length: 4 }, async (_, i) => { await new Promise((r) => setTimeout(r, i * 300)); const t = performance.now(); const c = await codeOf(storage.runs.commit([firstRow(`x${i}`)])); return `${i}: ${c} after ${(performance.now() - t).toFixed(0)}`; });
console.log("4", await Promise.all(calls), (performance.now() - t0).toFixed(0));
server.resume();
await new Promise((r) => setTimeout(r, 300));
await storage.runs.get({ scope, runId: "a" }).catch((e) => console.log(e.message));
server.pause();
const closing = storage.close().then(() => "closed");
console.log("5 close", await Promise.race([closing, new Promise((r) => setTimeout(() => r("hangs"), 5000))]));
server.resume();
await closing;
// 10
{
  const admin = new pg.Client(url); await admin.connect();
  await admin.query("CREATE ROLE app LOGIN PASSWORD 'app'; CREATE SCHEMA own AUTHORIZATION app");
  const a = new URL(url); a.username = "app"; a.password = "app";
  await show("10 own schema", PostgresStorage.connect(a.href, { schema: "own", notify: false }).then(async (s) => { await s.close(); return "ok"; }));
  await admin.end();
}
// wal syncs
{
  const s = await PostgresStorage.connect(url, {});
  const admin = new pg.Client(url); await admin.connect();
  const q = async () => { await new Promise((r) => setTimeout(r, 1200)); return (await admin.query("SELECT wal_sync, wal_write FROM pg_stat_wal")).rows[0]; };
  const before = await q();
  for (let i = 0; i < 200; i++) await s.runs.commit([firstRow(`w${i}`, { then: { kind: "ended", status: "completed", endedAtMs: 1 } })]);
  console.log("8", before, await q());
  await admin.end(); await s.close();
}
await server.close();
