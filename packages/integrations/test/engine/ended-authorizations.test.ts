/* Authorizations that end at Slack and Xero while runs are under way (hostile case 7). The services answer as they document. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { createEngine, silentLog, systemClock, type CodedIntegration } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { slack, xero } from "../../src/services/index.ts";
import { connected, organisationOf, xeroConnection } from "../../src/services/xero/xero.probe.ts";
import { by, callDocument, sandbox } from "./ledger-engine.ts";

const redirectUri = "https://procedo.test/oauth/callback";

interface Answer {
  readonly status?: number;
  readonly body: JsonValue;
}

/** A service, and the state that it is in. */
class Service {
  /** Whether the person has ended the authorization at the service. */
  hasEnded = false;
  /** Refuses this many further calls, although their token is good. */
  refusals = 0;
  tokens = 0;
  refreshes = 0;
  /** Calls that the service refused. */
  refused = 0;
  /** The calls that were made, by their keys. */
  readonly made: string[] = [];

  issued(): { readonly access_token: string; readonly refresh_token: string; readonly expires_in: number } {
    this.tokens += 1;
    return {
      access_token: `xoxb-access-${this.tokens}`,
      refresh_token: `refresh-token-${this.tokens}`,
      expires_in: 1_800,
    };
  }

  /** Makes a call, or refuses it. */
  act(key: string, { done, refusal }: { readonly done: JsonValue; readonly refusal: Answer }): Answer {
    if (this.hasEnded || this.refusals > 0) {
      this.refusals -= 1;
      this.refused += 1;
      return refusal;
    }
    this.made.push(key);
    return { body: done };
  }
}

/** A service with its integration, and the call that runs make. */
interface Vendor {
  readonly integration: (origin: string) => CodedIntegration;
  readonly settings: JsonObject;
  readonly secrets: { readonly [name: string]: string };
  readonly action: string;
  readonly args: JsonObject;
  readonly answer: (service: Service, path: string, form: string, key: string) => Answer;
}

const slackFor = ({ error, rotates }: { readonly error: string; readonly rotates: boolean }): Vendor => ({
  integration: (origin) => slack({ baseUrl: `${origin}/api` }),
  settings: { clientId: "2141029472.691202649728" },
  secrets: { clientSecret: "cl1ent-s3cret-of-slack" },
  action: "post_message",
  args: { channel: "C0BILLS", text: "Invoice 1007" },
  answer: (service, path, form) => {
    const ended = { body: { ok: false, error } };
    if (path === "/api/auth.test") return { body: { ok: true, team: "Books", team_id: "T0BOOKS" } };
    if (path !== "/api/oauth.v2.access") {
      return service.act(form, { done: { ok: true, channel: "C0BILLS", ts: "1764244800.000100" }, refusal: ended });
    }
    const { access_token, ...renewable } = service.issued();
    const tokens = { ok: true, token_type: "bot", scope: "chat:write", access_token };
    if (!form.includes("grant_type=refresh_token")) return { body: rotates ? { ...tokens, ...renewable } : tokens };
    service.refreshes += 1;
    return service.hasEnded ? ended : { body: { ...tokens, ...renewable } };
  },
});

const xeroVendor: Vendor = {
  integration: (origin) => xero({ baseUrl: origin, loginUrl: origin, identityUrl: origin }),
  settings: { clientId: xeroConnection.settings.clientId },
  secrets: { clientSecret: xeroConnection.secrets.clientSecret },
  action: "create_payment",
  args: {
    ...{ Invoice: { InvoiceID: "a03ffcd2-5d91-4c7e-b483-318584e9e439" }, Account: { Code: "090" } },
    ...{ Date: "2026-11-27", Amount: 0.37 },
  },
  answer: (service, path, form, key) => {
    if (path === "/connections") return { body: [connected] };
    if (path === "/api.xro/2.0/Organisation") return { body: organisationOf({ isDemo: true }) };
    if (path === "/connect/token") {
      // The tokens of a person outlive the connection of the app to an organisation.
      if (form.includes("grant_type=refresh_token")) service.refreshes += 1;
      return { body: { ...service.issued(), token_type: "Bearer", scope: "accounting.transactions" } };
    }
    const forbidden = { Type: null, Title: "Forbidden", Status: 403, Detail: "AuthenticationUnsuccessful" };
    return service.act(key, {
      done: { Payments: [{ PaymentID: "61ed71fc-01bf-4eb8-8419-8a18789ff45f", Status: "AUTHORISED" }] },
      refusal: { status: 403, body: forbidden },
    });
  },
};

/** An engine with an authorized connection. */
async function authorizedAt({ integration: integrationAt, settings, secrets, action, args, answer }: Vendor) {
  const service = new Service();
  const receive = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname } = new URL(request.url ?? "/", "http://service.test");
    return answer(service, pathname, await text(request), String(request.headers["idempotency-key"]));
  };
  const http = createServer((request, response) => {
    void receive(request).then(({ status = 200, body }) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const integration = integrationAt(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const engine = createEngine({
    storage: createMemoryStorage({ now: systemClock.now }),
    ...{ integrations: [integration], masterKey: new Uint8Array(32).fill(7), log: silentLog },
    egress: { allowNetworks: ["127.0.0.0/8"] },
  });
  await engine.start();
  onTestFinished(async () => {
    await engine.stop();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  const { connectionId } = await engine.connections.create({
    ...{ name: "ledger", integration: integration.name, ...sandbox, settings, secrets, by },
  });
  const place = { ...sandbox, connectionId };
  const authorize = async (): Promise<void> => {
    const { ticket } = await engine.authorizations.begin({ ...place, by });
    const { url, browser } = await engine.authorizations.open({ ticket, redirectUri });
    const state = new URL(url).searchParams.get("state") ?? "";
    await engine.authorizations.finish({ parameters: new URLSearchParams({ code: "c0de", state }), browser });
  };
  await authorize();
  const document = callDocument(action, args, { retry: { maxAttempts: 1 } });
  await engine.procedures.publish({ document, version: "v1", defaultIn: ["sandbox"], by });
  const start = async (count: number): Promise<readonly string[]> => {
    const started = Array.from({ length: count }, () =>
      engine.runs.start({ procedureId: "p", ...sandbox, data: {}, by }),
    );
    return (await Promise.all(started)).map(({ runId }) => runId);
  };
  const waiting = async (runIds: readonly string[]): Promise<number> => {
    const steps = runIds.map((runId) => engine.runs.step({ ...sandbox, runId, nodeId: "it", visit: 1 }));
    const isHeld = ({ authorization }: { readonly authorization?: unknown }) => authorization !== undefined;
    return (await Promise.all(steps.map((step) => step.then(isHeld, () => false)))).filter(Boolean).length;
  };
  const outputs = (runIds: readonly string[]) =>
    Promise.all(
      runIds.map(async (runId) => {
        const { status, output } = await engine.runs.get({ ...sandbox, runId });
        return `${status} ${Object.keys(output ?? {}).join()}`;
      }),
    );
  const oauth = async () => (await engine.connections.get(place)).oauth;
  return { service, start, waiting, outputs, oauth, authorize };
}

/** Waits for work that real sockets do. */
const eventually = (isSo: () => Promise<void>): Promise<void> => vi.waitFor(isSo, { timeout: 90_000, interval: 50 });

const done = "completed answer";

describe.each<[string, Vendor, { readonly refreshes: number }]>([
  ["Slack with rotation, token_revoked", slackFor({ error: "token_revoked", rotates: true }), { refreshes: 1 }],
  ["Slack without rotation, token_revoked", slackFor({ error: "token_revoked", rotates: false }), { refreshes: 0 }],
  [
    "Slack without rotation, account_inactive",
    slackFor({ error: "account_inactive", rotates: false }),
    { refreshes: 0 },
  ],
  ["Xero, whose app was disconnected", xeroVendor, { refreshes: 1 }],
])("%s", (_name, vendor, { refreshes }) => {
  test("7: 20 runs wait for a person, none fails, and each call is made once afterwards", async () => {
    const { service, start, waiting, outputs, oauth, authorize } = await authorizedAt(vendor);
    service.hasEnded = true;
    const runIds = await start(20);
    await eventually(async () => expect(await waiting(runIds)).toBe(20));
    expect(new Set(await outputs(runIds))).toEqual(new Set(["running "]));
    expect((await oauth())?.status).toBe("needs_authorization");
    expect(service.refreshes).toBe(refreshes);
    // Each call is sent twice at most.
    expect(service.refused).toBeLessThanOrEqual(40);
    expect(service.made).toEqual([]);
    service.hasEnded = false;
    await authorize();
    await eventually(async () => expect(new Set(await outputs(runIds))).toEqual(new Set([done])));
    expect(service.made).toHaveLength(20);
  });

  test("a single refusal is followed by the same call, and ends nothing", async () => {
    const { service, start, outputs, oauth } = await authorizedAt(vendor);
    service.refusals = 1;
    const runIds = await start(1);
    await eventually(async () => expect(await outputs(runIds)).toEqual([done]));
    expect((await oauth())?.status).toBe("connected");
    expect([service.refused, service.made.length, service.refreshes]).toEqual([1, 1, refreshes]);
  });
});

test("the calls of Xero keep their idempotency keys, each its own", async () => {
  const { service, start, outputs } = await authorizedAt(xeroVendor);
  service.refusals = 1;
  const runIds = await start(3);
  await eventually(async () => expect(new Set(await outputs(runIds))).toEqual(new Set([done])));
  expect(new Set(service.made).size).toBe(3);
});

test.each([true, false])(
  "a token of Slack that is refused twice as invalid is the error of the step: with rotation %s",
  async (rotates) => {
    const { service, start, outputs, oauth } = await authorizedAt(slackFor({ error: "invalid_auth", rotates }));
    service.refusals = 2;
    const runIds = await start(1);
    await eventually(async () => expect(await outputs(runIds)).toEqual(["completed error"]));
    expect((await oauth())?.status).toBe("connected");
    expect(service.made).toEqual([]);
  },
);

test("an answer that is not about the token is not repeated", async () => {
  const { service, start, outputs, oauth } = await authorizedAt(slackFor({ error: "missing_scope", rotates: true }));
  service.refusals = 1;
  const runIds = await start(1);
  await eventually(async () => expect(await outputs(runIds)).toEqual(["completed error"]));
  expect([service.refused, service.refreshes, (await oauth())?.status]).toEqual([1, 0, "connected"]);
});
