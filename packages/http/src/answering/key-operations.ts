import { authorize, type Clock } from "@procedo/engine";
import { authenticate } from "../access/authenticate.ts";
import { environmentOf } from "../access/environment.ts";
import { findRun } from "../access/find-run.ts";
import { createHeavyAnswerLimiter } from "../access/heavy-answer-limiter.ts";
import type { HeldRequest } from "../access/held-request.ts";
import { createOutsideWaitLimiter, createStreamLimiter } from "../access/wait-limiter.ts";
import { EventStream } from "../live/event-stream.ts";
import { permissionsOf, type KeyOperation, type Reply } from "../operation.ts";
import { HeavyPlace } from "../request/heavy-body.ts";
import type { HttpRequest } from "../request/http-request.ts";
import type { InTime } from "../request/in-time.ts";
import { queryParameters, readQuery } from "../request/read-query.ts";
import type { Caller } from "./caller.ts";
import { holdRequest } from "./hold-request.ts";
import type { OperationPorts } from "./operation-ports.ts";
import { OutsidePlace } from "./outside-place.ts";
import type { BodyReading } from "./with-body.ts";

export interface KeyOperationPorts extends OperationPorts {
  readonly clock: Clock;
  readonly appUrl: string;
  readonly statusUrl: (runId: string) => string;
  readonly sdkUrl: string;
  readonly inboundUrl: (address: string) => string;
}

/**
 * A reply with its place among the large answers, and its key or session. Both are released once the answer was received.
 */
export interface KeyReply extends Reply {
  readonly place: HeavyPlace | undefined;
  readonly held: HeldRequest;
}

/**
 * Performs an operation for the key or session of a request.
 *
 * @returns `undefined` when the caller disconnected
 */
export type PerformKeyOperation = (
  operation: KeyOperation,
  params: Readonly<Record<string, string>>,
  request: HttpRequest,
  inTime: InTime,
  caller: Caller,
) => Promise<KeyReply | undefined>;

export function createKeyOperations(ports: KeyOperationPorts): PerformKeyOperation {
  const { engine, access, countRequest, withBody, clock, appUrl, statusUrl, sdkUrl, inboundUrl } = ports;
  const heavyAnswerLimiter = createHeavyAnswerLimiter(clock);
  const outsideWaitLimiter = createOutsideWaitLimiter();
  const streamLimiter = createStreamLimiter();

  return async (operation, params, request, inTime, caller) => {
    const held = await holdRequest(authenticate(access, request, operation), operation, request, inTime);
    let place: HeavyPlace | undefined;
    let handling: Promise<Reply> | undefined;
    const leave = (): void => {
      place?.leave();
      held.release();
    };
    try {
      const own = held.environment;
      const known = held.principalIn(own);
      const key = held.countedAs(known);
      countRequest(key);
      const parameters = queryParameters(request.query);
      const named = { path: params["environment"], query: parameters["environment"] };
      const isFound = own === undefined && named.query === undefined && operation.findsRun !== undefined;
      const environment = isFound
        ? await inTime.wait(findRun(engine.runs, held, params["runId"] ?? "", operation.findsRun))
        : environmentOf(own, named);
      const principal = own === undefined ? held.principalIn(environment) : known;
      // The engine checks again. This check refuses the request before its body is read.
      for (const permission of permissionsOf(operation)) authorize(principal, permission, environment);
      const owner = (caller.owner = { key, environment });
      const query = readQuery(operation.query, parameters);
      const heavy = (place = new HeavyPlace(heavyAnswerLimiter, key, environment));
      const outside = new OutsidePlace(() => outsideWaitLimiter.take(key, environment));
      const begin = async (): Promise<void> => {
        const isHeavy = operation.heavy?.(query) === true;
        if (isHeavy) await heavy.take();
        // The key or session may have ended while the request waited for its body or its place.
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
          appUrl,
          statusUrl,
          sdkUrl,
          inboundUrl,
          header: (name) => request.header(name),
          waitSignal: () => {
            caller.waits();
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
          stream: (open) => {
            const leavePlace = streamLimiter.take(key, environment);
            const events = new EventStream(clock, open, held.signalWith(request.pollSignal()));
            events.whenEnded(leavePlace);
            return events;
          },
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
}
