import type { CreatedApiKey } from "@procedo/contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLog, readSettings, startServer } from "../src/index.ts";
import { inquiry, integrations } from "./bank.ts";
import { call, fileWith, makePlace, procedoJson } from "./server-process.ts";
import { openVault } from "./vault.ts";

test("calls have the full drain time, however long waiting requests were answered before", async () => {
  const place = makePlace();
  onTestFinished(() => place.remove());
  const vault = await openVault();
  onTestFinished(() => vault.close());
  const by = { person: "operator" };
  const connection = { name: "vault", integration: "vault", environment: "sandbox" } as const;
  const server = await startServer({ settings: readSettings(place.env), integrations, log: createLog("silent") });
  const secrets = { token: "token" };
  await server.engine.connections.create({ ...connection, settings: { url: vault.url }, secrets, by });
  await procedoJson(place, "procedures", "publish", fileWith(place, "inquiry.json", inquiry), "--version", "1");
  const create = ["keys", "create", "--name", "test", "--environment", "sandbox"];
  const { key } = await procedoJson<CreatedApiKey>(place, ...create);

  const url = `http://127.0.0.1:${server.port}/v1/procedures/inquiry/sandbox`;
  const waiting = call(url, key, { data: { question: "6 x 9" }, control: { executionMode: "sync" } });
  await vault.next();
  const stopping = vi.spyOn(server.engine, "stop");
  await server.stop({ drainMs: 200 });
  expect((await waiting).body).toMatchObject({ status: "timeout" });
  expect(stopping.mock.calls).toEqual([[{ drainMs: 200 }]]);
});
