/* A service whose connections are authorized at a real authorization server, by browsers over TCP. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { manualClock, type ManualClock } from "@procedo-testing/faults";
import { startOAuthServer, type OAuthServer } from "@procedo-testing/oauth-server";
import { connectionSchema, type Connection, type JsonObject } from "@procedo/contract";
import { defineIntegration, z, type CodedIntegration } from "@procedo/engine";
import { createHttp, nodeHandler } from "@procedo/http";
import { onTestFinished } from "vitest";
import { createHarness, newName, textOf, type Answered, type Harness } from "./harness.ts";

export interface OAuthService {
  readonly harness: Harness;
  readonly clock: ManualClock;
  /** The address of the application, where it listens. */
  readonly appUrl: string;
  /** The authorization server of the integration `books`. */
  readonly server: OAuthServer;
  /** Sends a request of the key; the answer is JSON. */
  ask(target: string, body?: JsonObject): Promise<Answered>;
  /** Creates a connection. @param integration @defaultValue books */
  connect(name?: string, integration?: string): Promise<string>;
  get(connectionId: string): Promise<Connection>;
  /** Begins an authorization, and returns the page for the browser. */
  start(connectionId: string, body?: JsonObject): Promise<string>;
}

/** Bookkeeping at an authorization server. */
export function booksOf(server: OAuthServer, name = "books"): CodedIntegration {
  return defineIntegration({
    name,
    secrets: z.object({ clientSecret: z.string() }),
    oauth: ({ secrets }) => ({
      grant: "authorization_code",
      ...{ authorizationUrl: server.authorizationUrl, tokenUrl: server.tokenUrl, revocationUrl: server.revocationUrl },
      ...{ issuer: server.issuer, clientId: server.client.id, clientSecret: secrets.clientSecret },
      ...{ scopes: ["accounting", "payments"], origins: [server.issuer] },
    }),
    account: async ({ fetch }) => {
      const answer = await fetch(server.accountUrl);
      return z.object({ id: z.string(), name: z.string() }).parse(await answer.json());
    },
    actions: {},
  });
}

/** @param others integrations in addition to `books` */
export async function createOAuthService(others: readonly CodedIntegration[] = []): Promise<OAuthService> {
  const server = await startOAuthServer();
  onTestFinished(() => server.stop());
  const clock = manualClock();
  const harness = await createHarness({ clock, integrations: [booksOf(server), ...others] });
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(() => void listener.close().closeAllConnections());
  const appUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  listener.on("request", nodeHandler(createHttp({ engine: harness.engine, runnerUrl: appUrl, appUrl, clock, log })));
  server.allowRedirect(`${appUrl}/oauth/callback`);
  const key = await harness.key(["manage"], "live", "mara");

  const ask: OAuthService["ask"] = async (target, body) => {
    const [method = "", path = ""] = target.split(" ");
    const answer = await fetch(appUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, body: JSON.parse(text) as JsonObject, headers: answer.headers };
  };

  return {
    harness,
    clock,
    appUrl,
    server,
    ask,
    connect: async (name = newName(), integration = "books") => {
      const { secret: clientSecret } = server.client;
      const body = { name, integration, environment: "live", secrets: { clientSecret } };
      return textOf((await ask("POST /api/v1/connections", body)).body["id"]);
    },
    get: async (connectionId) => connectionSchema.parse((await ask(`GET /api/v1/connections/${connectionId}`)).body),
    start: async (connectionId, body) =>
      textOf((await ask(`POST /api/v1/connections/${connectionId}/oauth/start`, body)).body["url"]),
  };
}
