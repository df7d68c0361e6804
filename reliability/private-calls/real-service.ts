import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { testAuthority } from "@procedo-testing/certificates";
import type { Environment, JsonObject } from "@procedo/contract";
import { createEngine, defineProcedure, z, type Engine } from "@procedo/engine";
import { createHttp, nodeHandler } from "@procedo/http";
import { createMemoryStorage } from "@procedo/storage";
import type { Call, PrivateService, Settled } from "../../packages/private-connection/test/private-service.ts";

/** The service itself: an engine that executes runs, behind its own HTTP interface. */
export interface RealService extends PrivateService {
  readonly engine: Engine;
  readonly connectionId: string;
}

export interface RealServiceOptions {
  readonly environment?: Environment;
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The path prefix, such as `/sdk`. */
  readonly prefix?: string;
}

const by = { person: "olga" };
const mebibyte = 1024 * 1024;
/** The limit of a step's output: these tests return large results. */
const limits = { stepBytes: 16 * mebibyte, runBytes: 256 * mebibyte };

export async function startRealService(options: RealServiceOptions = {}): Promise<RealService> {
  const { environment = "sandbox", tls, prefix = "" } = options;
  const storage = createMemoryStorage({ now: () => Date.now() });
  const masterKey = new Uint8Array(32).fill(7);
  const engine = createEngine({ storage, integrations: [], masterKey, limits });
  await engine.start();
  const created = await engine.connections.create({ name: "office", integration: "private_connection", by });
  const { connectionId } = created;
  let token = created.tokens?.[environment] ?? "";

  const origin = "https://api.procedo.test";
  const handler = nodeHandler(createHttp({ engine, runnerUrl: origin, appUrl: origin }));
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url?.startsWith(prefix) === true) request.url = request.url.slice(prefix.length);
    handler(request, response);
  };
  const server = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  /** Procedures of one call each, published once its function is registered. */
  const published = new Map<string, Promise<string>>();
  const procedureOf = (name: string, input: JsonObject): Promise<string> => {
    const key = JSON.stringify([name, input]);
    const known = published.get(key) ?? publish(`calls-${published.size + 1}`, name, input);
    published.set(key, known);
    return known;
  };
  const publish = async (procedureId: string, action: string, input: JsonObject): Promise<string> => {
    const document = defineProcedure({
      procedureId,
      name: "Calls",
      input: z.looseObject({}),
      nodes: {
        start: { kind: "start", next: "call" },
        call: { kind: "tool_call", connection: "office", action, arguments: input, next: "done" },
        done: { kind: "end", output: {} },
      },
    });
    await engine.procedures.publish({ document, version: "v1", defaultIn: [environment], by });
    return procedureId;
  };

  const settle = async (name: string, input: JsonObject): Promise<Settled> => {
    const procedureId = await procedureOf(name, input);
    const outcome = await engine.runs.execute({ procedureId, environment, data: {}, by }, { timeoutMs: 300_000 });
    if (outcome.status === "failed") return { status: "error", error: outcome.error };
    if (outcome.status !== "completed") return { status: "unknown" };
    const { steps } = await engine.runs.get({ environment, runId: outcome.runId });
    const output = steps.find(({ nodeId }) => nodeId === "call")?.output;
    return { status: "ok", ...(output !== undefined && { output }) };
  };

  const service: RealService = {
    engine,
    connectionId,
    environment,
    // A step always has an output.
    nothing: { status: "ok", output: null },
    ...(tls !== undefined && { ca: testAuthority }),
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    get token() {
      return token;
    },
    call: (name, input = {}): Call => {
      let state: Settled | undefined;
      const settled = settle(name, input).then((known) => (state = known));
      return {
        settled,
        get state() {
          return state;
        },
      };
    },
    regenerateToken: async () => {
      ({ token } = await engine.privateConnections.regenerateToken({ environment, connectionId, by }));
      return token;
    },
    registeredFunctions: async () =>
      (await engine.privateConnections.status({ environment, connectionId })).registeredFunctions,
    [Symbol.asyncDispose]: async () => {
      await engine.stop({ drainMs: 0 });
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return service;
}
