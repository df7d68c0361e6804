import { createRedactor, type ActionError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { probeIntegration } from "../../testing/index.ts";
import { plaidRefusal } from "./plaid-refusal.ts";
import { plaidProbe, plaidProbeSecrets } from "./plaid.probe.ts";
import { plaid } from "./plaid.ts";

test("Plaid holds what integrations promise", async () => {
  expect(await probeIntegration(plaidProbe)).toEqual([]);
});

describe("the items of a connection", () => {
  const { clientId, secret } = plaidProbeSecrets;
  const sandbox = "access-sandbox-123456";
  const production = "access-production-123456";
  const problems = (items: { readonly [name: string]: string }) =>
    plaid()
      .checkConnection({}, { clientId, secret, ...items })
      .map(({ path }) => path);

  test("are secrets that begin with item:, as many as there are", () => {
    expect(problems({})).toEqual([]);
    expect(problems({ "item:main": sandbox, "item:payroll-2": sandbox })).toEqual([]);
    expect(problems({ main: sandbox })).toEqual(["/secrets/main"]);
    expect(problems({ "item:": sandbox })).toEqual(["/secrets/item:"]);
    expect(problems({ "item:Main Account": sandbox })).toEqual(["/secrets/item:Main Account"]);
    expect(problems({ "item:main": "public-sandbox-123456" })).toEqual(["/secrets/item:main"]);
  });

  test("are told to forms as secrets that people name", () => {
    const { secrets, otherSecrets } = plaid().fields;
    expect(secrets.map(({ name }) => name)).toEqual(["clientId", "secret"]);
    expect(otherSecrets?.prefix).toBe("item:");
  });

  test("are of one environment, which is the connection's", () => {
    expect(problems({ "item:a": sandbox, "item:b": production })).toEqual(["/secrets/item:a"]);
    const environment = (items: { readonly [name: string]: string }) =>
      plaid().environmentOf?.({}, { clientId, secret, ...items });
    expect(environment({ "item:a": sandbox })).toBe("sandbox");
    expect(environment({ "item:a": production })).toBe("live");
    expect(environment({})).toBeUndefined();
  });

  test("are known by their names only: a call with the name of no item is not sent", async () => {
    const failure = await plaid()
      .actions.get("get_accounts")
      ?.call(
        { item: "other" },
        {
          ...{ action: "get_accounts", idempotencyKey: "key", attempt: 1, environment: "sandbox", nodeId: "call" },
          run: { runId: "run_1", procedureId: "p", procedureVersion: "1" },
          ...{ settings: {}, secrets: plaidProbeSecrets, signal: new AbortController().signal },
          redactor: createRedactor(Object.values(plaidProbeSecrets)),
          fetch: () => Promise.reject(new Error("was sent")),
          connect: () => Promise.reject(new Error("was sent")),
        },
      )
      .catch((error: unknown) => error as ActionError);
    expect(failure).toMatchObject({
      outcome: "not_sent",
      mayRetry: false,
      message: 'The connection has no secret "item:other". Nothing was sent.',
    });
  });
});

describe("a refusal of Plaid", () => {
  const refusal = (status: number, error_type: string, error_code: string, error_message: string | null = "Told so.") =>
    plaidRefusal({ status, body: { error_type, error_code, error_message, display_message: null } });

  test("is a sentence of ours for the errors that people meet, and Plaid's for others", () => {
    expect(refusal(400, "ITEM_ERROR", "ITEM_LOGIN_REQUIRED")?.message).toBe(
      "The bank wants the owner of the item to log in again, in the update mode of Plaid Link. (ITEM_LOGIN_REQUIRED)",
    );
    expect(refusal(400, "ITEM_ERROR", "NO_ACCOUNTS")?.message).toBe("The item cannot be used: Told so. (NO_ACCOUNTS)");
    expect(refusal(400, "INVALID_REQUEST", "INVALID_FIELD", null)?.message).toBe(
      "Plaid refused the call: No reason is given. (INVALID_FIELD)",
    );
  });

  test("is repeated from the first page when transactions changed while they were read", () => {
    expect(refusal(400, "TRANSACTIONS_ERROR", "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION")).toMatchObject({
      retryable: true,
    });
    expect(refusal(400, "INVALID_INPUT", "INVALID_ACCESS_TOKEN")).not.toHaveProperty("retryable");
  });

  test("is none for an answer of 5xx, after which the work may be done, nor in another form", () => {
    expect(refusal(500, "API_ERROR", "INTERNAL_SERVER_ERROR")).toBeUndefined();
    expect(plaidRefusal({ status: 400, body: "<html></html>" })).toBeUndefined();
  });
});

test("requests go to the service of the connection's environment", async () => {
  const asked: string[] = [];
  for (const environment of ["sandbox", "live"] as const) {
    await plaid()
      .actions.get("get_transfer")
      ?.call(
        { transfer_id: "tr_1" },
        {
          ...{ action: "get_transfer", idempotencyKey: "key", attempt: 1, environment, nodeId: "call" },
          run: { runId: "run_1", procedureId: "p", procedureVersion: "1" },
          ...{ settings: {}, secrets: plaidProbeSecrets, signal: new AbortController().signal },
          redactor: createRedactor([]),
          fetch: (address) => {
            asked.push(new Request(address).url);
            return Promise.reject(new Error("not here"));
          },
          connect: () => Promise.reject(new Error("not here")),
        },
      )
      .catch(() => undefined);
  }
  expect(asked).toEqual(["https://sandbox.plaid.com/transfer/get", "https://production.plaid.com/transfer/get"]);
});
