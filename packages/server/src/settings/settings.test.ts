import { resolve } from "node:path";
import { ProcedoError } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { readSettings } from "./settings.ts";

function refusal(env: Record<string, string>): ProcedoError {
  try {
    readSettings(env);
  } catch (error) {
    if (ProcedoError.isError(error)) return error;
    throw error;
  }
  throw new Error("These settings were accepted.");
}

test("without any variable, the server listens on this machine only and stores its data in ./.procedo", () => {
  expect(readSettings({})).toEqual({
    port: 8787,
    host: "127.0.0.1",
    dataDir: resolve(".procedo"),
    databaseUrl: undefined,
    databasePool: undefined,
    databaseNotify: true,
    role: "all",
    masterKey: undefined,
    runnerUrl: undefined,
    appUrl: undefined,
    sdkUrl: undefined,
    allowNetworks: [],
    trustedProxies: [],
    requestsPerSecond: undefined,
    drainMs: 60_000,
    metricsAddress: undefined,
    metricsToken: undefined,
    oidc: undefined,
    models: {
      model: undefined,
      questions: undefined,
      procedures: [],
      url: undefined,
      keys: {},
      streaming: false,
      toolChoices: [],
      maxOutputTokens: undefined,
      timeoutMs: undefined,
    },
    logLevel: "info",
  });
});

test("every variable is read", () => {
  const settings = readSettings({
    PORT: "80",
    HOST: "::1",
    PROCEDO_DATA_DIR: "/var/lib/procedo",
    DATABASE_URL: "postgres://procedo@db/procedo?sslmode=verify-full",
    PROCEDO_DATABASE_POOL: "30",
    PROCEDO_DATABASE_NOTIFY: "off",
    PROCEDO_ROLE: "http",
    PROCEDO_MASTER_KEY: "ab".repeat(32),
    RUNNER_URL: "https://run.example.com/",
    APP_URL: "https://app.example.com/procedo/",
    SDK_URL: "http://sdk.example.com:9000",
    PROCEDO_ALLOW_NETWORKS: "10.0.0.0/8, fd00::/8",
    PROCEDO_TRUSTED_PROXIES: "10.0.0.7, fd00::7",
    PROCEDO_REQUESTS_PER_SECOND: "50",
    PROCEDO_DRAIN_MS: "90000",
    PROCEDO_MODEL: "anthropic:claude-sonnet-4-5",
    ANTHROPIC_API_KEY: "sk-ant-1",
    PROCEDO_OIDC_ISSUER: "https://login.example.com/",
    PROCEDO_OIDC_CLIENT_ID: "procedo",
    PROCEDO_OIDC_CLIENT_SECRET: "hunter2hunter2",
    PROCEDO_METRICS_ADDRESS: "[::1]:9464",
    PROCEDO_METRICS_TOKEN: "0123456789abcdef",
    PROCEDO_LOG_LEVEL: "debug",
  });
  expect(settings).toEqual({
    port: 80,
    host: "::1",
    dataDir: "/var/lib/procedo",
    databaseUrl: "postgres://procedo@db/procedo?sslmode=verify-full",
    databasePool: 30,
    databaseNotify: false,
    role: "http",
    masterKey: new Uint8Array(32).fill(0xab),
    runnerUrl: "https://run.example.com",
    appUrl: "https://app.example.com/procedo",
    sdkUrl: "http://sdk.example.com:9000",
    allowNetworks: ["10.0.0.0/8", "fd00::/8"],
    trustedProxies: ["10.0.0.7", "fd00::7"],
    requestsPerSecond: 50,
    drainMs: 90_000,
    metricsAddress: { host: "::1", port: 9_464 },
    metricsToken: "0123456789abcdef",
    models: expect.objectContaining({ model: { provider: "anthropic", modelId: "claude-sonnet-4-5" } }),
    oidc: {
      issuer: "https://login.example.com/",
      clientId: "procedo",
      clientSecret: "hunter2hunter2",
      name: "login.example.com",
      create: undefined,
    },
    logLevel: "debug",
  });
});

test("an empty variable counts as unset", () => {
  expect(readSettings({ PORT: "", DATABASE_URL: " ", PROCEDO_MASTER_KEY: "" })).toEqual(readSettings({}));
});

test("a master key is read as hex and as both alphabets of base64", () => {
  const key = Buffer.alloc(32, 0xfb);
  for (const encoding of ["hex", "base64", "base64url"] as const) {
    expect(readSettings({ PROCEDO_MASTER_KEY: key.toString(encoding) }).masterKey).toEqual(new Uint8Array(key));
  }
});

test.each([
  ["PORT", "8o80", "0 to 65535"],
  ["PORT", "65536", "0 to 65535"],
  ["PORT", "-1", "0 to 65535"],
  ["HOST", "127.0.0.1:80/", "without a port"],
  ["RUNNER_URL", "run.example.com", "http or https"],
  ["RUNNER_URL", "ftp://run.example.com", "http or https"],
  ["APP_URL", "https://example.com/?a=b", "without credentials, query"],
  ["SDK_URL", "https://example.com/#a", "without credentials, query"],
  ["PROCEDO_ALLOW_NETWORKS", "localhost", "10.0.0.0/8"],
  ["PROCEDO_ALLOW_NETWORKS", "10.0.0.0/8,fe80::1%eth0/64", "which is not a network"],
  ["PROCEDO_ALLOW_NETWORKS", "10.0.0.0/33", "which is not a network"],
  ["PROCEDO_ALLOW_NETWORKS", "10.0.0.1/8", "no bits set after the prefix"],
  ["PROCEDO_TRUSTED_PROXIES", "true", "which is not a network"],
  ["PROCEDO_TRUSTED_PROXIES", "10.0.0.7/8", "no bits set after the prefix"],
  ["PROCEDO_REQUESTS_PER_SECOND", "0", "1 to 1000000"],
  ["PROCEDO_REQUESTS_PER_SECOND", "many", "1 to 1000000"],
  ["PROCEDO_DATABASE_POOL", "1", "2 to 1000"],
  ["PROCEDO_DATABASE_NOTIFY", "yes", "on, off"],
  ["PROCEDO_ROLE", "worker", "all, http, execute"],
  ["PROCEDO_OIDC_ISSUER", "http://login.example.com", "an https address"],
  ["PROCEDO_OIDC_ISSUER", "https://login.example.com/?tenant=1", "without query and fragment"],
  ["PROCEDO_OIDC_ISSUER", "login.example.com", "an https address"],
  ["PROCEDO_OIDC_CREATE", "owner", "viewer"],
  ["PROCEDO_METRICS_ADDRESS", "9464", "a host and a port"],
  ["PROCEDO_METRICS_ADDRESS", "127.0.0.1:65536", "a host and a port"],
  ["PROCEDO_METRICS_ADDRESS", "http://127.0.0.1:9464", "a host and a port"],
  ["PROCEDO_LOG_LEVEL", "verbose", "trace, debug, info"],
])("%s=%s is rejected with the allowed values", (name, value, allowed) => {
  const { code, details } = refusal({ [name]: value });
  expect(code).toBe("invalid_configuration");
  expect(details).toHaveLength(1);
  expect(details[0]).toMatchObject({ path: `/${name}`, message: expect.stringContaining(allowed) });
  expect(details[0]?.message).toContain(value.split(",").at(-1));
});

describe("an error never repeats a secret", () => {
  test.each([
    ["PROCEDO_MASTER_KEY", "c2hvcnQtc2VjcmV0", "holds 12 bytes"],
    ["PROCEDO_MASTER_KEY", "not a key, but a pass phrase", "neither hex nor base64"],
    ["DATABASE_URL", "mysql://user:hunter2@db/procedo", "Postgres database"],
    ["DATABASE_URL", "host=db password=hunter2", "postgresql://user:password@host"],
    ["RUNNER_URL", "https://user:hunter2@example.com", "credentials"],
    ["PROCEDO_OIDC_CLIENT_SECRET", "hunter2", "8 to 1000"],
    ["PROCEDO_OIDC_CLIENT_SECRET", "hunter2 with a pass phrase", "without spaces"],
    ["PROCEDO_OIDC_ISSUER", "https://user:hunter2@login.example.com", "credentials"],
    ["PROCEDO_METRICS_TOKEN", "hunter2", "openssl rand -hex 32"],
    ["PROCEDO_METRICS_TOKEN", "hunter2 with a pass phrase", "openssl rand -hex 32"],
  ])("%s=%s", (name, value, says) => {
    const error = refusal({ [name]: value });
    expect(error.message).toContain(says);
    for (const part of [value, "hunter2", "pass phrase"]) expect(error.message).not.toContain(part);
  });
});

test("the identity provider needs its issuer and both parts of its client", () => {
  const provider = {
    PROCEDO_OIDC_ISSUER: "http://127.0.0.1:9000",
    PROCEDO_OIDC_CLIENT_ID: "procedo",
    PROCEDO_OIDC_CLIENT_SECRET: "hunter2hunter2",
  };
  const { oidc } = readSettings({ ...provider, PROCEDO_OIDC_NAME: "Work Ltd", PROCEDO_OIDC_CREATE: "viewer" });
  expect(oidc).toMatchObject({ issuer: "http://127.0.0.1:9000", name: "Work Ltd", create: "viewer" });
  for (const name of Object.keys(provider)) {
    const { details } = refusal({ ...provider, [name]: "" });
    expect(details.map(({ path }) => path)).toEqual([`/${name}`]);
  }
  expect(refusal({ PROCEDO_OIDC_CREATE: "viewer" }).details).toHaveLength(3);
});

test("all invalid values are reported at once", () => {
  const error = refusal({ PORT: "x", PROCEDO_LOG_LEVEL: "x", DATABASE_URL: "x", HOST: "a b" });
  expect(error.details.map(({ path }) => path)).toEqual(["/PORT", "/HOST", "/DATABASE_URL", "/PROCEDO_LOG_LEVEL"]);
  for (const { message } of error.details) expect(error.message).toContain(message);
});
