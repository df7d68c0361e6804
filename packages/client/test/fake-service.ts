import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type ErrorCode,
  errorBodyOf,
  ProcedoError,
  type Review,
  reviewDecisionSchema,
  type Run,
  startRunRequestSchema,
  type SyncRunReply,
} from "@procedo/contract";

/** A received request. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

/** The fault of one request: another response, or a connection that ends. */
export type Fault =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Before the service has read the request; after it has acted; within the answer; never an answer. */
  | "refused"
  | "answer lost"
  | "answer cut"
  | "silence";

/** The service's side of the contract, over real HTTP, as far as the client uses it. */
export interface FakeService extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** Faults of the next requests in order, `undefined` for none; later requests succeed. */
  readonly faults: (Fault | undefined)[];
  /** The answers to polls of a run, in order; the last one repeats. */
  readonly runs: Map<string, Run[]>;
  readonly reviews: Map<string, Review>;
  /** The outcome of the next synchronous run. */
  syncReply: SyncRunReply | undefined;
  /** Recorded decisions, by idempotency key. */
  readonly decisions: Map<string, unknown>;
  /** Started runs, by idempotency key. */
  readonly started: Map<string, string>;
  /** The error for every request. */
  failWith: ErrorCode | undefined;
}

export const sandboxKey = "rsk_sandbox_c2VjcmV0LW9mLXRoZS1mYWtl";

export async function startFakeService(): Promise<FakeService> {
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeService = {
    url,
    received: [],
    faults: [],
    runs: new Map(),
    reviews: new Map(),
    syncReply: undefined,
    decisions: new Map(),
    started: new Map(),
    failWith: undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await read(request);
    fake.received.push(received);
    const fault = fake.faults.shift();
    if (fault === "refused") return void request.socket.destroy();
    if (fault === "silence") return;
    if (typeof fault === "object") {
      const isText = typeof fault.body === "string";
      response.writeHead(fault.status, { "content-type": isText ? "text/html" : "application/json", ...fault.headers });
      return void response.end(isText ? fault.body : JSON.stringify(fault.body));
    }
    const { status, body } = answerOf(received);
    if (fault === "answer lost") return void request.socket.destroy();
    const text = JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    if (fault !== "answer cut") return void response.end(text);
    response.write(text.slice(0, 5), () => request.socket.destroy());
  }

  function answerOf(received: Received): { readonly status: number; readonly body: unknown } {
    try {
      if (received.headers.authorization !== `Bearer ${sandboxKey}`) throw failure("unauthorized");
      if (fake.failWith !== undefined) throw failure(fake.failWith);
      return route(fake, received);
    } catch (error) {
      if (!ProcedoError.isError(error)) throw error;
      return { status: error.status, body: errorBodyOf(error, "req_1") };
    }
  }
  return fake;
}

type Answer = { readonly status: number; readonly body: unknown };

const failure = (code: ErrorCode): ProcedoError =>
  new ProcedoError(code, `It is ${code}.`, { details: [{ path: "/data/amount", message: "is required" }] });

function route(fake: FakeService, { method, path, query, headers, body }: Received): Answer {
  const [, first, second, third, fourth, fifth] = path.split("/").map(decodeURIComponent);
  if (method === "POST" && first === "v1" && second === "procedures" && fourth === "sandbox") {
    return startRun(fake, String(headers["idempotency-key"]), body);
  }
  if (method === "GET" && first === "runs" && second !== undefined) return pollRun(fake, second);
  if (method === "GET" && path === "/api/v1/runs") return page([...fake.runs.values()].map(summaryOf), query);
  if (method === "POST" && third === "runs" && fourth !== undefined && fifth === "cancel") {
    if (!fake.runs.has(fourth)) throw failure("run_not_found");
    return { status: 200, body: { success: true } };
  }
  if (method === "GET" && path === "/api/v1/reviews")
    return page([...fake.reviews.values()].map(reviewSummaryOf), query);
  if (method === "GET" && third === "reviews" && fourth !== undefined) {
    const review = fake.reviews.get(fourth);
    if (review === undefined) throw failure("review_not_found");
    return { status: 200, body: review };
  }
  if (method === "POST" && path.startsWith("/api/runner-proxy/review/")) return decide(fake, body);
  throw failure("not_found");
}

function startRun(fake: FakeService, key: string, body: unknown): Answer {
  const { control } = startRunRequestSchema.parse(body);
  const runId = fake.started.get(key) ?? `run_${fake.started.size + 1}`;
  fake.started.set(key, runId);
  if (control.executionMode === "async") {
    return { status: 202, body: { runId, status: "running", statusUrl: `${fake.url}/runs/${runId}` } };
  }
  if (fake.syncReply === undefined) throw failure("internal");
  return { status: fake.syncReply.status === "timeout" ? 504 : 200, body: { ...fake.syncReply, runId } };
}

function pollRun({ runs }: FakeService, runId: string): Answer {
  const states = runs.get(runId);
  const state = states !== undefined && states.length > 1 ? states.shift() : states?.[0];
  if (state === undefined) throw failure("run_not_found");
  return { status: 200, body: state };
}

function decide(fake: FakeService, body: unknown): Answer {
  const { idempotencyKey, ...decision } = reviewDecisionSchema.parse(body);
  if (!fake.decisions.has(idempotencyKey)) {
    if (fake.decisions.size > 0) throw failure("already_decided");
    fake.decisions.set(idempotencyKey, decision);
  }
  return { status: 200, body: { success: true } };
}

function page(items: readonly unknown[], { limit = "50", cursor = "0" }: Received["query"]): Answer {
  const end = Number(cursor) + Number(limit);
  const data = items.slice(Number(cursor), end);
  return { status: 200, body: { data, ...(end < items.length && { nextCursor: String(end) }) } };
}

function summaryOf([run]: readonly Run[]): unknown {
  if (run === undefined) throw new Error("a run without a state");
  const { runId, status, statusUrl, procedureId, procedureVersion, environment, startedBy, createdAt } = run;
  return { runId, status, statusUrl, procedureId, procedureVersion, environment, startedBy, createdAt };
}

function reviewSummaryOf({
  data: _data,
  call: _call,
  outputsSchema: _schema,
  decisions: _made,
  ...summary
}: Review): unknown {
  return summary;
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const url = new URL(request.url ?? "", "http://localhost");
  return {
    method: request.method ?? "",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    body: text === "" ? undefined : (JSON.parse(text) as unknown),
  };
}
