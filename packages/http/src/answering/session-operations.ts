import { authorize } from "@procedo/engine";
import { authenticateSession } from "../access/authenticate.ts";
import type { HeldRequest } from "../access/held-request.ts";
import type { Reply, SessionOperation } from "../operation.ts";
import type { Service } from "../operation-calls.ts";
import type { HttpRequest } from "../request/http-request.ts";
import type { InTime } from "../request/in-time.ts";
import { queryParameters, readQuery } from "../request/read-query.ts";
import type { Caller } from "./caller.ts";
import { holdRequest } from "./hold-request.ts";
import type { OperationPorts } from "./operation-ports.ts";
import type { BodyReading } from "./with-body.ts";

export interface SessionOperationPorts extends OperationPorts {
  readonly service: Pick<Service, "about" | "addresses" | "requestsPerSecond">;
  readonly appUrl: string;
}

/** A reply with its session, which is released once the answer was received. */
export interface SessionReply extends Reply {
  readonly held: HeldRequest;
}

/**
 * Performs an operation for the session of a request.
 *
 * @returns `undefined` when the caller disconnected
 */
export async function performSessionOperation(
  { engine, access, countRequest, withBody, appUrl, service }: SessionOperationPorts,
  operation: SessionOperation,
  params: Readonly<Record<string, string>>,
  request: HttpRequest,
  inTime: InTime,
  caller: Caller,
): Promise<SessionReply | undefined> {
  const { cookie } = access;
  const authenticated = authenticateSession(access, request);
  const held = await holdRequest(authenticated, operation, request, inTime);
  let handling: Promise<Reply> | undefined;
  try {
    const { session } = await authenticated;
    const principal = held.principalIn(undefined);
    const key = held.countedAs(principal);
    countRequest(key);
    // The engine checks again. This check refuses the request before its body is read.
    if (operation.permission !== undefined) authorize(principal, operation.permission);
    const owner = (caller.owner = { key, environment: undefined });
    const query = readQuery(operation.query, queryParameters(request.query));
    const work = async (body: unknown): Promise<Reply> => {
      // The session may have ended while the request waited for its body.
      if (operation.body !== undefined) await held.check();
      return await operation.handle({
        engine,
        principal,
        session,
        isCookie: cookie.read(request.header("cookie")) !== undefined,
        cookie,
        about: service.about,
        service,
        appUrl,
        params,
        query,
        body,
        extend: (ms) => inTime.extend(ms),
        isAwaited: () => !inTime.isGivenUp && !request.waitSignal().aborted,
      });
    };
    const reading: BodyReading = { owner, whileAllowed: (read) => held.reading(read) };
    const reply = await withBody(operation.body, reading, request, inTime, (body) => (handling = work(body)));
    if (reply !== undefined) {
      held.checkAnswer();
      return { ...reply, held };
    }
  } catch (error) {
    const release = (): void => held.release();
    // The handler is in progress until it ends, even after the caller was answered.
    if (handling === undefined) release();
    else void handling.then(release, release);
    throw error;
  }
  held.release();
  return undefined;
}
