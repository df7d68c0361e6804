/* Claims all available runs of the database at the given path, and parks each again. Prints the claimed runs. */
import { writeSync } from "node:fs";
import { SqliteStorage } from "../src/index.ts";
import { commitAll, row, scope } from "./rows.ts";

const [path = "", workerId = ""] = process.argv.slice(2);
const storage = await SqliteStorage.open({ path });
await storage.workers.heartbeat({ workerId, leaseMs: 600_000 });
writeSync(1, "ready\n");

for (;;) {
  const { runs } = await storage.runs.claim({ workspace: scope.workspace, workerId, limit: 3 });
  if (runs.length === 0) break;
  const then = { kind: "parked", status: "running", wakeAtMs: undefined } as const;
  const results = await commitAll(
    storage.runs,
    runs.map(({ runId, epoch }) => row(runId, 2, { epoch, then })),
  );
  for (const [index, { runId }] of runs.entries()) writeSync(1, `${runId} ${results[index]?.status}\n`);
}
await storage.close();
