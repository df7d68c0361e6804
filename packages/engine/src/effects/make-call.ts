import type { JsonValue } from "@procedo/contract";
import type { Intent, RunState } from "@procedo/procedure";
import type { ResolveConnection } from "../connections/resolved-connection.ts";
import { copyJson, ownCopy, type JsonLimits } from "../integrations/json-copy.ts";
import type { Action, CallAnswer, CallContext } from "../integrations/integration.ts";
import { guardedFetch, type GuardedFetch } from "../outgoing/guarded-fetch.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import type { Clock } from "../ports/clock.ts";
import { errorText } from "../ports/log.ts";
import type { Notice } from "../ports/notice.ts";
import { readFailure, type Failure } from "./failure.ts";
import { findAction, type FoundAction } from "./find-action.ts";

export interface CallPorts {
  readonly clock: Clock;
  readonly outgoing: Pick<Outgoing, "fetch">;
  readonly resolveConnection: ResolveConnection;
  readonly limits: JsonLimits;
}

export interface CallRequest {
  readonly facts: RunState["facts"];
  readonly intent: Intent;
  /** Why this worker may not act for the run any more; `undefined` while it may. */
  readonly mayNotAct: () => string | undefined;
  /** Given when the worker may not act any more. */
  readonly letGo: Notice;
  /** Told what became of the call after this function had given up on it. */
  readonly late: (attempt: Attempt) => void;
}

export type Attempt =
  { readonly ok: true; readonly output: JsonValue } | { readonly ok: false; readonly failure: Failure };

/** After its deadline an action gets this long to say whether its request had left. */
const graceMs = 50;

/**
 * Makes one attempt of a call whose intent is durable. Whatever happens is an attempt's result, and what happens after the
 * deadline is reported to `late`; it throws only when storage does not answer, and then nothing was sent.
 */
export async function makeCall(ports: CallPorts, request: CallRequest): Promise<Attempt> {
  const { intent, facts } = request;
  const known = findAction(ports.resolveConnection, facts.environment, intent.frozen);
  const found = known instanceof Promise ? await known : known;
  if (!found.ok) return notMade(found.message);
  const { connection } = found;
  if (connection.connectionId !== intent.frozen.connectionId) {
    return notMade(
      `Connection "${connection.name}" was replaced since the call was decided on. Nothing was sent to the new one.`,
    );
  }

  const withheld = (): string | undefined =>
    ports.clock.now() > intent.sendByMs
      ? "The call was not sent in time."
      : request.letGo.given
        ? "The worker was stopped before the call was sent."
        : request.mayNotAct();
  const reason = withheld();
  if (reason !== undefined) return { ok: false, failure: { effect: "none", retryable: true, message: reason } };

  const abort = lazyAbort();
  const requests = requestsOf(request, ports.outgoing, abort, withheld);
  const context = contextOf(request, abort, requests, connection);
  return race(ports.clock, request, abort, attemptOf(ports, found, intent, context, requests));
}

/** Whatever the action does, also throwing at once or answering something impossible, is an attempt's result. */
async function attemptOf(
  ports: CallPorts,
  { action, connection }: Extract<FoundAction, { ok: true }>,
  intent: Intent,
  context: CallContext,
  requests: Requests,
): Promise<Attempt> {
  let answer: CallAnswer;
  try {
    answer = await action.call(ownCopy(intent.frozen.args), context);
  } catch (error) {
    return failed(readFailure(error, requests.mayHaveActed), connection.redact, ports.limits);
  }
  try {
    return readAnswer(answer, action, connection.redact, ports.limits);
  } catch (error) {
    const message = `"${action.name}" answered, but its answer cannot be read: ${errorText(error)}`;
    return {
      ok: false,
      failure: { effect: "unknown", retryable: false, message: redactText(connection.redact, message) },
    };
  }
}

/** The attempt's result, or what is known of it when its time is up. */
function race(clock: Clock, request: CallRequest, abort: LazyAbort, attempt: Promise<Attempt>): Promise<Attempt> {
  const { intent, letGo } = request;
  return new Promise((resolve) => {
    let givenUp = false;
    let cancelTimer = (): void => {};
    let unlisten = (): void => {};
    const giveUp = (message: string): void => {
      abort.abort(new Error(message));
      cancelTimer();
      cancelTimer = clock.after(graceMs, () => {
        givenUp = true;
        unlisten();
        resolve({ ok: false, failure: { effect: "unknown", retryable: true, message } });
      });
    };
    cancelTimer = clock.after(intent.timeoutMs, () =>
      giveUp(`"${intent.frozen.action}" did not answer within ${intent.timeoutMs} ms.`),
    );
    unlisten = letGo.listen(() => giveUp("The worker had to let go of the call before it was answered."));
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

/** An `AbortController` that is made only for those who look at its signal: most actions in process never do. */
interface LazyAbort {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
}

function lazyAbort(): LazyAbort {
  let controller: AbortController | undefined;
  let reason: Error | undefined;
  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (reason !== undefined) controller.abort(reason);
      }
      return controller.signal;
    },
    abort: (why) => {
      reason ??= why;
      controller?.abort(reason);
    },
  };
}

function readAnswer(
  answer: CallAnswer,
  action: Action,
  redact: (value: JsonValue) => JsonValue,
  limits: JsonLimits,
): Attempt {
  const copy = copyJson(answer.output, limits);
  const problem = copy.ok
    ? answer.violations.length === 0
      ? undefined
      : `does not fit its output schema: ${answer.violations.map(({ path, message }) => `${path || "/"} ${message}`).join("; ")}`
    : copy.message;
  if (copy.ok && problem === undefined) return { ok: true, output: redact(copy.value) };
  const message = `"${action.name}" answered, but what it answered ${problem ?? ""}.`;
  // The work is done; only its result cannot be used. Doing it again would not help, so nothing is retried.
  return { ok: false, failure: { effect: "unknown", retryable: false, message: redactText(redact, message) } };
}

function failed(read: Failure, redact: (value: JsonValue) => JsonValue, limits: JsonLimits): Attempt {
  const { details, ...failure } = read;
  const message = redactText(redact, failure.message);
  if (details === undefined) return { ok: false, failure: { ...failure, message } };
  const copy = copyJson(details, limits);
  return copy.ok
    ? { ok: false, failure: { ...failure, message, details: redact(copy.value) } }
    : {
        ok: false,
        failure: { ...failure, message: `${message} (Its details are left out: what they hold ${copy.message}.)` },
      };
}

/** A text without secrets is a text still. */
function redactText(redact: (value: JsonValue) => JsonValue, text: string): string {
  const redacted = redact(text);
  return typeof redacted === "string" ? redacted : "";
}

function notMade(message: string): Attempt {
  return { ok: false, failure: { effect: "none", retryable: false, message } };
}

/** The requests that one attempt makes through its `fetch`. */
interface Requests {
  readonly fetch: GuardedFetch;
  /** A request that may change something was let through. */
  readonly mayHaveActed: boolean;
}

/** Methods that change nothing (RFC 9110, 9.2.1). */
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

function requestsOf(
  request: CallRequest,
  outgoing: Pick<Outgoing, "fetch">,
  abort: LazyAbort,
  withheld: () => string | undefined,
): Requests {
  const { intent, mayNotAct, letGo } = request;
  let begun = false;
  let mayHaveActed = false;
  const watched: Pick<Outgoing, "fetch"> = {
    fetch: (sent) =>
      outgoing.fetch({
        ...sent,
        beforeSend: () => {
          // `sendBy` is about whether the call begins; one that has begun goes on while this worker may act.
          const reason = begun ? (letGo.given ? "The worker was stopped." : mayNotAct()) : withheld();
          if (reason !== undefined) return reason;
          begun = true;
          mayHaveActed ||= !safeMethods.has((sent.method ?? "GET").toUpperCase());
          return undefined;
        },
      }),
  };
  let fetch: GuardedFetch | undefined;
  return {
    get fetch() {
      fetch ??= guardedFetch(watched, {
        signal: abort.signal,
        timeoutMs: intent.timeoutMs,
        // A kept connection may be closing just now; for a `once` call that doubt would have to be settled by a person.
        connection: intent.frozen.effect === "once" ? "fresh" : "reuse",
      });
      return fetch;
    },
    get mayHaveActed() {
      return mayHaveActed;
    },
  };
}

function contextOf(
  { facts, intent }: CallRequest,
  abort: LazyAbort,
  requests: Requests,
  connection: { readonly settings: CallContext["settings"]; readonly secrets: CallContext["secrets"] },
): CallContext {
  return {
    idempotencyKey: intent.key,
    attempt: intent.attempt,
    environment: facts.environment,
    run: { runId: facts.runId, procedureId: facts.procedureId, procedureVersion: facts.procedureVersion },
    nodeId: intent.nodeId,
    get signal() {
      return abort.signal;
    },
    settings: connection.settings,
    secrets: connection.secrets,
    get fetch() {
      return requests.fetch;
    },
  };
}
