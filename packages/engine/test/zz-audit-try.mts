import { DatabaseSync } from "node:sqlite";
import { rmSync } from "node:fs";
import { createEngine, defineIntegration, defineAction, verifyExport, z } from "@procedo/engine";
import { SqliteStorage } from "../../storage-sqlite/src/index.ts";
import { procedure, call } from "./documents.ts";
const path = "/tmp/audit-try/db.sqlite";
for (const s of ["", "-wal", "-shm"]) rmSync(path + s, { force: true });
let shift = 0;
const clock = { now: () => Date.now() + shift, monotonic: () => performance.now(), after: (d, cb) => { const t = setTimeout(cb, d); return () => clearTimeout(t); }, soon: (cb) => setImmediate(cb) };
const storage = await SqliteStorage.open({ path, now: clock.now });
const bank = defineIntegration({ name: "bank", settings: z.object({}), actions: ({ defineAction }) => ({ pay: defineAction({ description: "x", input: z.object({}).loose(), effect: "once", run: async () => ({ id: "1", note: "x".repeat(200) }) }) }) });
const opts = { storage, integrations: [bank], masterKey: new Uint8Array(32).fill(3), clock };
const engine = createEngine(opts);
const by = { person: "ann" };
await engine.start();
await engine.connections.create({ name: "bank", integration: "bank", environment: "sandbox", by });
await engine.procedures.publish({ document: procedure([call("a", "pay"), call("b", "pay"), call("c", "pay")], { output: { id: "{{ nodes.c.output.id }}" } }), version: "v1", by });
const n = 20000;
let t = performance.now();
const ids = [];
for (let k = 0; k < n; k += 200) ids.push(...(await Promise.all(Array.from({ length: 200 }, () => engine.runs.execute({ procedureId: "p", environment: "sandbox", data: { amount: 5 }, by })))).map((r) => r.runId));
console.log("runs/s", Math.round(n / ((performance.now() - t) / 1000)));
await engine.stop();
shift = 3 * 3_600_000;
const late = createEngine(opts);
t = performance.now();
await late.start(); await late.stop();
console.log("checkpoint ms", Math.round(performance.now() - t));
const changes = await late.audit.changes();
console.log(changes.map((c) => c.action).join(" "), changes[1]);
t = performance.now();
const report = await late.audit.verify();
console.log("verify ms", Math.round(performance.now() - t), report);
t = performance.now();
const exported = await late.audit.exportRun({ environment: "sandbox", runId: ids[77] });
console.log("export ms", (performance.now() - t).toFixed(2), JSON.stringify(exported).length);
t = performance.now();
console.log(verifyExport(exported, late.audit.publicKey()), (performance.now() - t).toFixed(2));
await storage.close();
const db = new DatabaseSync(path);
console.log(db.prepare("select sum(length(body)) a, count(*) n from audit").get(), db.prepare("select sum(length(body)) j from journal").get());
console.log(db.prepare(`EXPLAIN QUERY PLAN SELECT run, run_id, ended_at_ms, head.seq, head.hash FROM runs INDEXED BY runs_ended
       LEFT JOIN journal AS head USING (run)
      WHERE scope = ?1 AND ended_at_ms IS NOT NULL AND (ended_at_ms, run) > (?2, ?3) AND ended_at_ms < ?4
        AND (head.seq IS NULL OR head.seq = (SELECT max(seq) FROM journal AS rows WHERE rows.run = runs.run))
      ORDER BY ended_at_ms, run LIMIT ?5`).all().map((r) => r.detail));
// tamper
console.log(db.prepare("select name, sum(pgsize) s from dbstat group by name order by s desc limit 6").all());
db.exec(`PRAGMA foreign_keys=OFF; DELETE FROM journal WHERE run=5; DELETE FROM runs WHERE run=5;
 DELETE FROM journal WHERE run=6;
 DELETE FROM journal WHERE run=7 AND seq=(SELECT max(seq) FROM journal WHERE run=7);
 UPDATE journal SET body=replace(body,'"amount":5','"amount":6') WHERE run=8;
 UPDATE runs SET ended_at_ms=ended_at_ms+99999999 WHERE run=9;
 UPDATE audit SET body=replace(body,'ann','bob') WHERE seq=1;`);
db.close();
const again = await SqliteStorage.open({ path, now: clock.now });
console.log((await createEngine({ ...opts, storage: again }).audit.verify()).problems);
console.log(ids[4], ids[5], ids[6], ids[7], ids[8]);
await again.close();
