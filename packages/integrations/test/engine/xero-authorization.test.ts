import type { Environment } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { xero } from "../../src/services/index.ts";
import { connected, organisationOf, xeroConnection } from "../../src/services/xero/xero.probe.ts";
import { connectionToAuthorize } from "./authorized-connection.ts";

const token = "eyJ-t0ken-of-the-organisation";
const granted = {
  ...{ access_token: token, token_type: "Bearer", expires_in: 1_800, refresh_token: "r3fresh-token-of-xero" },
  scope: "offline_access accounting.transactions accounting.contacts accounting.settings.read",
};
const other = { ...connected, tenantId: "00000000-0000-0000-0000-000000000002", tenantName: "Other Ltd" };
const { clientId } = xeroConnection.settings;
const { clientSecret } = xeroConnection.secrets;

const [demo, real] = [organisationOf({ isDemo: true }), organisationOf({ isDemo: false })];

const books = (environment: Environment = "sandbox") =>
  connectionToAuthorize((origin) => xero({ baseUrl: origin, loginUrl: origin, identityUrl: origin }), {
    environment,
    settings: { clientId },
    secrets: { clientSecret },
  });

test("a person authorizes a connection for one organisation, and calls act on it", async () => {
  const { answer, authorize, run } = await books();
  const arrived = answer(granted, [connected], demo, demo);
  const { asked, finished } = await authorize();
  expect(asked.get("code_challenge_method")).toBe("S256");
  expect(finished.account).toEqual(xeroConnection.account);
  expect(await run("get_organisation", {})).toMatchObject({
    status: "completed",
    output: { answer: { Name: "Acme GmbH" } },
  });
  expect(arrived.map(({ request }) => request)).toEqual([
    "POST /connect/token",
    "GET /connections",
    "GET /api.xro/2.0/Organisation",
    "GET /api.xro/2.0/Organisation",
  ]);
  expect(new URLSearchParams(arrived[0]?.body).get("code_verifier")).toMatch(/^[\w.~-]{43,128}$/);
  expect(arrived[0]?.headers["authorization"]).toMatch(/^Basic /);
  const ofOrganisation = { authorization: `Bearer ${token}`, "xero-tenant-id": xeroConnection.account.id };
  expect(arrived.slice(2).map(({ headers }) => headers)).toMatchObject([ofOrganisation, ofOrganisation]);
});

test("an authorization for several organisations names them, and one is chosen by its id", async () => {
  const { answer, authorize, engine, place } = await books();
  answer(granted, [connected, other]);
  await expect(authorize()).rejects.toMatchObject({
    code: "oauth_failed",
    message: expect.stringContaining(`"Other Ltd" (${other.tenantId})`) as string,
  });
  await engine.connections.update({ ...place, settings: { tenantId: other.tenantId } });
  answer(granted, [connected, other], demo);
  expect((await authorize()).finished.account).toEqual({ id: other.tenantId, name: "Other Ltd" });
});

test("a connection is not authorized again for another organisation by accident", async () => {
  const { answer, authorize, status } = await books();
  answer(granted, [connected], demo);
  await authorize();
  answer(granted, [other], demo);
  await expect(authorize()).rejects.toMatchObject({ code: "account_mismatch" });
  expect(await status()).toBe("connected");
});

describe.each([
  ["sandbox", demo, real, '"Acme GmbH" (c2cc9b6e-9458-4c7d-93cc-f02b81b0594f) is no demo company of Xero'],
  ["live", real, demo, '"Acme GmbH" (c2cc9b6e-9458-4c7d-93cc-f02b81b0594f) is a demo company of Xero'],
] as const)("a connection of %s", (environment, own, foreign, said) => {
  const refusal = {
    code: "credentials_of_other_environment",
    message: expect.stringContaining(`Connection "ledger" was not authorized. The organisation ${said}`) as string,
  };
  const refreshed = { ...granted, access_token: "eyJ-second-t0ken", refresh_token: "r3fresh-token-number-2" };

  test("is not authorized for an organisation of the other environment, and nothing is stored", async () => {
    const { answer, authorize, status } = await books(environment);
    answer(granted, [connected], foreign);
    await expect(authorize()).rejects.toMatchObject(refusal);
    expect(await status()).toBe("not_connected");
  });

  test("keeps its tokens when it is authorized again for one, also in place of the account before", async () => {
    const { answer, authorize, engine, place, run } = await books(environment);
    answer(granted, [connected], own);
    await authorize();
    const before = (await engine.connections.get(place)).oauth;
    answer(refreshed, [connected], foreign);
    await expect(authorize()).rejects.toMatchObject(refusal);
    answer(refreshed, [connected], foreign);
    await expect(authorize({ replace: true })).rejects.toMatchObject(refusal);
    expect((await engine.connections.get(place)).oauth).toEqual(before);
    const arrived = answer(own);
    expect(await run("get_organisation", {})).toMatchObject({ status: "completed" });
    expect(arrived[0]?.headers["authorization"]).toBe(`Bearer ${token}`);
  });

  test("whose organisation turns out to be of the other environment fails its test", async () => {
    const { answer, authorize, engine, place } = await books(environment);
    answer(granted, [connected], own);
    await authorize();
    answer([connected], own);
    expect(await engine.connections.test(place)).toMatchObject({ ok: true, account: xeroConnection.account });
    answer([connected], foreign);
    expect(await engine.connections.test(place)).toMatchObject({
      ok: false,
      error: expect.stringContaining(said) as string,
    });
  });

  test("makes no call for an organisation that its settings name instead of the authorized one", async () => {
    const { answer, authorize, engine, place, run } = await books(environment);
    answer(granted, [connected], own);
    await authorize();
    await engine.connections.update({ ...place, settings: { tenantId: other.tenantId } });
    const arrived = answer(refreshed);
    await engine.authorizations.refresh(place);
    const { output } = await run("get_organisation", {});
    expect(JSON.stringify(output)).toContain(`its setting tenantId is ${other.tenantId}. Authorize it again.`);
    expect(arrived.map(({ request }) => request)).toEqual(["POST /connect/token"]);
    answer(refreshed, [connected, other], foreign);
    await expect(authorize()).rejects.toMatchObject({ code: "credentials_of_other_environment" });
  });
});

test("an organisation that does not tell its environment is not authorized", async () => {
  const { answer, authorize, status } = await books();
  answer(granted, [connected], { Organisations: [{ Name: "Acme GmbH" }] });
  await expect(authorize()).rejects.toMatchObject({
    code: "oauth_failed",
    message: expect.stringContaining("does not tell whether") as string,
  });
  expect(await status()).toBe("not_connected");
});
