import { ProcedoError, type Environment } from "@procedo/contract";
import { authorize, createSlices, type Clock, type Engine, type Log, type Random, type Slices } from "@procedo/engine";
import { authenticate, authenticateClient } from "./access/authenticate.ts";
import { createBodyLimiter, type BodyUsage } from "./access/body-limiter.ts";
import { environmentOf } from "./access/environment.ts";
import type { RateLimiter } from "./access/rate-limiter.ts";
import { createFailedAttempts } from "./access/failed-attempts.ts";
import { HeldRequest } from "./access/held-request.ts";
import { createHeavyAnswerLimiter } from "./access/heavy-answer-limiter.ts";
import { createOutsideWaitLimiter, createWaitLimiter, type WaitLimiter } from "./access/wait-limiter.ts";
import type { BodySpec, ClientOperation, KeyOperation, Operation, Reply, Service } from "./operation.ts";
import { emptyAnswer, errorAnswer, jsonAnswer, unexpectedError } from "./request/answer.ts";
import { createDeadlines } from "./request/deadlines.ts";
import { heavyBody, HeavyPlace } from "./request/heavy-body.ts";
import { InTime } from "./request/in-time.ts";
import type { AnswerOwner, HttpAnswer, HttpRequest } from "./request/http-request.ts";
import { announcesBody, readBody } from "./request/read-body.ts";
import { queryParameters, readQuery } from "./request/read-query.ts";
import { createRequestIds } from "./request/request-ids.ts";
import { createRouter } from "./request/router.ts";

export interface AnswerPorts {
  readonly engine: Engine;
  readonly runnerUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log | undefined;
  readonly onAnswered: ((done: RequestDone) => void) | undefined;
  /** For each key and each token of a private connection. */
  readonly keyRateLimiter: RateLimiter | undefined;
  readonly service: Service;
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
export function createAnswerer(ports: AnswerPorts, operations: readonly Operation[]): Answerer {
  const { clock, engine, log, onAnswered, runnerUrl, service } = ports;
  const route = createRouter(operations);
  const requestIds = createRequestIds(ports.random);
  const bodyLimiter = createBodyLimiter();
  const heavyAnswerLimiter = createHeavyAnswerLimiter(clock);
  const waitLimiter = createWaitLimiter();
  const outsideWaitLimiter = createOutsideWaitLimiter();
  // Separate per environment, so that long work in one does not delay the other.
  const slices: Record<Environment, Slices> = { sandbox: createSlices(clock), live: createSlices(clock) };
  const deadlines = createDeadlines(clock);
  const { keys, privateConnections } = engine;
  const access = { keys, privateConnections, failedAttempts: createFailedAttempts(clock) };
  const statusUrl = (runId: string): string => `${runnerUrl}/runs/${encodeURIComponent(runId)}`;

  const takeRate = (of: string): void => {
    const retryAfterMs = ports.keyRateLimiter?.take(of);
    if (retryAfterMs === undefined) return;
    throw new ProcedoError("rate_limited", "This key exceeded its request rate. Retry after the time in Retry-After.", {
      retryAfterMs,
    });
  };

  /**
   * Reads the operation's body, if it has one, and passes it to the handler. Neither this function nor its callees keep
   * a reference to the body afterwards, because a request may wait for minutes without needing its body.
   *
   * @param handle calls `bodyDone` when it no longer needs the body
   */
  const withBody = async (
    spec: BodySpec | undefined,
    { owner, whileAllowed = (read) => read() }: BodyReading,
    request: HttpRequest,
    inTime: InTime,
    handle: (body: unknown, bodyDone: () => void) => Promise<Reply>,
  ): Promise<Reply | undefined> => {
    if (spec === undefined) return await inTime.wait(handle(undefined, () => {}));
    const isAnnounced = announcesBody(request);
    const place = bodyLimiter.take(owner.key, owner.environment, isAnnounced);
    const leave = (): void => place.leave();
    let begun: Begun | undefined;
    try {
      const read = (signal?: AbortSignal) =>
        readAndBegin(spec, request, { place, signal, slices: slices[owner.environment] }, (body) =>
          handle(body, leave),
        );
      begun = await (isAnnounced ? whileAllowed(read) : read());
    } finally {
      if (begun === undefined) leave();
    }
    // The handler holds the body until it ends, even after the caller was answered.
    return begun && (await inTime.wait(begun.handling.finally(leave)));
  };

  /** `undefined` when the caller disconnected. Nothing that outlives this call refers to the body. */
  const readAndBegin = async (
    spec: BodySpec,
    request: HttpRequest,
    {
      place,
      signal,
      slices,
    }: { readonly place: BodyUsage; readonly signal: AbortSignal | undefined; readonly slices: Slices },
    begin: (body: unknown) => Promise<Reply>,
  ): Promise<Begun | undefined> => {
    const read = await readBody(spec, request, {
      coming: (bytes) => place.coming(bytes),
      pause: () => slices.next(),
      signal,
    });
    if (read.kind === "caller_gone") return undefined;
    place.came(read.byteLength);
    return { handling: begin(read.body) };
  };

  const withToken = async (
    operation: ClientOperation,
    request: HttpRequest,
    inTime: InTime,
    asked: Asked,
  ): Promise<Reply | undefined> => {
    const { connectionId, environment } = await inTime.wait(authenticateClient(access, request));
    const key = `${connectionId} ${environment}`;
    takeRate(key);
    asked.owner = { key, environment };
    const query = readQuery(operation.query, queryParameters(request.query));
    return await withBody(operation.body, { owner: asked.owner }, request, inTime, async (body) =>
      operation.handle({
        engine,
        // Checked again, because the token may have been revoked while the body arrived.
        client: await authenticateClient(access, request),
        query,
        body,
        header: (name) => request.header(name),
        pollSignal: () => {
          asked.waits(waitLimiter);
          return request.pollSignal();
        },
        extend: (ms) => inTime.extend(ms),
      }),
    );
  };

  /** Returns the request's key. A key that arrives after the request timed out is released. */
  const hold = async (operation: KeyOperation, request: HttpRequest, inTime: InTime): Promise<HeldRequest> => {
    const authenticated = authenticate(access, request);
    try {
      const reads = operation.method === "GET";
      return new HeldRequest(await inTime.wait(authenticated), request, { reads }, (error) => inTime.end(error));
    } catch (error) {
      void authenticated.then(
        (late) => late.release(),
        () => {},
      );
      throw error;
    }
  };

  const withKey = async (
    operation: KeyOperation,
    params: Readonly<Record<string, string>>,
    request: HttpRequest,
    inTime: InTime,
    asked: Asked,
  ): Promise<HeavyReply | undefined> => {
    const held = await hold(operation, request, inTime);
    const { principal } = held;
    let place: HeavyPlace | undefined;
    let handling: Promise<Reply> | undefined;
    const leave = (): void => {
      place?.leave();
      held.release();
    };
    try {
      const key = principal.via ?? principal.person;
      takeRate(key);
      const parameters = queryParameters(request.query);
      const environment = environmentOf(principal, { path: params["environment"], query: parameters["environment"] });
      // The engine checks again. This check refuses the request before its body is read.
      if (operation.permission !== undefined) authorize(principal, operation.permission, environment);
      const owner = (asked.owner = { key, environment });
      const query = readQuery(operation.query, parameters);
      const heavy = (place = new HeavyPlace(heavyAnswerLimiter, key, environment));
      const outside = new OutsidePlace(() => outsideWaitLimiter.take(key, environment));
      const begin = async (): Promise<void> => {
        const isHeavy = operation.heavy?.(query) === true;
        if (isHeavy) await heavy.take();
        // The key may have been deleted while the request waited for its body or its place.
        if (isHeavy || operation.body !== undefined) await held.check();
      };
      // A separate function, so that closures kept during a wait do not capture the body.
      const work = (body: unknown, bodyDone: () => void): Promise<Reply> =>
        operation.handle({
          engine,
          principal,
          environment,
          params,
          query,
          body,
          statusUrl,
          header: (name) => request.header(name),
          waitSignal: () => {
            asked.waits(waitLimiter);
            return held.signalWith(request.waitSignal());
          },
          hold: () => {
            inTime.hold();
            held.waits();
            bodyDone();
          },
          outside: (isOutside) => {
            outside.tell(isOutside);
            inTime.outside(isOutside);
          },
          isAwaited: () => !inTime.isGivenUp && !request.waitSignal().aborted,
          heavy: () => heavy.take(),
          onRead: (bytes) => heavy.grow(bytes),
        });
      const reading: BodyReading = { owner, whileAllowed: (read) => held.reading(read) };
      const reply = await withBody(operation.body, reading, request, inTime, (body, bodyDone) => {
        handling = begin().then(() => work(body, bodyDone));
        return handling;
      });
      if (reply !== undefined) {
        held.checkAnswer();
        return { ...reply, place, held };
      }
    } catch (error) {
      // The handler is in progress until it ends, even after the caller was answered.
      if (handling === undefined) leave();
      else void handling.then(leave, leave);
      throw error;
    }
    leave();
    return undefined;
  };

  const replyOf = (
    operation: Operation,
    params: Readonly<Record<string, string>>,
    request: HttpRequest,
    asked: Asked,
  ): Promise<HeavyReply | undefined> => {
    const inTime = new InTime(clock, deadlines);
    switch (operation.access) {
      case "open":
        return inTime.wait(operation.handle(service));
      case "key":
        return withKey(operation, params, request, inTime, asked);
      case "client":
        return withToken(operation, request, inTime, asked);
    }
  };

  const answerOf = ({ status, body, place, held }: HeavyReply, requestId: string): HttpAnswer => {
    if (body !== undefined && place?.isTaken === true) {
      const leave = (): void => {
        place.leave();
        held?.release();
      };
      const pieces = heavyBody({ clock, slices: slices[place.environment] }, body, { leave });
      const answer = jsonAnswer(status, pieces, requestId);
      return typeof pieces === "string" || held === undefined ? answer : { ...answer, cut: held.deleted() };
    }
    held?.release();
    if (body === undefined) return emptyAnswer(status, requestId);
    return jsonAnswer(status, typeof body === "string" ? body : JSON.stringify(body), requestId);
  };

  const failed = (error: unknown, requestId: string): HttpAnswer => {
    const known = ProcedoError.isError(error) ? error : unexpectedError();
    if (known.status >= 500 && known.code !== "shutting_down") {
      log?.error("A request failed.", { requestId, code: known.code, reason: reasonOf(error) });
    }
    return errorAnswer(known, requestId);
  };

  return async (request) => {
    const requestId = requestIds();
    const beganMs = onAnswered === undefined ? 0 : clock.monotonic();
    const asked = new Asked();
    let operation: Operation | undefined;
    let answer: HttpAnswer | undefined;
    try {
      const routed = route(request.method, request.path);
      if (routed.kind === "operation") {
        operation = routed.operation;
        const reply = await replyOf(operation, routed.params, request, asked);
        answer = reply && answerOf(reply, requestId);
      } else {
        answer = unrouted(routed, request, requestId);
      }
    } catch (error) {
      answer = failed(error, requestId);
    }
    asked.answered();
    if (onAnswered !== undefined) {
      const durationMs = clock.monotonic() - beganMs;
      const { method } = request;
      // 499 is the status that proxies log for a caller that disconnected.
      const done = { requestId, method, operationId: operation?.id, status: answer?.status ?? 499, durationMs };
      try {
        onAnswered(done);
      } catch (error) {
        log?.error("The onAnswered callback threw.", { requestId, reason: reasonOf(error) });
      }
    }
    return answer && asked.owner ? { ...answer, owner: asked.owner } : answer;
  };
}

/** Facts about a request that become known while it is processed. */
class Asked {
  /** Set once the key or token was recognized. */
  owner: AnswerOwner | undefined;
  #leave: (() => void) | undefined;

  /** Counts the request as held open from now on. @throws ProcedoError `rate_limited` */
  waits(waitLimiter: WaitLimiter): void {
    if (this.owner !== undefined) this.#leave ??= waitLimiter.take(this.owner.key, this.owner.environment);
  }

  answered(): void {
    this.#leave?.();
  }
}

/**
 * A request's place among those that wait for an external service, until its work is done, even if the caller
 * disconnects.
 */
class OutsidePlace {
  readonly #take: () => () => void;
  /** Number of concurrent external waits. */
  #count = 0;
  #leave = (): void => {};

  constructor(take: () => () => void) {
    this.#take = take;
  }

  /** @throws ProcedoError `rate_limited` */
  tell(isOutside: boolean): void {
    if (isOutside && this.#count === 0) this.#leave = this.#take();
    this.#count += isOutside ? 1 : -1;
    if (this.#count === 0) this.#leave();
  }
}

/** The owner of a body, and the condition under which it is read. */
interface BodyReading {
  readonly owner: AnswerOwner;
  /** Reads the body until the key is deleted. @defaultValue reads the body to its end */
  readonly whileAllowed?: <Read>(read: (signal?: AbortSignal) => Promise<Read>) => Promise<Read>;
}

/** Handling that started with a request's body. */
interface Begun {
  readonly handling: Promise<Reply>;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A reply with its key and, for a large answer, its place among the large answers. */
interface HeavyReply extends Reply {
  readonly place?: HeavyPlace;
  readonly held?: HeldRequest;
}

function unrouted(
  routed: { readonly kind: "wrong_method"; readonly allowed: readonly string[] } | { readonly kind: "unknown" },
  request: HttpRequest,
  requestId: string,
): HttpAnswer {
  if (routed.kind === "unknown") {
    const message = "No operation exists at this path. GET /api/v1/openapi.json lists the operations.";
    return errorAnswer(new ProcedoError("not_found", message), requestId);
  }
  const allow = ["Allow", routed.allowed.join(", ")];
  if (request.method === "OPTIONS") return { status: 204, headers: [...allow, "X-Request-Id", requestId], body: "" };
  const error = new ProcedoError(
    "malformed_request",
    `The method is not allowed at this path. Use one of ${routed.allowed.join(", ")}.`,
  );
  const answer = errorAnswer(error, requestId, 405);
  return { ...answer, headers: [...answer.headers, ...allow] };
}
