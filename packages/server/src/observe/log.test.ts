import { expect, test } from "vitest";
import { secretsOf } from "../settings/secrets-of.ts";
import { readSettings } from "../settings/settings.ts";
import { createLog } from "./log.ts";

test("no secret of the settings is in a line, neither in its message nor in a field", () => {
  const key = Buffer.alloc(32, 0xfb);
  const secrets = {
    DATABASE_URL: "postgresql://user:hunter%2F2&hunter@db:5432/procedo",
    PROCEDO_MASTER_KEY: key.toString("base64"),
    PROCEDO_METRICS_TOKEN: "metrics-0123456789",
    PROCEDO_OIDC_ISSUER: "https://login.example.com",
    PROCEDO_OIDC_CLIENT_ID: "procedo",
    PROCEDO_OIDC_CLIENT_SECRET: "client-0123456789",
    PROCEDO_MODEL: "openai:gpt-5",
    OPENAI_API_KEY: "sk-own-0123456789",
  };
  const lines: string[] = [];
  const log = createLog("debug", {
    destination: { write: (line) => void lines.push(line) },
    secrets: secretsOf(readSettings(secrets)),
  });
  const said = [...Object.values(secrets), key.toString("hex"), key.toString("base64url"), "hunter/2&amp;hunter"];
  for (const write of [log.debug, log.info, log.warn, log.error]) {
    write(`It said ${said.join(" ")}.`, { error: said.join(), runId: "run_1", durationMs: 5, left: undefined });
  }
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    expect(line).not.toMatch(/hunter|metrics-|client-0|sk-own|fbfb|-_v7|\+\/v7/);
    expect(JSON.parse(line)).toMatchObject({ runId: "run_1", durationMs: 5 });
  }
});
