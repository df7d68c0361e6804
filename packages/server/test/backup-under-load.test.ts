import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { CreatedApiKey } from "@procedo/contract";
import { cases } from "@procedo-testing/tiers";
import { expect, onTestFinished, test } from "vitest";
import { payment } from "./bank.ts";
import { call, fileWith, makePlace, procedo, procedoJson, startProcess, type ServerProcess } from "./server-process.ts";

test("a backup under load contains every earlier acknowledgement, and a server runs on the verified restore", async () => {
  const rounds = cases({ commit: 2, nightly: 50, release: 50 });
  for (let round = 0; round < rounds; round++) await backUpAndRestore();
});

async function backUpAndRestore(): Promise<void> {
  const place = makePlace();
  const servers: ServerProcess[] = [];
  onTestFinished(async () => {
    for (const { kill, ended } of servers) {
      kill("SIGKILL");
      await ended;
    }
    place.remove();
  });
  const server = await startProcess(place);
  servers.push(server);
  await procedoJson(place, "procedures", "publish", fileWith(place, "payment.json", payment), "--version", "1");
  const create = ["keys", "create", "--name", "load", "--environment", "sandbox"];
  const { key } = await procedoJson<CreatedApiKey>(place, ...create);

  const acknowledged: string[] = [];
  let loading = true;
  const load = Array.from({ length: 4 }, async () => {
    while (loading) {
      const { body } = await call(`${server.url}/v1/procedures/payment/sandbox`, key, { data: { sum: 1 } });
      acknowledged.push((body as { readonly runId: string }).runId);
    }
  });
  while (acknowledged.length < 40) await new Promise((resolve) => setImmediate(resolve));
  const before = [...acknowledged];
  const backup = join(place.folder, "backup.sqlite");
  const { bytes } = await procedoJson<{ bytes: number }>(place, "backup", backup);
  loading = false;
  await Promise.all(load);
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);

  expect(bytes).toBeGreaterThan(0);
  const restored = { ...place, env: { ...place.env, PROCEDO_DATA_DIR: join(place.folder, "restored") } };
  const answer = await procedoJson<{ deliveriesEnded: number }>(restored, "restore", backup);
  expect(answer).toMatchObject({ deliveriesEnded: 0 });
  expect(await procedo(restored, "restore", backup)).toMatchObject({ code: 1, err: expect.stringContaining("exists") });
  copyFileSync(join(place.folder, "data/master.key"), join(place.folder, "restored/master.key"));
  expect(await procedo(restored, "audit", "verify")).toMatchObject({ code: 0 });
  const again = await startProcess(restored);
  servers.push(again);
  for (const runId of before) {
    expect(await call(`${again.url}/runs/${runId}`, key)).toMatchObject({ status: 200, body: { runId } });
  }
  again.kill("SIGTERM");
  expect(await again.ended).toBe(0);
}
