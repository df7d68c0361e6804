import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server, Socket } from "node:net";
import { testAuthority } from "@procedo-testing/certificates";
import {
  type Environment,
  type ErrorCode,
  errorBodyOf,
  heartbeatSchema,
  type InvocationResult,
  invocationResultSchema,
  manifestSchema,
  maxResultBytes,
  type ParsedManifest,
  pollHoldMs,
  pollQuerySchema,
  ProcedoError,
  type ResultSettlement,
  resultsTogetherSchema,
} from "@procedo/contract";
import type { Runtime } from "../src/runtime.ts";
import { createFakeCalls, type FakeCalls } from "./fake-calls.ts";
import type { PrivateService } from "./private-service.ts";

/** A received request. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** The fault of one request. */
export type Fault =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Before the service has read the request; after it has acted; within its answer; never an answer. */
  | "refused"
  | "answer lost"
  | "answer cut"
  | "silence";

/** The service's side of the protocol over real HTTP or TLS, with faults that a test injects. */
export interface FakeService extends PrivateService {
  readonly calls: FakeCalls;
  readonly received: Received[];
  /** Called for every request; `undefined` injects no fault. */
  faultOf: (request: Received) => Fault | undefined;
  /** Whether it accepts several results at once; an earlier release does not. */
  takesSeveral: boolean;
  /** The reason for which it refuses one of several results. */
  refusalOf: (result: InvocationResult) => ProcedoError | undefined;
  /** Injects this fault into the next request to this path. */
  failNext(path: string, ...faults: Fault[]): void;
  /** Resolves when a request has arrived for which this is true, from now on. */
  arrival(isIt: (request: Received) => boolean): Promise<Received>;
  readonly manifests: ReadonlyMap<string, ParsedManifest>;
  /** Forgets its manifests, like a replaced service. */
  forgetManifests(): void;
  /** Closes every connection. */
  cutConnections(): void;
  readonly openConnections: number;
}

export interface FakeServiceOptions {
  readonly runtime: Runtime;
  readonly environment?: Environment;
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The path of its mount, such as `/sdk`. */
  readonly prefix?: string;
  readonly port?: number;
}

type Answer = { readonly status: number; readonly body?: unknown };

export async function startFakeService(options: FakeServiceOptions): Promise<FakeService> {
  const { runtime, environment = "sandbox", tls, prefix = "", port = 0 } = options;
  const calls = createFakeCalls(runtime);
  const manifests = new Map<string, ParsedManifest>();
  const planned = new Map<string, Fault[]>();
  const arrivals = new Set<(request: Received) => void>();
  const heldPolls = new Set<() => void>();
  const sockets = new Set<Socket>();
  let tokens = 1;
  calls.onQueued = () => {
    for (const wake of [...heldPolls]) wake();
  };

  const listener = (request: IncomingMessage, response: ServerResponse): void => void serve(request, response);
  const server: Server = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  const fake: FakeService = {
    ...{ environment, calls, manifests, received: [], faultOf: () => undefined, nothing: { status: "ok" } },
    ...{ takesSeveral: true, refusalOf: () => undefined },
    ...(tls !== undefined && { ca: testAuthority }),
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    get token() {
      return `run_${environment}_c2VjcmV0LW9mLXRoZS1mYWtl${tokens}`;
    },
    get openConnections() {
      return sockets.size;
    },
    call: (name, input = {}) => calls.add(name, input, declarationOf(name)?.idempotent ?? false),
    regenerateToken: async () => {
      tokens++;
      for (const wake of [...heldPolls]) wake();
      return fake.token;
    },
    registeredFunctions: async () => [
      ...new Set([...manifests.values()].flatMap(({ functions }) => functions.map(({ name }) => name))),
    ],
    failNext: (path, ...faults) => void planned.set(path, [...(planned.get(path) ?? []), ...faults]),
    arrival: (isIt) =>
      new Promise((resolve) => {
        const check = (request: Received): void => {
          if (!isIt(request)) return;
          arrivals.delete(check);
          resolve(request);
        };
        arrivals.add(check);
      }),
    forgetManifests: () => {
      manifests.clear();
      for (const wake of [...heldPolls]) wake();
    },
    cutConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };

  function declarationOf(name: string): ParsedManifest["functions"][number] | undefined {
    return [...manifests.values()].flatMap(({ functions }) => functions).find((one) => one.name === name);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await read(request, prefix).catch(() => undefined);
    if (received === undefined) return;
    fake.received.push(received);
    const fault = planned.get(received.path)?.shift() ?? fake.faultOf(received);
    // Reported afterwards, so that a test that waits for the request finds it processed.
    const tell = (): void => [...arrivals].forEach((check) => check(received));
    if (fault === "refused") request.socket.destroy();
    if (fault === "refused" || fault === "silence") return tell();
    if (typeof fault === "object") {
      const isText = typeof fault.body === "string";
      response.writeHead(fault.status, { "content-type": isText ? "text/html" : "application/json", ...fault.headers });
      response.end(isText ? fault.body : JSON.stringify(fault.body));
      return tell();
    }
    const answering = answerOf(received, request.socket);
    tell();
    const answer = await answering;
    if (fault === "answer lost") return void request.socket.destroy();
    if (answer.body === undefined) return void response.writeHead(answer.status).end();
    const text = JSON.stringify(answer.body);
    const length = Buffer.byteLength(text);
    response.writeHead(answer.status, { "content-type": "application/json", "content-length": length });
    if (fault !== "answer cut") return void response.end(text);
    response.write(text.slice(0, 5), () => request.socket.destroy());
  }

  async function answerOf(received: Received, socket: Socket): Promise<Answer> {
    try {
      authorize(received);
      return await route(received, socket);
    } catch (error) {
      const known = ProcedoError.isError(error) ? error : new ProcedoError("malformed_request", String(error));
      return { status: known.status, body: errorBodyOf(known, "req_1") };
    }
  }

  function authorize({ headers }: Received): void {
    if (headers.authorization !== `Bearer ${fake.token}`) throw failure("unauthorized");
  }

  async function route(received: Received, socket: Socket): Promise<Answer> {
    const { method, path, text, query } = received;
    switch (`${method} ${path}`) {
      case "PUT /v1/sdk/functions": {
        const manifest = manifestSchema.parse(JSON.parse(text));
        const digest = createHash("sha256").update(text).digest("hex");
        manifests.set(digest, manifest);
        return { status: 200, body: { digest } };
      }
      case "GET /v1/sdk/poll":
        return await poll(received, pollQuerySchema.parse(query), socket);
      case "POST /v1/sdk/heartbeat":
        return { status: 200, body: { abandon: calls.extend(heartbeatSchema.parse(JSON.parse(text)).invocations) } };
      case "POST /v1/sdk/result":
        if (Buffer.byteLength(text) > maxResultBytes) throw failure("payload_too_large");
        if (calls.settle(invocationResultSchema.parse(JSON.parse(text))) === "stale") throw failure("stale_lease");
        return { status: 200, body: { success: true } };
      case "POST /v1/sdk/results": {
        if (!fake.takesSeveral) throw failure("not_found");
        if (Buffer.byteLength(text) > maxResultBytes) throw failure("payload_too_large");
        const { results } = resultsTogetherSchema.parse(JSON.parse(text));
        return { status: 200, body: { results: results.map(settlementOf) } };
      }
      default:
        throw failure("not_found");
    }
  }

  function settlementOf(result: InvocationResult): ResultSettlement {
    const { invocationId } = result;
    const refusal = fake.refusalOf(result) ?? (calls.settle(result) === "stale" ? failure("stale_lease") : undefined);
    if (refusal === undefined) return { invocationId, success: true };
    return { invocationId, success: false, error: refusal.message, code: refusal.code };
  }

  async function poll(received: Received, query: { max: number; manifest?: string | undefined }, socket: Socket) {
    let isOver = false;
    const wakeAll = (): void => [...heldPolls].forEach((wake) => wake());
    const cancel = runtime.after(pollHoldMs, () => {
      isOver = true;
      wakeAll();
    });
    socket.on("close", wakeAll);
    try {
      for (;;) {
        // An invalidated token and a forgotten manifest end a held poll.
        authorize(received);
        const manifest = manifests.get(query.manifest ?? "");
        if (manifest === undefined) throw failure("manifest_required");
        const names = new Set(manifest.functions.map(({ name }) => name));
        if (socket.destroyed) return { status: 204 };
        const invocations = calls.lease(query.max, names, environment);
        if (invocations.length > 0) return { status: 200, body: { invocations } };
        if (isOver) return { status: 204 };
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            heldPolls.delete(wake);
            resolve();
          };
          heldPolls.add(wake);
        });
      }
    } finally {
      cancel();
      socket.off("close", wakeAll);
    }
  }
  return fake;
}

const failure = (code: ErrorCode): ProcedoError => new ProcedoError(code, `It is ${code}.`);

async function read(request: IncomingMessage, prefix: string): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const url = new URL(request.url ?? "", "http://localhost");
  return {
    method: request.method ?? "",
    path: url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    text: Buffer.concat(chunks).toString(),
  };
}
