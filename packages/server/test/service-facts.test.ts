import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readSettings, startServer } from "../src/index.ts";
import { createLog } from "../src/observe/log.ts";
import { makePlace } from "./server-process.ts";

test("an owner reads how the server is set up, without its secrets", async () => {
  const secrets = { OPENAI_API_KEY: "sk-not-shown-1", PROCEDO_METRICS_TOKEN: "not-shown-2-0123456789" };
  const env = { PROCEDO_MODEL: "openai:gpt-5", PROCEDO_ALLOW_NETWORKS: "10.0.0.0/8", ...secrets };
  const place = makePlace({ ...env, PROCEDO_REQUESTS_PER_SECOND: "50" });
  const settings = readSettings(place.env);
  const server = await startServer({ settings, log: createLog("silent") });
  onTestFinished(async () => {
    await server.stop();
    place.remove();
  });
  const access = { sandbox: ["owner"], live: ["owner"] } as const;
  const invited = { email: "olga@example.com", access, by: { person: "operator" } };
  const { token } = await server.engine.people.invite(invited);
  const { personId } = await server.engine.people.accept({ token, name: "Olga", password: "seventeen green barges" });
  const session = await server.engine.sessions.signInAs({ personId });
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/service`, {
    headers: { authorization: `Bearer ${session.token}` },
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  const { runnerUrl, appUrl, sdkUrl } = server;
  expect(JSON.parse(text)).toMatchObject({
    models: ["arguments", "questions"],
    addresses: { runnerUrl, appUrl, sdkUrl },
    limits: { requestsPerSecond: 50 },
    deployment: {
      node: process.version,
      storage: "sqlite",
      schemaVersion: expect.any(Number),
      role: "all",
      drainMs: settings.drainMs,
      allowNetworks: ["10.0.0.0/8"],
    },
  });
  const masterKey = readFileSync(join(settings.dataDir, "master.key"), "utf8").trim();
  for (const secret of [...Object.values(secrets), masterKey, settings.dataDir]) expect(text).not.toContain(secret);
});
