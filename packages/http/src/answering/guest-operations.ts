import { ProcedoError, type ErrorCode } from "@procedo/contract";
import { sourceOf } from "@procedo/contract/syntax";
import type { Clock, Log } from "@procedo/engine";
import { createSignInCookie } from "../access/browser-cookie.ts";
import type { BrowserOrigin } from "../access/browser-origin.ts";
import { createFailedAttempts, tooManyFailures } from "../access/failed-attempts.ts";
import { createGuestLimiter, maxGuestBytes } from "../access/guest-limiter.ts";
import { createRateLimiter } from "../access/rate-limiter.ts";
import type { GuestOperation, Reply } from "../operation.ts";
import type { Service } from "../operation-calls.ts";
import type { HttpRequest } from "../request/http-request.ts";
import type { InTime } from "../request/in-time.ts";
import { readBody } from "../request/read-body.ts";
import { queryParameters, readQuery } from "../request/read-query.ts";
import type { OperationPorts } from "./operation-ports.ts";

export interface GuestOperationPorts extends OperationPorts {
  readonly service: Pick<Service, "about" | "signIn">;
  readonly appUrl: string;
  readonly log: Log;
  readonly browserOrigin: Pick<BrowserOrigin, "checkIfNamed">;
  readonly clock: Pick<Clock, "after" | "monotonic">;
}

/** Time for the body of a guest, a few hundred bytes, to arrive. */
const bodyMs = 4_000;

/** Of one address, which may send failing requests as fast as it likes. */
const warningLimit = { perSecond: 20 / 60, burst: 20 };

/** The errors of a wrong, or delayed, password, token or invitation, which are counted per address. */
const guesses: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["unauthorized", "invitation_not_found", "rate_limited"]);

/**
 * Performs an operation for a caller who has not signed in.
 *
 * @returns `undefined` when the caller disconnected
 */
export type PerformGuestOperation = (
  operation: GuestOperation,
  params: Readonly<Record<string, string>>,
  request: HttpRequest,
  inTime: InTime,
) => Promise<Reply | undefined>;

export function createGuestOperations(ports: GuestOperationPorts): PerformGuestOperation {
  const { engine, access, browserOrigin, clock, service, appUrl, log } = ports;
  const signInCookie = createSignInCookie(appUrl);
  const guestLimiter = createGuestLimiter();
  // Apart from those of keys: a program with an old key keeps no person from signing in.
  const failedAttempts = createFailedAttempts(clock);
  const warnings = createRateLimiter(clock, warningLimit);

  return async (operation, params, request, inTime) => {
    browserOrigin.checkIfNamed(request);
    const { address } = request;
    // Before a password is hashed.
    const waitMs = operation.isAttempt === true ? failedAttempts.waitMs(address) : undefined;
    if (waitMs !== undefined) throw tooManyFailures(waitMs);
    const leave = guestLimiter.take(address);
    let handling: Promise<Reply> | undefined;
    try {
      const query = readQuery(operation.query, queryParameters(request.query));
      const read = await bodyOf(operation, request, clock);
      if (read.kind === "caller_gone") return undefined;
      handling = operation.handle({
        engine,
        address,
        params,
        query,
        body: read.body,
        header: (name) => request.header(name),
        cookie: access.cookie,
        signInCookie,
        signIn: service.signIn,
        about: service.about,
        appUrl,
        noteFailure: (message, fields) => {
          failedAttempts.note(address);
          const source = address === undefined ? "" : sourceOf(address);
          if (warnings.take(source) === undefined) log.warn(message, fields);
        },
        extend: (ms) => inTime.extend(ms),
        isAwaited: () => !inTime.isGivenUp && !request.waitSignal().aborted,
      });
      return await inTime.wait(handling);
    } catch (error) {
      const isGuess = ProcedoError.isError(error) && guesses.has(error.code);
      const retryAfterMs = isGuess ? failedAttempts.note(address) : undefined;
      throw retryAfterMs === undefined ? error : tooManyFailures(retryAfterMs);
    } finally {
      // The handler is in progress until it ends, even after the caller was answered.
      if (handling === undefined) leave();
      else void handling.then(leave, leave);
    }
  };
}

type Read = { readonly kind: "read"; readonly body: unknown } | { readonly kind: "caller_gone" };

async function bodyOf(
  { body: spec }: GuestOperation,
  request: HttpRequest,
  clock: Pick<Clock, "after">,
): Promise<Read> {
  if (spec === undefined) return { kind: "read", body: undefined };
  const late = new AbortController();
  const cancel = clock.after(bodyMs, () => {
    late.abort(new ProcedoError("overloaded", `The body did not arrive within ${bodyMs} ms. Send the request again.`));
  });
  try {
    const whole = { coming: () => {}, pause: async () => {}, signal: late.signal };
    return await readBody({ maxBytes: maxGuestBytes, ...spec }, request, whole);
  } finally {
    cancel();
  }
}
