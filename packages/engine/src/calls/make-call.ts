import type { JsonValue } from "@procedo/contract";
import type { RecordedExchange, RunState } from "@procedo/procedure";
import type { ResolveConnection } from "../connections/resolved-connection.ts";
import { copyJson, ownCopy, type JsonLimits } from "../json/json-copy.ts";
import type { Action, CallAnswer } from "../integrations/integration.ts";
import type { Egress } from "../egress/egress.ts";
import { afterReading, type Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import { milliseconds } from "../ports/milliseconds.ts";
import type { Redactor } from "../secrets/redact.ts";
import { reportFailure } from "./call-health.ts";
import { CallInProgress, ContextOfCall, type WorkerCall } from "./call-in-progress.ts";
import { maxMessageLength, readFailure, type Failure } from "./failure.ts";
import { otherAccount } from "./call-account.ts";
import { findAction, type FoundAction } from "./find-action.ts";
import { logException } from "./log-exception.ts";
import { recordExchange } from "./record-exchange.ts";

export interface CallPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly egress: Pick<Egress, "fetch" | "connect">;
  readonly resolveConnection: ResolveConnection;
  readonly limits: JsonLimits;
}

export interface CallRequest extends WorkerCall {
  readonly facts: RunState["facts"];
  /** Receives a result that came after {@link makeCall} had returned. */
  readonly late: (attempt: Attempt) => void;
}

export type Attempt = (
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly failure: Omit<Failure, "exchange"> }
) & {
  /** The request and its response, if the integration reports them. */
  readonly exchange?: RecordedExchange | undefined;
};

/** Time that an action has after its deadline to report whether its request was sent. */
const graceMs = 50;

/**
 * Makes one attempt of a call whose intent is durable. A failure is a result too. A result after the deadline is passed
 * to `late`. Rejects only if storage does not answer; nothing was sent in that case.
 */
export async function makeCall(ports: CallPorts, request: CallRequest): Promise<Attempt> {
  const { intent, facts } = request;
  const found = await findAction(ports.resolveConnection, facts.environment, intent.frozen);
  if (!found.ok) return notMade(found.message);
  const { connection } = found;
  if (connection.connectionId !== intent.frozen.connectionId) {
    return notMade(
      `Connection "${connection.name}" was replaced since the call was decided on. Nothing was sent to the new one.`,
    );
  }
  // Since the call was prepared, another account may have been authorized. A person who decided that it is sent again knows.
  const other =
    intent.waivesKeyAge === true
      ? undefined
      : otherAccount(intent.frozen, connection, intent.approvedDigest !== undefined);
  if (other !== undefined) return notMade(other);

  const call = new CallInProgress(ports, request);
  const reason = call.startViolation();
  if (reason !== undefined) {
    return { ok: false, failure: { effect: "none", retryable: true, notStarted: true, message: reason } };
  }
  return await race(ports.clock, request, call, attemptOf(ports, found, request, call));
}

/** Makes the call. Never rejects: an exception of the action and an unreadable answer are results. */
async function attemptOf(
  ports: CallPorts,
  { action, connection }: Extract<FoundAction, { ok: true }>,
  { intent, facts }: CallRequest,
  call: CallInProgress,
): Promise<Attempt> {
  let answer: CallAnswer;
  try {
    answer = await action.call(ownCopy(intent.frozen.args), new ContextOfCall(call, intent, facts, connection));
  } catch (error) {
    if (connection.health !== undefined) reportFailure(connection.health, error);
    // An exception after an abort is not a fault of the action's code.
    if (call.abortedBy === undefined) logException(ports.log, error, facts, intent, connection.redactor);
    const read = readFailure(error, call.mayHaveActed, call.abortedBy);
    // The code of a `once` action may have acted in another way before its first request, so its retry policy applies.
    const mayRepeat = intent.frozen.effect === "read" || intent.frozen.effect === "idempotent";
    const isNotStarted = mayRepeat && read.effect === "none" && read.retryable && call.heldBack;
    return failed(isNotStarted ? { ...read, notStarted: true } : read, connection.redactor, ports.limits);
  }
  connection.health?.answered();
  try {
    const attempt = readAnswer(answer, action, connection.redactor, ports.limits);
    return answer.exchange === undefined
      ? attempt
      : { ...attempt, exchange: recordExchange(answer.exchange, connection.redactor, ports.limits) };
  } catch (error) {
    const message = `"${action.name}" answered, but its answer cannot be read: ${errorText(error)}`;
    return unusable(message, connection.redactor);
  }
}

/**
 * The attempt's result, or an unknown outcome at its deadline. Neither an expired lease nor a drain ends the wait for
 * the answer to a call that was sent.
 */
function race(clock: Clock, request: CallRequest, call: CallInProgress, attempt: Promise<Attempt>): Promise<Attempt> {
  const { intent, aborted } = request;
  const { action } = intent.frozen;
  return new Promise((resolve) => {
    let givenUp = false;
    let cancelTimer = (): void => {};
    let unlisten = (): void => {};
    const giveUp = (message: string): void => {
      if (call.abortedBy !== undefined) return;
      call.abort(new Error(message));
      cancelTimer();
      cancelTimer = clock.after(graceMs, () => {
        givenUp = true;
        unlisten();
        resolve({ ok: false, failure: { effect: "unknown", retryable: true, message } });
      });
    };
    cancelTimer = afterReading(clock, intent.timeoutMs, () =>
      giveUp(`"${action}" did not answer within ${milliseconds(intent.timeoutMs)}.`),
    );
    unlisten = aborted.listen(() =>
      giveUp(`The call of "${action}" was stopped by a shutdown before it was answered.`),
    );
    void attempt.then((result) => {
      if (givenUp) {
        request.late(result);
        return;
      }
      cancelTimer();
      unlisten();
      resolve(result);
    });
  });
}

function readAnswer(answer: CallAnswer, action: Action, redactor: Redactor, limits: JsonLimits): Attempt {
  const copy = copyJson(answer.output, limits);
  const problem = copy.ok
    ? answer.violations.length === 0
      ? answer.unusable
      : `does not fit its output schema: ${answer.violations.map(({ path, message }) => `${path || "/"} ${message}`).join("; ")}`
    : copy.message;
  if (copy.ok && problem === undefined) return { ok: true, output: redactor.value(copy.value) };
  const message = `"${action.name}" answered, but its answer ${problem ?? ""}.`;
  return unusable(message, redactor);
}

/** The call took effect, but its result is not usable. A repetition would not help, so it is not retried. */
function unusable(message: string, redactor: Redactor): Attempt {
  const failure = { effect: "unknown", retryable: false, message: redactor.cut(message, maxMessageLength) } as const;
  return { ok: false, failure };
}

function failed(read: Failure, redactor: Redactor, limits: JsonLimits): Attempt {
  const { details, exchange, ...failure } = read;
  const recorded = exchange === undefined ? {} : { exchange: recordExchange(exchange, redactor, limits) };
  const message = redactor.cut(failure.message, maxMessageLength);
  if (details === undefined) return { ok: false, failure: { ...failure, message }, ...recorded };
  const copy = copyJson(details, limits);
  return copy.ok
    ? { ok: false, failure: { ...failure, message, details: redactor.excerpt(copy.value) }, ...recorded }
    : {
        ok: false,
        failure: { ...failure, message: `${message} (The details were omitted: their content ${copy.message}.)` },
        ...recorded,
      };
}

function notMade(message: string): Attempt {
  return { ok: false, failure: { effect: "none", retryable: false, message } };
}
