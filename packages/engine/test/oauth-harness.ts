/* Engines whose connection uses OAuth, a real authorization server, and an API that accepts its tokens only. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createBrowser, startOAuthServer, type OAuthServer } from "@procedo-testing/oauth-server";
import { ActionError, defineIntegration, z, type FinishedAuthorization } from "@procedo/engine";
import { onTestFinished } from "vitest";
import { procedure } from "./documents.ts";
import { alice, createHarness, type Harness, type HarnessEngine, type HarnessOptions } from "./harness.ts";

const redirectUri = "http://127.0.0.1:9/oauth/callback";

/** The API of the service. It records the calls that it accepts. */
export interface ServiceApi {
  readonly origin: string;
  /** The idempotency keys of payments that were made, with the token of each. */
  readonly payments: { readonly key: string; readonly token: string }[];
  /** Every token that was sent, in order. */
  readonly tokens: string[];
  /** Refuses this many further requests with 401, also with a valid token. */
  refuse(times: number): void;
  /** Answers payments with 400, the token in the body and in a header. */
  echoes: boolean;
  /** Makes payments, and cuts their connections before an answer. */
  cuts: boolean;
}

/** @param accepts - tokens of people, or of the client itself */
async function serviceApi(server: OAuthServer, accepts: "people" | "client"): Promise<ServiceApi> {
  let refusals = 0;
  const http = createServer((incoming, response) => void serve(incoming, response));
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    await text(incoming);
    const token = (incoming.headers.authorization ?? "").replace("Bearer ", "");
    api.tokens.push(token);
    const holder =
      accepts === "people"
        ? await server.accountOf(token)
        : token === ""
          ? undefined
          : { id: "client", name: "Client" };
    const account = refusals > 0 ? undefined : holder;
    if (refusals > 0) refusals -= 1;
    if (account === undefined) return response.writeHead(401).end("{}");
    if (incoming.url === "/me") return response.writeHead(200).end(JSON.stringify(account));
    const body = JSON.stringify({ error: `The token ${token} may not pay.`, encoded: btoa(token) });
    if (api.echoes) return response.writeHead(400, { "x-token": token }).end(body);
    api.payments.push({ key: String(incoming.headers["idempotency-key"]), token });
    if (api.cuts) return response.destroy();
    return response.writeHead(200).end('{"paid":true}');
  };
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void http.close(() => resolve())));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const api: ServiceApi = {
    origin,
    payments: [],
    tokens: [],
    refuse: (times) => {
      refusals = times;
    },
    echoes: false,
    cuts: false,
  };
  return api;
}

function deskOf(server: OAuthServer, api: ServiceApi, grant: "authorization_code" | "client_credentials") {
  return defineIntegration({
    name: "desk",
    settings: z.object({ clientId: z.string() }),
    secrets: z.object({ clientSecret: z.string() }),
    oauth: ({ settings, secrets }) => ({
      grant,
      ...{ authorizationUrl: server.authorizationUrl, tokenUrl: server.tokenUrl, revocationUrl: server.revocationUrl },
      issuer: server.issuer,
      ...{ clientId: settings.clientId, clientSecret: secrets.clientSecret, scopes: ["payments"] },
      origins: [api.origin],
      refreshTokenTtlMs: 60 * 86_400_000,
    }),
    account: async ({ fetch }) => {
      const answer = await fetch(`${api.origin}/me`);
      return z.object({ id: z.string(), name: z.string() }).parse(await answer.json());
    },
    actions: ({ defineAction }) => ({
      pay: defineAction({
        description: "Pays.",
        effect: "idempotent",
        input: z.object({}),
        run: async (_input, { fetch, idempotencyKey, account, secrets }) => {
          const request = { method: "POST", headers: { "idempotency-key": idempotencyKey } };
          const answer = await fetch(`${api.origin}/payments`, request);
          if (answer.status === 200) return { from: account?.name ?? "the client", seen: Object.keys(secrets) };
          const said = await answer.text();
          const headers = Object.fromEntries(answer.headers);
          throw new ActionError(`The desk answered ${answer.status}: ${said}`, {
            details: { said, headers },
            exchange: {
              request: { method: "POST", url: `${api.origin}/payments`, headers: {} },
              response: { status: answer.status, headers, body: said },
            },
          });
        },
      }),
    }),
  });
}

export const paying = procedure([{ id: "pay", kind: "tool_call", connection: "desk", action: "pay" }], {
  output: { paid: "{{ nodes.pay.output }}" },
});

export interface OAuthHarness extends Harness {
  readonly server: OAuthServer;
  readonly api: ServiceApi;
  readonly place: { readonly environment: "sandbox"; readonly connectionId: string };
  /** Authorizes the connection in a browser. */
  authorize(options?: { readonly replace?: boolean; readonly on?: HarnessEngine }): Promise<FinishedAuthorization>;
  /** Lets time pass, and the worker renew its lease. */
  pass(ms: number): Promise<void>;
  /** Lets work go on, without moving time, until it is so. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>;
  /** Runs of the payment that have ended or wait. */
  pay(count?: number): Promise<readonly string[]>;
  /** Whether a run waits for its connection. */
  isHeld(runId: string): Promise<boolean>;
}

export async function createOAuthHarness({
  grant = "authorization_code",
  ...options
}: HarnessOptions & { readonly grant?: "authorization_code" | "client_credentials" } = {}): Promise<OAuthHarness> {
  const server = await startOAuthServer();
  onTestFinished(() => server.stop());
  server.allowRedirect(redirectUri);
  const api = await serviceApi(server, grant === "client_credentials" ? "client" : "people");
  const harness = await createHarness({
    ...options,
    egress: { allowNetworks: ["127.0.0.0/8"] },
    integrations: [deskOf(server, api, grant)],
  });
  const { clock, engine } = harness;
  const { connectionId } = await engine.connections.create({
    ...{ name: "desk", integration: "desk", environment: "sandbox", by: alice },
    settings: { clientId: server.client.id },
    secrets: { clientSecret: server.client.secret },
  });
  const place = { environment: "sandbox", connectionId } as const;
  await harness.publish(paying);

  const until: OAuthHarness["until"] = async (isSo) => {
    while (!(await isSo())) await clock.settle();
  };
  /** Work that waits for real sockets. */
  const done = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const ended = work.finally(() => (isDone = true));
    ended.catch(() => {});
    await until(() => isDone);
    return await ended;
  };
  const isHeld: OAuthHarness["isHeld"] = async (runId) => {
    const last = (await harness.entries(runId)).at(-1);
    return last?.type === "held";
  };
  return {
    ...harness,
    server,
    api,
    place,
    until,
    pass: async (ms) => {
      clock.leap(ms - 10_000);
      await clock.advance(10_000);
    },
    isHeld,
    authorize: async ({ replace = false, on = engine } = {}) => {
      const { ticket } = await on.authorizations.begin({ ...place, by: alice, replace });
      const { url, browser } = await done(on.authorizations.open({ ticket, redirectUri }));
      const address = await done(createBrowser().openUntil(url, redirectUri));
      return await done(on.authorizations.finish({ parameters: new URL(address).searchParams, browser }));
    },
    pay: async (count = 1) => {
      const starts = Array.from({ length: count }, () => harness.run({}, { procedureId: paying.procedureId }));
      const runIds = await Promise.all(starts);
      for (const runId of runIds) {
        await until(async () => (await harness.read(runId)).status !== "running" || (await isHeld(runId)));
      }
      return runIds;
    },
  };
}
