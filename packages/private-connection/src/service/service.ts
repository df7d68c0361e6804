import { errorFromBody, heartbeatIntervalMs, pollHoldMs, ProcedoError } from "@procedo/contract";
import type * as z from "zod";
import { outgoingFailure } from "./failure.ts";
import {
  type PolledCall,
  heartbeatAnswer,
  type Lease,
  manifestAnswer,
  pollAnswer,
  resultAnswer,
  resultsAnswer,
  type SettledResult,
} from "./protocol-answers.ts";
import { printable } from "../printable.ts";
import type { HideToken } from "./hide-token.ts";
import { requestedWaitMs } from "./requested-wait.ts";
import type { Transport, TransportAnswer, TransportRequest } from "./transport.ts";

/** The answer to a request, or the reason for its absence. Never throws. */
export type Reply<Value> =
  | { readonly kind: "answered"; readonly value: Value }
  /** The token is invalid: the client ends. */
  | { readonly kind: "unauthorized"; readonly error: ProcedoError }
  /** Any other failure, after which the request is retried. */
  | Failure;

export interface Failure {
  readonly kind: "failed";
  /** The status of the answer; 0 without an answer. */
  readonly status: number;
  readonly error: ProcedoError;
  readonly retryAfterMs?: number;
}

export type PollValue =
  | { readonly kind: "work"; readonly invocations: readonly PolledCall[] }
  | { readonly kind: "none" }
  | { readonly kind: "manifest_required" };

export type ResultValue =
  | { readonly kind: "accepted" }
  /** The call was leased to another client. */
  | { readonly kind: "stale" }
  /** The service will never accept the result in this form. */
  | { readonly kind: "refused"; readonly error: ProcedoError };

export type ResultsValue =
  /** The outcome of each result, in order. */
  | { readonly kind: "settled"; readonly each: readonly ResultValue[] }
  /** The service will never accept one of the results, or all of them together. They must be sent separately. */
  | { readonly kind: "refused" }
  /** The service accepts only one result at a time, or a gateway blocks more. */
  | { readonly kind: "not_taken" };

/** The service side of the protocol: five outbound requests. */
export interface Service {
  register(manifest: string, signal: AbortSignal): Promise<Reply<{ readonly digest: string }>>;
  /** The service holds the request while there is no work. */
  poll(poll: { readonly max: number; readonly digest: string }, signal: AbortSignal): Promise<Reply<PollValue>>;
  /** Returns the ids of calls to abandon. */
  heartbeat(leases: readonly Lease[]): Promise<Reply<ReadonlySet<string>>>;
  /** The body of a result is JSON text. */
  result(body: string): Promise<Reply<ResultValue>>;
  /** Sends the bodies of results of different calls. */
  results(bodies: readonly string[]): Promise<Reply<ResultsValue>>;
}

export interface ServiceOptions {
  readonly token: string;
  readonly hide: HideToken;
  readonly transport: Transport;
  readonly userAgent: string;
  readonly clientId: string;
}

/** Covers the hold time of a poll and the network, so that a dead connection is found within two heartbeats. */
const pollSilenceMs = Math.min(pollHoldMs + 5_000, 2 * heartbeatIntervalMs);
/** A heartbeat without an answer before the next one is due has failed. */
const heartbeatSilenceMs = 10_000;
const silenceMs = 30_000;
const maxAnswerBytes = 1_048_576;
const maxReasonLength = 1_000;
/** The service received the input of an invocation in one request, and the names around it are short. */
const maxInvocationBytes = 2 * maxAnswerBytes;

export function createService({ token, hide, transport, userAgent, clientId }: ServiceOptions): Service {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    "user-agent": userAgent,
    "procedo-client": clientId,
  };

  /** A text of the service or of a proxy: without the token, shortened, and on one line in any terminal. */
  const makePrintable: MakePrintable = (text) => printable(hide.cut(text, maxReasonLength));

  type Call = Pick<TransportRequest, "method" | "path" | "body" | "signal"> & Partial<TransportRequest>;

  async function send<Value>(request: Call, read: (answer: TransportAnswer) => Value): Promise<Reply<Value>> {
    const what = `${request.method} ${request.path.split("?")[0]}`;
    let answer;
    try {
      const sent = request.body === undefined ? headers : { ...headers, "content-type": "application/json" };
      const defaults = { silenceMs, maxBytes: maxAnswerBytes };
      answer = await transport.send({ ...defaults, ...request, headers: { ...sent, ...request.headers } });
      if (answer.status === 401) return { kind: "unauthorized", error: errorOf(what, answer, makePrintable) };
      return { kind: "answered", value: read(answer) };
    } catch (thrown) {
      const error = ProcedoError.isError(thrown) ? thrown : outgoingFailure(what, thrown, makePrintable);
      const waitMs = answer && requestedWaitMs(answer.header);
      return {
        kind: "failed",
        status: answer?.status ?? 0,
        error,
        ...(waitMs !== undefined && { retryAfterMs: waitMs }),
      };
    }
  }

  return {
    register: (manifest, signal) =>
      send({ method: "PUT", path: "/v1/sdk/functions", body: manifest, signal }, (answer) =>
        readJson("PUT /v1/sdk/functions", manifestAnswer, answer, makePrintable),
      ),
    poll: ({ max, digest }, signal) => {
      const path = `/v1/sdk/poll?max=${max}&manifest=${encodeURIComponent(digest)}`;
      const maxBytes = maxAnswerBytes + max * maxInvocationBytes;
      return send({ method: "GET", path, signal, silenceMs: pollSilenceMs, maxBytes }, (answer): PollValue => {
        if (answer.status === 204) return { kind: "none" };
        if (answer.status === 412) return { kind: "manifest_required" };
        return { kind: "work", invocations: readJson("GET /v1/sdk/poll", pollAnswer, answer, makePrintable) };
      });
    },
    heartbeat: (leases) => {
      const body = JSON.stringify({ invocations: leases });
      return send(
        { method: "POST", path: "/v1/sdk/heartbeat", body, silenceMs: heartbeatSilenceMs },
        (answer) => new Set(readJson("POST /v1/sdk/heartbeat", heartbeatAnswer, answer, makePrintable).abandon),
      );
    },
    result: (body) =>
      send({ method: "POST", path: "/v1/sdk/result", body }, (answer): ResultValue => {
        if (answer.status === 409) return { kind: "stale" };
        if (isRefusal(answer)) return { kind: "refused", error: errorOf("POST /v1/sdk/result", answer, makePrintable) };
        readJson("POST /v1/sdk/result", resultAnswer, answer, makePrintable);
        return { kind: "accepted" };
      }),
    results: (bodies) => {
      const body = `{"results":[${bodies.join(",")}]}`;
      return send({ method: "POST", path: "/v1/sdk/results", body }, (answer): ResultsValue => {
        if (takesNone.includes(answer.status)) return { kind: "not_taken" };
        if (isRefusal(answer)) return { kind: "refused" };
        const { results } = readJson("POST /v1/sdk/results", resultsAnswer, answer, makePrintable);
        if (results.length !== bodies.length) throw notOurs("POST /v1/sdk/results");
        return { kind: "settled", each: results.map((one) => settled(one, makePrintable)) };
      });
    },
  };
}

/** Makes a text of the service safe to show. */
type MakePrintable = (text: string) => string;

/** Statuses of a service without this path, and of a gateway that does not know it. */
const takesNone: readonly number[] = [403, 404, 405];

function settled(one: SettledResult, makePrintable: MakePrintable): ResultValue {
  if (one.success) return { kind: "accepted" };
  if (one.code === "stale_lease") return { kind: "stale" };
  return { kind: "refused", error: new ProcedoError("invalid_input", makePrintable(one.error)) };
}

/** Accepts only answers of the protocol. A page of a proxy counts as a failure. */
function readJson<Schema extends z.ZodType>(
  what: string,
  schema: Schema,
  answer: TransportAnswer,
  makePrintable: MakePrintable,
): z.output<Schema> {
  if (answer.status !== 200) throw errorOf(what, answer, makePrintable);
  const parsed = schema.safeParse(parseJson(answer.text));
  if (parsed.success) return parsed.data;
  throw notOurs(what);
}

function notOurs(what: string): ProcedoError {
  return new ProcedoError(
    "internal",
    `${what} was answered with 200, but not in the service's protocol. Check the address, and whether a proxy answers in its place.`,
  );
}

function errorOf(what: string, answer: TransportAnswer, makePrintable: MakePrintable): ProcedoError {
  const { code, message, requestId } = errorFromBody(answer.status, parseJson(answer.text));
  return new ProcedoError(code, `${what} was answered with ${answer.status}: ${makePrintable(message)}`, {
    ...(requestId !== undefined && { requestId: makePrintable(requestId) }),
  });
}

/** Whether the service understood the result but rejects it, or a gateway finds it too large. */
function isRefusal({ status, text }: TransportAnswer): boolean {
  if (status === 413) return true;
  const body = parseJson(text);
  const isOurs = typeof body === "object" && body !== null && "code" in body && "error" in body;
  return (status === 400 || status === 422) && isOurs;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
