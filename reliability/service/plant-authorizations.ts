import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createBrowser, startOAuthServer, type OAuthServer } from "@procedo-testing/oauth-server";
import type { Connection, ProcedureDocument, Run, StartedAuthorization } from "@procedo/contract";
import { callWell } from "./call-service.ts";
import { decoy, type Witness } from "./leak-scenario.ts";
import type { PlantedSecrets } from "./planted-secrets.ts";
import { urlOf, type ServiceWorld } from "./service-world.ts";

/** A service with OAuth. */
export interface TokenServers {
  readonly server: OAuthServer;
  /** The origin of its API, which says each token in its answer. */
  readonly origin: string;
  /** The tokens that were sent to the API. */
  readonly tokens: ReadonlySet<string>;
  close(): Promise<void>;
}

/**
 * Connects Custom APIs by OAuth, one authorized by a person in a browser and one as a client, and a mail server; all in the
 * sandbox.
 *
 * @returns calls the APIs, with tokens of one generation and of the next
 */
export async function plantAuthorizations(
  service: ServiceWorld,
  witness: Witness,
  planted: PlantedSecrets,
  { server, origin }: TokenServers,
): Promise<(witness: Witness) => Promise<void>> {
  const key = service.keys.run;
  const url = await urlOf(service.node);
  server.allowRedirect(`${url}/oauth/callback`);
  planted.add("the client's secret", server.client.secret);
  const connect = async (name: string, authentication: object): Promise<Connection> => {
    const settings = { spec: { text: JSON.stringify(apiDocument) }, baseUrl: origin, authentication };
    const secrets = { clientSecret: server.client.secret };
    const body = { name, integration: "custom_api", environment: "sandbox", settings, secrets };
    return await created(witness, key, body);
  };
  const client = { tokenUrl: server.tokenUrl, clientId: server.client.id };
  const scopes = ["accounting"];
  const person = { authorizationUrl: server.authorizationUrl, revocationUrl: server.revocationUrl };
  const { id } = await connect("by-person", { method: "oauth2", ...client, ...person, issuer: server.issuer, scopes });
  await connect("by-client", { method: "client_credentials", ...client });

  const start = `${url}/api/v1/connections/${id}/oauth/start`;
  const started = await callWell<StartedAuthorization>(start, key, { body: {} });
  planted.add("the ticket of an authorization", started.url.slice(started.url.lastIndexOf("/") + 1));
  const page = await createBrowser().open(started.url);
  if (page.status !== 200) throw new Error(`The authorization ended with ${page.status}: ${page.text}`);
  planted.note("an answer", page.text);

  for (const document of documents) {
    const body = { version: "1", document, defaultIn: ["sandbox"] };
    await witness(`/api/v1/procedures/${document.procedureId}/versions`, key, { body });
  }
  await plantMailServer(witness, key, planted);

  const callBoth = async (ask: Witness): Promise<void> => {
    for (const { procedureId } of documents) {
      const body = { data: { decoy }, control: { executionMode: "sync" } };
      const { status } = JSON.parse(await ask(`/v1/procedures/${procedureId}/sandbox`, key, { body })) as Run;
      if (status !== "completed") throw new Error(`A call with a token ended as ${status}.`);
    }
  };
  return async (ask) => {
    await callBoth(ask);
    server.endAccessTokens();
    await callBoth(ask);
    await ask(`/api/v1/connections/${id}/oauth/refresh`, key, { method: "POST" });
    await ask(`/api/v1/connections/${id}`, key);
  };
}

/** Registers the tokens, codes and states that were used. */
export function plantTokens({ server, tokens }: TokenServers, planted: PlantedSecrets): void {
  for (const [index, token] of [...tokens].entries()) planted.add(`access token ${index}`, token);
  for (const [index, { parameters }] of server.requests.entries()) {
    for (const name of ["state", "code", "code_verifier", "refresh_token"]) {
      const text = parameters.get(name);
      if (text !== null) planted.add(`the ${name} of request ${index}`, text);
    }
  }
}

/** A connection whose password a mail server never sees, because none answers. */
async function plantMailServer(witness: Witness, key: string, planted: PlantedSecrets): Promise<void> {
  const settings = { host: "127.0.0.1", user: "desk", from: "desk@acme.example" };
  const secrets = { password: planted.token("the password of the mail server") };
  const body = { name: "mail", integration: "email", environment: "sandbox", settings, secrets };
  const { id } = await created(witness, key, body);
  await witness(`/api/v1/connections/${id}/test`, key, { method: "POST" });
}

async function created(witness: Witness, key: string, body: object): Promise<Connection> {
  const answer = await witness("/api/v1/connections", key, { body });
  const connection = JSON.parse(answer) as Partial<Connection>;
  if (connection.id === undefined) throw new Error(`A connection was refused: ${answer}`);
  return connection as Connection;
}

/** Starts an authorization server, and an API that takes its tokens. */
export async function startTokenServers(): Promise<TokenServers> {
  const server = await startOAuthServer();
  const tokens = new Set<string>();
  const api = createServer((request, response) => {
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    tokens.add(token);
    void server.accountOf(token).then((account) => {
      const isGood = account !== undefined || request.url === "/by-client";
      const said = { said: `Your token is ${token}, or ${Buffer.from(token).toString("base64")}.` };
      response.writeHead(isGood ? 200 : 401, { "content-type": "application/json", "x-token": token });
      response.end(JSON.stringify(said));
    });
  }).listen(0, "127.0.0.1");
  await once(api, "listening");
  return {
    server,
    origin: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    tokens,
    close: async () => {
      api.closeAllConnections();
      await new Promise((resolve) => api.close(resolve));
      await server.stop();
    },
  };
}

const names = ["by-person", "by-client"] as const;

const answer = { description: "What was said.", content: { "application/json": { schema: { type: "object" } } } };

const apiDocument = {
  openapi: "3.0.3",
  info: { title: "Says tokens", version: "1" },
  paths: Object.fromEntries(
    names.map((name) => [`/${name}`, { get: { operationId: `ask_${name}`, responses: { 200: answer } } }]),
  ),
};

const documents: readonly ProcedureDocument[] = names.map((name) => ({
  schemaVersion: 1,
  procedureId: `authorized-${name}`,
  name: `Authorized ${name}`,
  input: { type: "object", properties: { decoy: { type: "string" } } },
  nodes: [
    { id: "start", kind: "start" },
    { id: "ask", kind: "tool_call", connection: name, action: `ask_${name}`, arguments: {} },
    { id: "end", kind: "end", output: { said: "{{ nodes.ask.output }}" } },
  ],
  edges: [
    { from: "start", to: "ask" },
    { from: "ask", to: "end" },
  ],
}));
