import { ProcedoError, type Environment } from "@procedo/contract";
import { createSlices, type Clock, type Engine, type Log, type Random, type Slices } from "@procedo/engine";
import type { ApplicationSignIn } from "./access/application-sign-in.ts";
import { createBrowserOrigin } from "./access/browser-origin.ts";
import { createFailedAttempts } from "./access/failed-attempts.ts";
import type { RateLimiter } from "./access/rate-limiter.ts";
import { createSessionCookie } from "./access/browser-cookie.ts";
import { createWaitLimiter } from "./access/wait-limiter.ts";
import { Caller } from "./answering/caller.ts";
import { performClientOperation } from "./answering/client-operations.ts";
import { createGuestOperations } from "./answering/guest-operations.ts";
import { createKeyOperations, type KeyReply } from "./answering/key-operations.ts";
import type { OperationPorts } from "./answering/operation-ports.ts";
import { createInboundOperations } from "./answering/inbound-operations.ts";
import { createPageOperations } from "./answering/page-operations.ts";
import { performPrincipalOperation } from "./answering/principal-operations.ts";
import { performSessionOperation, type SessionReply } from "./answering/session-operations.ts";
import { createWithBody } from "./answering/with-body.ts";
import { EventStream } from "./live/event-stream.ts";
import { inboundUrlOf } from "./inbound-url.ts";
import type { Operation, Reply } from "./operation.ts";
import type { Service } from "./operation-calls.ts";
import {
  emptyAnswer,
  emptyErrorAnswer,
  errorAnswer,
  errorPageAnswer,
  jsonAnswer,
  streamAnswer,
  textAnswer,
  unexpectedError,
} from "./request/answer.ts";
import { createDeadlines } from "./request/deadlines.ts";
import { heavyBody } from "./request/heavy-body.ts";
import type { HttpAnswer, HttpRequest } from "./request/http-request.ts";
import { InTime } from "./request/in-time.ts";
import { createRequestIds } from "./request/request-ids.ts";
import type { Routed, Router } from "./request/router.ts";
import type { MountedSite } from "./site.ts";

export interface AnswerPorts {
  readonly engine: Engine;
  readonly runnerUrl: string;
  readonly basePath: string;
  readonly appUrl: string;
  /** The application's own sign-in; `undefined` if people sign in here. */
  readonly application: ApplicationSignIn | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onAnswered: ((done: RequestDone) => void) | undefined;
  /** For each key, each person and each token of a private connection. */
  readonly keyRateLimiter: RateLimiter | undefined;
  readonly service: Service;
  readonly site: MountedSite | undefined;
}

/** An answered request. */
export interface RequestDone {
  /** Identifier of the request, as its answer names it. */
  readonly requestId: string;
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** `undefined` when no operation has this path and method. */
  readonly operationId: string | undefined;
  /** HTTP status of the answer; 499 for a caller that disconnected before it. */
  readonly status: number;
  /** Time from the request's headers to its answer, in milliseconds. */
  readonly durationMs: number;
}

export type Answerer = (request: HttpRequest) => Promise<HttpAnswer | undefined>;

/** Passes requests through routing, access control, reading and the engine, in this order. Never rejects. */
export function createAnswerer(ports: AnswerPorts, route: Router): Answerer {
  const { appUrl, application, clock, engine, log, onAnswered, runnerUrl, service } = ports;
  const requestIds = createRequestIds(ports.random);
  const waitLimiter = createWaitLimiter();
  // Separate per environment, so that long work in one does not delay the other.
  const slices: Record<Environment, Slices> = { sandbox: createSlices(clock), live: createSlices(clock) };
  const slicesOfWorkspace = createSlices(clock);
  const deadlines = createDeadlines(clock);
  const { keys, sessions, privateConnections } = engine;
  const cookie = createSessionCookie(appUrl);
  const browserOrigin = createBrowserOrigin(appUrl);
  const failedAttempts = createFailedAttempts(clock);
  const operationPorts: OperationPorts = {
    engine,
    access: { application, keys, sessions, privateConnections, failedAttempts, cookie, browserOrigin },
    countRequest: (key) => {
      const retryAfterMs = ports.keyRateLimiter?.take(key);
      if (retryAfterMs !== undefined) throw rateExceeded(retryAfterMs);
    },
    withBody: createWithBody((environment) => (environment === undefined ? slicesOfWorkspace : slices[environment])),
  };
  const performGuestOperation = createGuestOperations({
    ...operationPorts,
    browserOrigin,
    clock,
    service,
    appUrl,
    log,
  });
  const performInboundOperation = createInboundOperations({ engine, clock });
  const performPageOperation = createPageOperations({ engine, appUrl });
  const sessionPorts = { ...operationPorts, appUrl, service };
  const performKeyOperation = createKeyOperations({
    ...operationPorts,
    clock,
    appUrl,
    statusUrl: (runId) => `${runnerUrl}/runs/${encodeURIComponent(runId)}`,
    sdkUrl: service.addresses.sdkUrl,
    inboundUrl: (address) => inboundUrlOf(appUrl, address),
  });

  const replyOf = (
    operation: Operation,
    params: Readonly<Record<string, string>>,
    request: HttpRequest,
    caller: Caller,
  ): Promise<Reply | SessionReply | KeyReply | undefined> => {
    const inTime = new InTime(clock, deadlines);
    switch (operation.access) {
      case "open":
        return inTime.wait(operation.handle(service));
      case "guest":
        return performGuestOperation(operation, params, request, inTime);
      case "session":
        return performSessionOperation(sessionPorts, operation, params, request, inTime, caller);
      case "principal":
        return performPrincipalOperation(sessionPorts, operation, request, inTime, caller);
      case "key":
        return performKeyOperation(operation, params, request, inTime, caller);
      case "client":
        return performClientOperation(operationPorts, operation, request, inTime, caller);
      case "inbound":
        return performInboundOperation(operation, params, request, inTime);
      case "page":
        return performPageOperation(operation, params, request, inTime);
    }
  };

  const answerOf = (
    { status, body, media, headers, place, held }: Reply & Partial<KeyReply>,
    requestId: string,
  ): HttpAnswer => {
    if (body instanceof EventStream) {
      if (held !== undefined) body.whenEnded(() => held.release());
      return streamAnswer(status, body, requestId);
    }
    if (body !== undefined && place?.isTaken === true) {
      const leave = (): void => {
        place.leave();
        held?.release();
      };
      const pieces = heavyBody({ clock, slices: slices[place.environment] }, body, { leave });
      const answer = jsonAnswer(status, pieces, requestId, headers);
      return typeof pieces === "string" || held === undefined ? answer : { ...answer, cut: held.deleted() };
    }
    held?.release();
    if (body === undefined) return emptyAnswer(status, requestId, headers);
    if (media !== undefined && typeof body === "string") return textAnswer(status, body, media, requestId, headers);
    return jsonAnswer(status, typeof body === "string" ? body : JSON.stringify(body), requestId, headers);
  };

  const knownError = (error: unknown, requestId: string): ProcedoError => {
    const known = ProcedoError.isError(error) ? error : unexpectedError();
    if (known.status >= 500 && known.code !== "shutting_down") {
      log.error("A request failed.", { requestId, code: known.code, reason: reasonOf(error) });
    }
    return known;
  };

  /**
   * An error is a redirect or a page where the operation is one that people open in a browser, and an empty answer to
   * another service.
   */
  const failedOf = (
    operation: Operation | undefined,
    { query }: HttpRequest,
    error: unknown,
    requestId: string,
  ): HttpAnswer => {
    const known = knownError(error, requestId);
    if (operation?.access === "inbound") return emptyErrorAnswer(known, requestId);
    if (operation?.access === "page") return errorPageAnswer(known, operation.failureTitle, requestId);
    const answer = errorAnswer(known, requestId);
    if (operation?.access !== "guest") return answer;
    const page = operation.failurePage?.(ProcedoError.isError(error) ? error.code : "internal", query);
    return page === undefined ? answer : emptyAnswer(302, requestId, ["Location", appUrl + page]);
  };

  return async (request) => {
    const requestId = requestIds();
    const beganMs = onAnswered === undefined ? 0 : clock.monotonic();
    const caller = new Caller(waitLimiter);
    let operation: Operation | undefined;
    let answer: HttpAnswer | undefined;
    try {
      const routed = route(request.method, request.path);
      if (routed.kind === "operation") {
        operation = routed.operation;
        const reply = await replyOf(operation, routed.params, request, caller);
        answer = reply && answerOf(reply, requestId);
      } else if (ports.site?.serves(request.path) === true) {
        answer = ports.site.answer(request, requestId);
      } else {
        answer = unrouted(routed, request, requestId, ports.basePath);
      }
    } catch (error) {
      answer = failedOf(operation, request, error, requestId);
    }
    caller.answered();
    if (onAnswered !== undefined) {
      const durationMs = clock.monotonic() - beganMs;
      const { method } = request;
      // 499 is the status that proxies log for a caller that disconnected.
      const done = { requestId, method, operationId: operation?.id, status: answer?.status ?? 499, durationMs };
      try {
        onAnswered(done);
      } catch (error) {
        log.error("The onAnswered callback threw.", { requestId, reason: reasonOf(error) });
      }
    }
    return answer && caller.owner ? { ...answer, owner: caller.owner } : answer;
  };
}

function rateExceeded(retryAfterMs: number): ProcedoError {
  const message = "This key or person exceeded the request rate. Retry after the time in Retry-After.";
  return new ProcedoError("rate_limited", message, { retryAfterMs });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unrouted(
  routed: Exclude<Routed, { readonly kind: "operation" }>,
  request: HttpRequest,
  requestId: string,
  basePath: string,
): HttpAnswer {
  if (routed.kind === "unknown") {
    if (routed.isInbound) return emptyAnswer(404, requestId);
    const message = `No operation exists at this path. GET ${basePath}/api/v1/openapi.json lists the operations.`;
    return errorAnswer(new ProcedoError("not_found", message), requestId);
  }
  const allow = ["Allow", routed.allowed.join(", ")];
  if (request.method === "OPTIONS") return { status: 204, headers: [...allow, "X-Request-Id", requestId], body: "" };
  if (routed.isInbound) return emptyAnswer(405, requestId, allow);
  const error = new ProcedoError(
    "malformed_request",
    `The method is not allowed at this path. Use one of ${routed.allowed.join(", ")}.`,
  );
  const answer = errorAnswer(error, requestId, 405);
  return { ...answer, headers: [...answer.headers, ...allow] };
}
