import { openTestDatabase } from "@procedo-testing/postgres";
import { PostgresStorage } from "../src/index.ts";
import { commitStatement, continueStatement } from "../src/commit-statement.ts";
import pg from "pg";
const db = await openTestDatabase();
const storage = await PostgresStorage.connect(db.url, { poolSize: 1 });
await storage.close();
const c = new pg.Client(db.url); await c.connect();
await c.query("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off");
for (const s of [continueStatement('"procedo"'), commitStatement('"procedo"')]) {
  const n = Math.max(...[...s.text.matchAll(/\$(\d+)/g)].map((m) => Number(m[1])));
  await c.query(`PREPARE x AS ${s.text}`);
  const r = await c.query(`EXPLAIN EXECUTE x(${Array(n).fill("NULL").join(",")})`);
  console.log(r.rows.map((x) => x["QUERY PLAN"]).join("\n"));
  await c.query("DEALLOCATE x");
}
await c.end(); await db.close();
