import type { JsonValue } from "@procedo/contract";
import type { Intent, RecordedExchange, RunState } from "@procedo/procedure";
import type { ResolveConnection } from "../connections/resolved-connection.ts";
import { copyJson, ownCopy, type JsonLimits } from "../json/json-copy.ts";
import type { Action, CallAnswer, CallContext } from "../integrations/integration.ts";
import { advising, otherWayIn } from "../egress/advice.ts";
import { guardedFetch, type GuardedFetch } from "../egress/guarded-fetch.ts";
import type { Egress } from "../egress/egress.ts";
import { afterReading, type Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import { milliseconds } from "../ports/milliseconds.ts";
import type { Notice } from "../ports/notice.ts";
import type { Redactor } from "../secrets/redact.ts";
import { tellFailure } from "./call-health.ts";
import { maxMessageLength, readFailure, type Failure } from "./failure.ts";
import { findAction, type FoundAction } from "./find-action.ts";
import { logException } from "./log-exception.ts";
import { recordExchange } from "./record-exchange.ts";

export interface CallPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly egress: Pick<Egress, "fetch">;
  readonly resolveConnection: ResolveConnection;
  readonly limits: JsonLimits;
}

export interface CallRequest {
  readonly facts: RunState["facts"];
  readonly intent: Intent;
  /** Why this worker may not act for the run any more; `undefined` while it may. */
  readonly leaseViolation: () => string | undefined;
  /** Whether the worker drains: a call under way goes on, another does not begin. */
  readonly isDraining: () => boolean;
  /** Given when the worker stops and listens to its calls no longer. */
  readonly aborted: Notice;
  /** Told what became of the call after this function had given up on it. */
  readonly late: (attempt: Attempt) => void;
}

export type Attempt = (
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly failure: Omit<Failure, "exchange"> }
) & {
  /** What went over the wire, where the integration tells it. */
  readonly exchange?: RecordedExchange | undefined;
};

/** After its deadline an action gets this long to say whether its request had left. */
const graceMs = 50;

/**
 * Makes one attempt of a call whose intent is durable. Whatever happens is an attempt's result, and what happens after the
 * deadline is reported to `late`; it rejects only when storage does not answer, and then nothing was sent.
 */
export function makeCall(ports: CallPorts, request: CallRequest): Promise<Attempt> {
  const { intent, facts } = request;
  const found = findAction(ports.resolveConnection, facts.environment, intent.frozen);
  if (found instanceof Promise) return found.then((action) => makeCallWith(ports, request, action));
  return Promise.resolve(makeCallWith(ports, request, found));
}

function makeCallWith(ports: CallPorts, request: CallRequest, found: FoundAction): Attempt | Promise<Attempt> {
  const { intent } = request;
  if (!found.ok) return notMade(found.message);
  const { connection } = found;
  if (connection.connectionId !== intent.frozen.connectionId) {
    return notMade(
      `Connection "${connection.name}" was replaced since the call was decided on. Nothing was sent to the new one.`,
    );
  }

  const call = new CallInProgress(ports, request);
  const reason = call.mayNotBegin();
  if (reason !== undefined) {
    return { ok: false, failure: { effect: "none", retryable: true, notStarted: true, message: reason } };
  }
  return race(ports.clock, request, call, attemptOf(ports, found, request, call));
}

/** Whatever the action does, also throwing at once or answering something impossible, is an attempt's result. */
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
    if (connection.watch !== undefined) tellFailure(connection.watch, error);
    // What an action throws because it was cut off is no mistake of its code.
    if (call.abortedBy === undefined) {
      logException(ports.log, error, facts, intent, connection.redactor);
    }
    const read = readFailure(error, call.mayHaveActed, call.abortedBy);
    // What else the code of a `once` action did before it asked for a request nobody knows: it is not called again beyond its policy.
    const mayRepeat = intent.frozen.effect === "read" || intent.frozen.effect === "idempotent";
    const isNotStarted = mayRepeat && read.effect === "none" && read.retryable && call.heldBack;
    return failed(isNotStarted ? { ...read, notStarted: true } : read, connection.redactor, ports.limits);
  }
  connection.watch?.answered();
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
 * The attempt's result, or what is known of it when its time is up. Neither a lost lease nor a drain ends it: a call that has
 * left is listened to.
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
  const message = `"${action.name}" answered, but what it answered ${problem ?? ""}.`;
  return unusable(message, redactor);
}

/** The work is done; only its result cannot be used. Doing it again would not help, so nothing is retried. */
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
        failure: { ...failure, message: `${message} (Its details are left out: what they hold ${copy.message}.)` },
        ...recorded,
      };
}

function notMade(message: string): Attempt {
  return { ok: false, failure: { effect: "none", retryable: false, message } };
}

const stoppedBefore = "The worker was stopped before the call was sent.";

/** Methods that change nothing (RFC 9110, 9.2.1). */
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * One attempt under way: its signal, and the requests that it makes through its `fetch`. Both are made only for actions
 * that look at them, which most actions in process never do; a class, because an object with getters of its own costs
 * more than everything else that the engine does about a call.
 */
class CallInProgress {
  readonly #ports: Pick<CallPorts, "clock" | "egress">;
  readonly #request: CallRequest;
  #controller: AbortController | undefined;
  #fetch: GuardedFetch | undefined;
  #requested = false;
  #begun = false;
  /** A request that may change something was let through. */
  mayHaveActed = false;
  /** Why the attempt was ended before it was answered. */
  abortedBy: Error | undefined;

  constructor(ports: Pick<CallPorts, "clock" | "egress">, request: CallRequest) {
    this.#ports = ports;
    this.#request = request;
  }

  /** Why the action may not be called now. Once it was, a drain lets it send what it has prepared. */
  mayNotBegin(): string | undefined {
    return this.#request.isDraining() ? stoppedBefore : this.#withheld();
  }

  /** Why the first request may not leave now. */
  #withheld(): string | undefined {
    const { intent, aborted, leaseViolation } = this.#request;
    if (this.#ports.clock.now() > intent.sendByMs) return "The call was not sent in time.";
    return aborted.given ? stoppedBefore : leaseViolation();
  }

  /**
   * The action wanted to send something, no request of its was let through, and this worker may not act any more. A request
   * that came too late does not count: a service to which one connects too slowly has been tried.
   */
  get heldBack(): boolean {
    const { aborted, leaseViolation } = this.#request;
    return this.#requested && !this.#begun && (aborted.given || leaseViolation() !== undefined);
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.abortedBy !== undefined) this.#controller.abort(this.abortedBy);
    }
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.abortedBy = reason;
    this.#controller?.abort(reason);
  }

  get fetch(): GuardedFetch {
    this.#fetch ??= this.#watchedFetch();
    return this.#fetch;
  }

  #watchedFetch(): GuardedFetch {
    const { intent, leaseViolation, aborted } = this.#request;
    const watched: Pick<Egress, "fetch"> = {
      fetch: (sent) => {
        this.#requested = true;
        return this.#ports.egress.fetch({
          ...sent,
          beforeSend: () => {
            // `sendBy` is about whether the call begins; one that has begun goes on while this worker may act.
            const stopped = aborted.given ? "The worker was stopped." : leaseViolation();
            const reason = this.#begun ? stopped : this.#withheld();
            if (reason !== undefined) return reason;
            this.#begun = true;
            this.mayHaveActed ||= !safeMethods.has((sent.method ?? "GET").toUpperCase());
            return undefined;
          },
        });
      },
    };
    return guardedFetch(advising(watched, otherWayIn), {
      signal: this.signal,
      timeoutMs: intent.timeoutMs,
      // A kept connection may be closing just now; for a `once` call that doubt would have to be settled by a person.
      connection: intent.frozen.effect === "read" || intent.frozen.effect === "idempotent" ? "reuse" : "fresh",
    });
  }
}

/** What the action gets to know, and nothing beside it. */
class ContextOfCall implements CallContext {
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly environment: CallContext["environment"];
  readonly run: CallContext["run"];
  readonly nodeId: string;
  readonly settings: CallContext["settings"];
  readonly secrets: CallContext["secrets"];
  readonly redactor: Redactor;
  /** Its own, so that a copy of the context has the guarded one and not none. */
  readonly fetch: GuardedFetch;
  readonly #call: CallInProgress;

  constructor(
    call: CallInProgress,
    intent: Intent,
    facts: RunState["facts"],
    { settings, secrets, redactor }: Pick<CallContext, "settings" | "secrets" | "redactor">,
  ) {
    const { runId, procedureId, procedureVersion } = facts;
    this.idempotencyKey = intent.key;
    this.attempt = intent.attempt;
    this.environment = facts.environment;
    this.run = { runId, procedureId, procedureVersion };
    this.nodeId = intent.nodeId;
    this.settings = settings;
    this.secrets = secrets;
    this.redactor = redactor;
    this.fetch = fetchOf(call);
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}

/** Not in the constructor: V8 keeps an object to which its constructor gives a closure until the next full collection. */
function fetchOf(call: CallInProgress): GuardedFetch {
  return (input, init) => call.fetch(input, init);
}
