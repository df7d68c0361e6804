import { openTestDatabase } from "@procedo-testing/postgres";
import { PostgresStorage } from "../src/index.ts";
import pg from "pg";
const t = (label: string, from: number) => console.log(label, (performance.now() - from).toFixed(1));
let s = performance.now();
const db = await openTestDatabase();
t("server", s);
const pool = new pg.Pool({ connectionString: db.url, max: 8 });
for (let i = 0; i < 4; i++) {
  s = performance.now();
  const storage = await PostgresStorage.open({ pool, schema: `s${i}`, now: () => 1_790_000_000_000, notify: i < 3 });
  t("open", s);
  for (let k = 0; k < 3; k++) {
  s = performance.now();
  console.log(JSON.stringify(await storage.runs.commit([{ scope: { workspace: "acme", environment: "sandbox" }, runId: `run-${k}`, epoch: 1, seq: 1, hash: "h", body: "{}", then: { kind: "hot", workerId: "w" }, create: { procedureId: "p", procedureVersion: "v", createdAtMs: 1, startedBy: "x" } }])));
  t("create", s);
  s = performance.now();
  console.log(JSON.stringify(await storage.runs.commit([{ scope: { workspace: "acme", environment: "sandbox" }, runId: `run-${k}`, epoch: 1, seq: 2, hash: "h", body: "{}", then: { kind: "hot", workerId: "w" } }])));
  t("row", s);
  }
  s = performance.now();
  await storage.runs.claim({ workspace: "acme", workerId: "w2", limit: 1 });
  t("claim", s);
  s = performance.now();
  await storage.close();
  t("close", s);
}
s = performance.now();
await pool.end();
await db.close();
t("end", s);
