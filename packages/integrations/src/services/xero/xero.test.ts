import type { JsonObject, JsonValue } from "@procedo/contract";
import { ActionError, strictJson, type InboundMessage, type ServiceAccount } from "@procedo/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { probeContext } from "../../testing/probe-calls.ts";
import { startProbeService, type GivenAnswer } from "../../testing/probe-service.ts";
import { probeIntegration, type ProbedConnection } from "../../testing/index.ts";
import { withIsoDates } from "./xero-dates.ts";
import { xeroRefusal, xeroTokenRefusal } from "./xero-refusal.ts";
import { connected, deliveryOf, signedByXero, organisationOf, xeroConnection, xeroProbe } from "./xero.probe.ts";
import { xero } from "./xero.ts";

const { settings, secrets, account } = xeroConnection;
const { tenantId: _tenantId, ...withoutTenant } = settings;

test("Xero holds what integrations promise", async () => {
  expect(await probeIntegration(xeroProbe)).toEqual([]);
});

describe("a connection to Xero", () => {
  const { oauth, checkConnection } = xero();
  const scopes = ["accounting.transactions", "accounting.contacts", "accounting.settings.read"];

  test("is authorized by a person at Xero, and its tokens are sent to Xero's interface only", () => {
    expect(oauth?.({ environment: "live", settings: { clientId: "app", scopes }, secrets })).toEqual({
      grant: "authorization_code",
      authorizationUrl: "https://login.xero.com/identity/connect/authorize",
      tokenUrl: "https://identity.xero.com/connect/token",
      revocationUrl: "https://identity.xero.com/connect/revocation",
      clientId: "app",
      clientSecret: secrets.clientSecret,
      clientAuthentication: "header",
      scopes: ["offline_access", ...scopes],
      origins: ["https://api.xero.com"],
      refreshTokenTtlMs: 5_184_000_000,
      tokenRefusal: xeroTokenRefusal,
    });
  });

  test("asks for these scopes by default, and for others of its app where they are set", () => {
    expect(xero().withDefaults?.({ clientId: "app" })).toEqual({ clientId: "app", scopes });
    expect(checkConnection({ clientId: "app", scopes: ["accounting.invoices"] }, secrets)).toMatchObject([
      { path: "/settings/tenantId" },
    ]);
    expect(checkConnection({ ...settings, scopes: ["openid"] }, secrets)).toMatchObject([
      { path: "/settings/scopes/0" },
    ]);
  });

  test("with a webhooks key names its organisation", () => {
    expect(checkConnection(withoutTenant, { clientSecret: secrets.clientSecret })).toEqual([]);
    expect(checkConnection(withoutTenant, secrets)).toMatchObject([
      { path: "/settings/tenantId", message: expect.stringContaining("webhooks key") as string },
    ]);
  });
});

async function serviceWith(...answers: readonly GivenAnswer[]) {
  const service = await startProbeService();
  onTestFinished(() => service.close());
  const { integration, calls } = xeroProbe(service.origin);
  const arrived = service.answer(answers);
  const call = async (
    name: string,
    given: { readonly args?: JsonObject; readonly connection?: ProbedConnection } = {},
  ) => {
    const { connection = xeroConnection, args = [calls[name] ?? []].flat()[0]?.args ?? {} } = given;
    return await integration.actions.get(name)?.call(args, probeContext(connection, name));
  };
  const accountOf = async (given: JsonObject, authorized?: ServiceAccount) => {
    const connection = { ...xeroConnection, settings: given };
    const { account: _account, ...others } = connection;
    const tested = authorized === undefined ? others : { ...others, account: authorized };
    return await integration.account?.(probeContext(tested, "account"));
  };
  return { arrived, call, accountOf };
}

const json = (body: JsonValue, status = 200): GivenAnswer => ({ status, body: JSON.stringify(body) });

const demo = json(organisationOf({ isDemo: true }));

describe("the organisation of a connection", () => {
  const other = { ...connected, tenantId: "00000000-0000-0000-0000-000000000002", tenantName: "Other Ltd" };
  const practice = { ...other, tenantId: "00000000-0000-0000-0000-000000000003", tenantType: "PRACTICE" };

  test("is the only one that the app may use", async () => {
    const { accountOf } = await serviceWith(json([practice, connected]), demo);
    expect(await accountOf(withoutTenant)).toEqual(account);
  });

  test("is chosen by its id among several, and stays the authorized one", async () => {
    const chosen = { id: other.tenantId, name: "Other Ltd" };
    const both = [json([connected, other]), demo];
    const bySetting = await serviceWith(...both);
    expect(await bySetting.accountOf({ ...withoutTenant, tenantId: other.tenantId })).toEqual(chosen);
    const byAccount = await serviceWith(...both);
    expect(await byAccount.accountOf(withoutTenant, chosen)).toEqual(chosen);
    expect(byAccount.arrived[1]?.headers["xero-tenant-id"]).toBe(other.tenantId);
  });

  test.each<readonly [string, readonly JsonObject[], JsonObject, string]>([
    [
      "several without a choice",
      [connected, other],
      withoutTenant,
      `The app may use several organisations of Xero. Set tenantId to one of their ids: "Acme GmbH" (${connected.tenantId}), "Other Ltd" (${other.tenantId}).`,
    ],
    [
      "another one than the setting's",
      [other],
      settings,
      `The app may not use the organisation ${settings.tenantId}. It may use "Other Ltd" (${other.tenantId}).`,
    ],
    ["none", [practice], withoutTenant, "The app may use no organisation of Xero. Authorize it for one."],
  ])("is not clear with %s", async (_name, list, given, message) => {
    const { accountOf } = await serviceWith(json(list));
    await expect(accountOf(given)).rejects.toThrow(new ActionError(message));
  });

  test("is named in each request, and shown in its record", async () => {
    const { arrived, call } = await serviceWith(json({ Organisations: [{ OrganisationID: "o", Name: "Acme" }] }));
    const answer = await call("get_organisation");
    expect(arrived[0]?.headers["xero-tenant-id"]).toBe(account.id);
    expect(answer?.exchange?.request.headers["xero-tenant-id"]).toBe(account.id);
  });

  test("is not another one than the authorized one, or unknown: nothing is sent", async () => {
    const { arrived, call } = await serviceWith("cut");
    const moved = { ...xeroConnection, account: { id: other.tenantId, name: "Other Ltd" } };
    const refusal = { outcome: "not_sent", mayRetry: false };
    await expect(call("create_payment", { connection: moved })).rejects.toMatchObject(refusal);
    const { account: _account, ...unknown } = { ...xeroConnection, settings: withoutTenant };
    await expect(call("create_payment", { connection: unknown })).rejects.toMatchObject(refusal);
    expect(arrived).toEqual([]);
  });
});

describe("a call of Xero", () => {
  test("with an effect carries its key, which Xero keeps for a few minutes only", () => {
    const withEffect = [...xero().actions.values()].filter(({ effect }) => effect !== "read");
    expect(withEffect.map(({ name }) => name)).toEqual([
      ...["upsert_contact", "create_invoice", "update_invoice", "create_payment", "create_bank_transaction"],
    ]);
    for (const { effect, idempotencyKeyTtlMs } of withEffect) {
      expect([effect, idempotencyKeyTtlMs]).toEqual(["idempotent", 300_000]);
    }
  });

  const check = (action: string, changed: JsonObject) => {
    const { args = {} } = [xeroProbe("http://127.0.0.1").calls[action] ?? []].flat()[0] ?? {};
    return xero()
      .actions.get(action)
      ?.check({ ...args, ...changed });
  };

  test.each<readonly [string, JsonObject, string]>([
    ["create_payment", { Amount: 0.1 + 0.2 }, "/Amount"],
    ["create_payment", { Amount: -1 }, "/Amount"],
    ["create_payment", { Amount: 1.005 }, "/Amount"],
    ["create_payment", { Account: { Code: "1", Name: "Bank" } }, "/Account"],
    ["create_payment", { Invoice: { InvoiceID: "1007" } }, "/Invoice/InvoiceID"],
    ["create_invoice", { Contact: { ContactID: xeroConnection.account.id, Name: "Renamed" } }, "/Contact"],
    ["create_invoice", { LineItems: [{ Description: "x", UnitAmount: 0.12345 }] }, "/LineItems/0/UnitAmount"],
    ["list_invoices", { InvoiceNumbers: ["1,2"] }, "/InvoiceNumbers/0"],
  ])("%s is not made with %j, which Xero would round, misread or drop", (action, changed, path) => {
    expect(check(action, {})).toEqual([]);
    expect(check(action, changed)).toMatchObject([{ path }]);
  });

  test("asks for changes since a time by a header", async () => {
    const { arrived, call } = await serviceWith(json({ Accounts: [] }));
    await call("list_accounts", { args: { modifiedSince: "2026-11-27T09:00:00Z" } });
    expect(arrived).toMatchObject([
      { request: "GET /api.xro/2.0/Accounts", headers: { "if-modified-since": "2026-11-27T09:00:00Z" } },
    ]);
    expect(check("list_accounts", { modifiedSince: "yesterday" })).toHaveLength(1);
  });

  test("whose answer has another number of elements is done, and its output is not usable", async () => {
    const { call } = await serviceWith(json({ Payments: [] }));
    expect((await call("create_payment"))?.unusable).toContain("cannot be read");
  });
});

describe("a date of Xero", () => {
  test.each([
    ["/Date(1518685950940+0000)/", "2018-02-15T09:12:30.940Z"],
    ["/Date(1551981658323)/", "2019-03-07T18:00:58.323Z"],
    ["/Date(-86400000+1300)/", "1969-12-31T00:00:00.000Z"],
    ["/Date(9999999999999999)/", "/Date(9999999999999999)/"],
    ["2026-11-27", "2026-11-27"],
  ])("%s is %s", (given, iso) => {
    expect(withIsoDates({ list: [{ DueDate: given }] })).toEqual({ list: [{ DueDate: iso }] });
  });

  test("is no text of another member", () => {
    const value = { Reference: "/Date(1518685950940+0000)/", Total: "12345678901234567890", Date: null };
    expect(withIsoDates(value)).toEqual(value);
  });
});

describe("a refusal of Xero", () => {
  const refusal = (body: JsonValue, status = 400, headers = {}) => xeroRefusal({ status, body, headers });

  test("tells each reason once, wherever it stands", () => {
    const line = { ValidationErrors: [{ Message: "Account code '999' is not a valid code." }] };
    const element = { LineItems: [line, line], ValidationErrors: [{ Message: "Email address must be valid." }] };
    const body = { ErrorNumber: 10, Type: "ValidationException", Message: "A validation exception occurred" };
    expect(refusal({ ...body, Elements: [element] })).toEqual({
      message: "Xero refused the call: Account code '999' is not a valid code; Email address must be valid.",
    });
    expect(refusal(body)?.message).toBe("Xero refused the call: A validation exception occurred.");
  });

  test("is found in an accepted request, whose element was refused", () => {
    const element = { StatusAttributeString: "ERROR", ValidationErrors: [{ Message: "Invoice is locked" }] };
    expect(refusal({ Invoices: [element] }, 200)?.message).toBe("Xero refused the call: Invoice is locked.");
    expect(refusal({ Invoices: [{ StatusAttributeString: "OK" }] }, 200)).toBeUndefined();
    for (const body of [null, "text", []]) expect(refusal(body, 200)).toBeUndefined();
  });

  test("of a key that was used for another request leaves the earlier one in doubt", () => {
    const Message = "Idempotency Key 'k' is used with a different request.";
    expect(refusal({ Message })).toMatchObject({ outcome: "conflict" });
  });

  test("says that the app is not connected any more", () => {
    const body = { Title: "Forbidden", Status: 403, Detail: "AuthenticationUnsuccessful" };
    expect(refusal(body, 403)?.message).toContain("not connected to the organisation any more");
    expect(refusal({ status: 403, detail: "AuthenticationUnsuccessful" }, 403)?.message).toContain("not connected");
    expect(refusal({ ...body, Detail: "No scope" }, 403)?.message).toBe("Xero does not permit the call: No scope.");
  });

  test.each<readonly [number, JsonValue, "ended" | undefined]>([
    [
      403,
      { Type: null, Title: "Forbidden", Status: 403, Detail: "AuthenticationUnsuccessful", Extensions: {} },
      "ended",
    ],
    [403, { title: "Forbidden", status: 403, detail: "AuthenticationUnsuccessful" }, "ended"],
    [403, { Title: "Forbidden", Status: 403, Detail: "AuthorizationUnsuccessful" }, undefined],
    [403, "AuthenticationUnsuccessful", undefined],
    [400, { Detail: "AuthenticationUnsuccessful" }, undefined],
    [200, { Detail: "AuthenticationUnsuccessful" }, undefined],
  ])("of %i with the body %j says that the authorization has ended only if it does: %s", (status, body, said) => {
    expect(xeroTokenRefusal({ status, body })).toBe(said);
  });

  test.each([
    ["minute", "The organisation has had too many requests to Xero within a minute."],
    ["appminute", "The app has had too many requests to Xero within a minute."],
    ["day", "The organisation has had all the requests to Xero that it may have today."],
    ["concurrent", "The organisation has too many requests to Xero at the same time."],
    ["", "Xero has had too many requests."],
  ])("says which limit was reached, and waits as Xero asks: %s", async (limit, message) => {
    const headers = { "retry-after": "43200", "X-Rate-Limit-Problem": limit };
    const { call } = await serviceWith({ status: 429, headers, body: "" });
    await expect(call("get_organisation")).rejects.toMatchObject({ message, mayRetry: true, retryAfterMs: 43_200_000 });
  });

  test("of 5xx is left to its status", () => {
    expect(refusal({ Message: "Down" }, 500)).toBeUndefined();
  });
});

describe("a delivery of Xero", () => {
  const { inbound } = xero();
  const [{ sample = null } = {}] = inbound?.events ?? [];
  const event = sample as JsonObject;

  const message = (body: string, signature = signedByXero(body, secrets.webhookKey), given: JsonObject = settings) => {
    const bytes = new TextEncoder().encode(body);
    const header = (name: string) => (name.toLowerCase() === "x-xero-signature" ? [signature] : []);
    return {
      ...{
        header,
        body: bytes,
        json: () => strictJson(bytes),
        settings: given,
        secrets,
        environment: "sandbox",
        nowMs: 0,
      },
    } satisfies InboundMessage;
  };
  const parsed = (...events: readonly JsonObject[]) => {
    const found = inbound?.parse(message(deliveryOf(...events))) ?? [];
    return typeof found === "string" ? found : found.map(({ id, type, occurredAtMs }) => ({ id, type, occurredAtMs }));
  };

  test("names each event by its organisation, object, change and time, which is in UTC", () => {
    expect(parsed(event)).toEqual([
      {
        id: `${settings.tenantId}:CONTACT:717f2bfc-c6d4-41fd-b238-3f2f0c0cf777:CREATE:2026-11-27T09:00:00.902`,
        type: "CONTACT.CREATE",
        occurredAtMs: Date.parse("2026-11-27T09:00:00.902Z"),
      },
    ]);
    expect(parsed({ ...event, eventDateUtc: "2026-11-27T10:00:00+01:00" })).toMatchObject([
      { occurredAtMs: Date.parse("2026-11-27T09:00:00Z") },
    ]);
    expect(parsed({ ...event, eventDateUtc: "soon" })).toMatchObject([{ occurredAtMs: undefined }]);
  });

  test("leaves out events of the app's other organisations, and keeps those of its subscriptions", () => {
    const elsewhere = { ...event, tenantId: "00000000-0000-0000-0000-000000000002" };
    const subscription = { ...elsewhere, tenantType: "APPLICATION", eventCategory: "SUBSCRIPTION" };
    expect(parsed(elsewhere, { ...event, tenantId: settings.tenantId.toUpperCase() }, subscription)).toMatchObject([
      { type: "CONTACT.CREATE" },
      { type: "SUBSCRIPTION.CREATE" },
    ]);
    const unset = inbound?.parse(message(deliveryOf(event), undefined, withoutTenant));
    expect(unset).toEqual([]);
  });

  test("that checks the address has no events", () => {
    expect(inbound?.verify(message(deliveryOf()))).toBe(true);
    expect(parsed()).toEqual([]);
  });

  test("is refused with a signature whose slashes were removed, or as hexadecimal digits", () => {
    const bodies = Array.from({ length: 50 }, (_, n) => deliveryOf({ ...event, resourceId: String(n) }));
    const body = bodies.find((one) => signedByXero(one, secrets.webhookKey).includes("/")) ?? "";
    const signature = signedByXero(body, secrets.webhookKey);
    expect(inbound?.verify(message(body))).toBe(true);
    expect(inbound?.verify(message(body, signature.replaceAll("/", "")))).toBe(false);
    expect(inbound?.verify(message(body, Buffer.from(signature, "base64").toString("hex")))).toBe(false);
  });

  test("of another form is refused", () => {
    for (const body of ["{}", '{"events":[{}]}', '{"events":"none"}']) {
      expect(() => inbound?.parse(message(body))).toThrow(expect.objectContaining({ code: "invalid_input" }));
    }
  });
});
