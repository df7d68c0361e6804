import { describe, expect, test } from "vitest";
import {
  actionSchema,
  connectionSchema,
  connectionTestSchema,
  createConnectionRequestSchema,
  createdConnectionSchema,
  updateConnectionRequestSchema,
} from "./connections.ts";
import { requestProblems } from "./request-problems.ts";

const pathsOf = (body: unknown): readonly string[] => {
  const result = createConnectionRequestSchema.safeParse(body);
  return result.success ? [] : requestProblems(result.error).map(({ path }) => path);
};

describe("a connection", () => {
  test("is created with a name, an integration, an environment, settings and secrets", () => {
    const request = {
      name: "ledger",
      integration: "custom_api",
      environment: "sandbox",
      settings: { spec: { url: "https://ledger.test/openapi.json" } },
      secrets: { apiKey: "k" },
    };
    expect(createConnectionRequestSchema.parse(request)).toEqual(request);
  });

  test("belongs to one environment; only a private connection has a token for each", () => {
    expect(pathsOf({ name: "n", integration: "custom_api" })).toEqual(["/environment"]);
    expect(pathsOf({ name: "n", integration: "custom_api", environment: "test" })).toEqual(["/environment"]);
    expect(pathsOf({ name: "n", integration: "private_connection" })).toEqual([]);
    expect(pathsOf({ name: "n", integration: "private_connection", environment: "live" })).toEqual(["/environment"]);
  });

  test("with several faults reports all of them", () => {
    expect(pathsOf({ integration: "x", secrets: { a: 1 }, token: "t" })).toEqual([
      "/name",
      "/secrets/a",
      "/token",
      "/environment",
    ]);
  });

  test("never moves to another environment or integration", () => {
    expect(updateConnectionRequestSchema.parse({ name: "n", secrets: { apiKey: "k" } })).toBeDefined();
    for (const change of [{ environment: "live" }, { integration: "x" }]) {
      expect(updateConnectionRequestSchema.safeParse(change).success).toBe(false);
    }
  });

  test("loses a setting or secret that is set to null", () => {
    const change = { settings: { baseUrl: null }, secrets: { token: null, apiKey: "k" } };
    expect(updateConnectionRequestSchema.parse(change)).toEqual(change);
  });

  test("is returned with the names of its secrets, never with their values", () => {
    const connection = {
      id: "con_1",
      name: "ledger",
      integration: "custom_api",
      environment: "sandbox",
      settings: {},
      secretNames: ["apiKey"],
      health: { status: "failing", checkedAt: "2026-01-31T09:31:00.000Z", message: "401" },
      usedBy: [{ procedureId: "p", version: "v1", nodeIds: ["pay"] }],
      createdBy: "ana",
      createdAt: "2026-01-31T09:30:00.000Z",
      updatedAt: "2026-01-31T09:30:00.000Z",
    };
    expect(connectionSchema.parse(connection)).toEqual(connection);
    expect(connectionSchema.safeParse({ ...connection, secrets: { apiKey: "k" } }).success).toBe(false);
    expect(connectionSchema.safeParse({ ...connection, tokens: {} }).success).toBe(false);
  });

  test("shows the tokens of a private connection that its creator may manage, and no others", () => {
    const created = {
      id: "con_1",
      name: "core-bank",
      integration: "private_connection",
      settings: {},
      secretNames: [],
      health: { status: "unknown" },
      usedBy: [],
      createdBy: "ana",
      createdAt: "2026-01-31T09:30:00.000Z",
      updatedAt: "2026-01-31T09:30:00.000Z",
      tokens: { sandbox: "run_sandbox_a", live: "run_live_b" },
    };
    expect(createdConnectionSchema.parse(created)).toEqual(created);
    const one = { ...created, tokens: { sandbox: "run_sandbox_a" } };
    expect(createdConnectionSchema.parse(one)).toEqual(one);
    expect(createdConnectionSchema.safeParse({ ...created, tokens: { test: "run_sandbox_a" } }).success).toBe(false);
  });
});

test("a test of a connection succeeds or states the reason", () => {
  expect(connectionTestSchema.parse({ ok: true })).toEqual({ ok: true });
  expect(connectionTestSchema.parse({ ok: false, error: "401" })).toEqual({ ok: false, error: "401" });
  expect(connectionTestSchema.safeParse({ ok: false }).success).toBe(false);
  expect(connectionTestSchema.safeParse({ ok: true, error: "x" }).success).toBe(false);
});

test("an action has a name, the schemas of its arguments and result, and an effect", () => {
  const action = {
    name: "get_customers_id",
    input: { type: "object" },
    output: {},
    effect: "read",
    deprecated: true,
    operation: { method: "GET", path: "/customers/{id}" },
  };
  expect(actionSchema.parse(action)).toEqual(action);
  expect(actionSchema.safeParse({ ...action, effect: "write" }).success).toBe(false);
});
