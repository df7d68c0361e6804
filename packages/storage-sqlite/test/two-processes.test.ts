import { join } from "node:path";
import type { Change } from "@procedo/storage";
import { expect, it, onTestFinished } from "vitest";
import { SqliteStorage } from "../src/index.ts";
import { runScript } from "./child-process.ts";
import { commitAll, firstRow, row, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

it("three processes on one file never hold the same run, and none loses a write", async () => {
  const path = join(temporaryDirectory(), "procedo.sqlite");
  const storage = await SqliteStorage.open({ path });
  onTestFinished(() => storage.close());
  const runIds = Array.from({ length: 300 }, (_, index) => `run-${index}`);
  const parked = { kind: "parked", status: "running", wakeAtMs: 0 } as const;
  await commitAll(
    storage.runs,
    runIds.map((runId) => firstRow(runId, { then: parked })),
  );

  const given = await Promise.all(
    ["a", "b", "c"].map(async (worker) => {
      const lines: string[] = [];
      for await (const line of runScript("claiming-process.ts", [path, worker]).lines) {
        if (line !== "ready") lines.push(line);
      }
      return lines;
    }),
  );
  const all = given.flat();
  expect(all.filter((line) => !line.endsWith(" committed"))).toEqual([]);
  expect(all.map((line) => line.split(" ")[0]).sort()).toEqual(runIds.toSorted());
  for (const runId of runIds) expect(await storage.runs.journal({ scope, runId })).toHaveLength(2);
});

it("a change of another process wakes the watchers", async () => {
  const path = join(temporaryDirectory(), "procedo.sqlite");
  const storage = await SqliteStorage.open({ path, pollMs: 1 });
  onTestFinished(() => storage.close());
  const changes: Change[] = [];
  const elsewhere = new Promise<void>((resolve) => {
    storage.watch((change) => {
      changes.push(change);
      if (change.type === "resync") resolve();
    });
  });
  await storage.runs.commit(firstRow("run-1"));
  await storage.runs.commit(row("run-1", 2, { then: { kind: "ended", status: "completed", endedAtMs: 1 } }));
  expect(changes).toEqual([{ type: "settled", runId: "run-1", scope }]);
  // Sends a heartbeat, which is a write.
  for await (const line of runScript("claiming-process.ts", [path, "worker-2"]).lines) expect(line).toBe("ready");
  await elsewhere;
});
