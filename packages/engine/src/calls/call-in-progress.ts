import type { Intent, RunState } from "@procedo/procedure";
import { advising, usePrivateConnection } from "../egress/advice.ts";
import type { Egress } from "../egress/egress.ts";
import { guardedConnect, type GuardedConnect } from "../egress/guarded-connect.ts";
import { guardedFetch, type GuardedFetch } from "../egress/guarded-fetch.ts";
import { authorizedFetch } from "../grants/authorized-fetch.ts";
import type { Authorization } from "../grants/authorization.ts";
import type { CallContext } from "../integrations/integration.ts";
import type { Clock } from "../ports/clock.ts";
import type { Notice } from "../ports/notice.ts";
import type { Redactor } from "../secrets/redact.ts";

/*
 * One attempt of a call that is being made, and the context that its action is given.
 *
 * Both are classes, and create the signal, `fetch` and `connect` on first use, because every call needs an instance. Each object
 * literal with a getter has a shape of its own. V8 keeps shapes, and everything that they refer to, until the next full
 * collection; it also keeps an object that received a closure in its constructor. With plain objects a run left 21 kB
 * in memory, with these classes 0.2 kB (docs/performance/runs.md). `benchmarks/promoted.test.ts` checks the figure.
 */

const stoppedBefore = "The worker was stopped before the call was sent.";

/** Methods that change nothing (RFC 9110, 9.2.1). */
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

function isSafe(method: string): boolean {
  return safeMethods.has(method.toUpperCase());
}

interface SendPorts {
  readonly clock: Clock;
  readonly egress: Pick<Egress, "fetch" | "connect">;
}

/** An intended call, and the state of the worker that makes it. */
export interface WorkerCall {
  readonly intent: Intent;
  /** Why this worker may no longer act for the run; `undefined` while it may. */
  readonly leaseViolation: () => string | undefined;
  /** Whether the worker drains: calls under way continue, others do not start. */
  readonly isDraining: () => boolean;
  /** Given when the worker stops and no longer waits for answers. */
  readonly aborted: Notice;
}

/** One attempt under way. Decides whether its requests may still be sent, and ends the attempt. */
export class CallInProgress {
  readonly #ports: SendPorts;
  readonly #call: WorkerCall;
  #controller: AbortController | undefined;
  #fetch: GuardedFetch | undefined;
  #connect: GuardedConnect | undefined;
  #requested = false;
  #started = false;
  /** Requests that were sent, and that may have changed something. */
  #acts = 0;
  /** The reason for which the attempt was ended before its answer. */
  abortedBy: Error | undefined;

  constructor(ports: SendPorts, call: WorkerCall) {
    this.#ports = ports;
    this.#call = call;
  }

  /**
   * Why the action may not be called; `undefined` if it may. A drain prevents new calls, not requests of a call under
   * way.
   */
  startViolation(): string | undefined {
    return this.#call.isDraining() ? stoppedBefore : this.#withheld();
  }

  /** Why the first request may not be sent. */
  #withheld(): string | undefined {
    const { intent, aborted, leaseViolation } = this.#call;
    if (this.#ports.clock.now() > intent.sendByMs) return "The call was not sent in time.";
    return aborted.given ? stoppedBefore : leaseViolation();
  }

  /**
   * Whether the action tried to send a request, none was sent, and this worker may no longer act. A request that was
   * too late does not count: the service was tried, and the connection took too long.
   */
  get heldBack(): boolean {
    const { aborted, leaseViolation } = this.#call;
    return this.#requested && !this.#started && (aborted.given || leaseViolation() !== undefined);
  }

  /** Whether a request that may change something was sent. */
  get mayHaveActed(): boolean {
    return this.#acts > 0;
  }

  /** A request was refused for its access token: it has changed nothing. */
  refused(method: string): void {
    if (!isSafe(method)) this.#acts -= 1;
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

  get connect(): GuardedConnect {
    this.#connect ??= guardedConnect(this.#watched(), { signal: this.signal });
    return this.#connect;
  }

  #watchedFetch(): GuardedFetch {
    const { intent } = this.#call;
    return guardedFetch(this.#watched(), {
      signal: this.signal,
      timeoutMs: intent.timeoutMs,
      // A reused connection may be closing; the outcome of a `once` call would then be unknown, and a person would
      // decide.
      connection: intent.frozen.effect === "read" || intent.frozen.effect === "idempotent" ? "reuse" : "fresh",
    });
  }

  /** The client, whose requests and connections are withheld once this worker may not act any more. */
  #watched(): Pick<Egress, "fetch" | "connect"> {
    const { egress } = this.#ports;
    const watched: Pick<Egress, "fetch" | "connect"> = {
      fetch: (sent) => {
        this.#requested = true;
        const mayAct = !isSafe(sent.method ?? "GET");
        return egress.fetch({ ...sent, beforeSend: () => this.#beforeSend(mayAct) });
      },
      connect: (wanted) => {
        this.#requested = true;
        return egress.connect({ ...wanted, beforeSend: () => this.#beforeSend(true) });
      },
    };
    return advising(watched, usePrivateConnection);
  }

  /** Why a request may not be sent; `undefined` once it counts as sent. */
  #beforeSend(mayAct: boolean): string | undefined {
    const { aborted, leaseViolation } = this.#call;
    // `sendByMs` applies to the first request. Later requests of the call are sent while this worker may act.
    const stopped = aborted.given ? "The worker was stopped." : leaseViolation();
    const reason = this.#started ? stopped : this.#withheld();
    if (reason !== undefined) return reason;
    this.#started = true;
    if (mayAct) this.#acts += 1;
    return undefined;
  }
}

/** The connection of a call. */
export interface CalledConnection extends Pick<CallContext, "settings" | "secrets" | "redactor"> {
  readonly authorization?: Authorization;
}

/** The context that an action receives. */
export class ContextOfCall implements CallContext {
  readonly action: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly environment: CallContext["environment"];
  readonly run: CallContext["run"];
  readonly nodeId: string;
  readonly settings: CallContext["settings"];
  readonly secrets: CallContext["secrets"];
  readonly account: CallContext["account"];
  readonly redactor: Redactor;
  /** Own properties, so that a copy of the context has the guarded client too. */
  readonly fetch: GuardedFetch;
  readonly connect: GuardedConnect;
  readonly #call: CallInProgress;

  constructor(
    call: CallInProgress,
    intent: Intent,
    facts: RunState["facts"],
    { settings, secrets, redactor, authorization }: CalledConnection,
  ) {
    const { runId, procedureId, procedureVersion } = facts;
    this.action = intent.frozen.action;
    this.idempotencyKey = intent.key;
    this.attempt = intent.attempt;
    this.environment = facts.environment;
    this.run = { runId, procedureId, procedureVersion };
    this.nodeId = intent.nodeId;
    this.settings = settings;
    this.secrets = secrets;
    this.account = authorization?.account;
    this.redactor = redactor;
    this.fetch = authorization === undefined ? fetchOf(call) : authorizedFetchOf(call, authorization);
    this.connect = connectOf(call);
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}

/** Not part of the constructor: see the head of this file. */
function fetchOf(call: CallInProgress): GuardedFetch {
  return (input, init) => call.fetch(input, init);
}

function authorizedFetchOf(call: CallInProgress, authorization: Authorization): GuardedFetch {
  return authorizedFetch(fetchOf(call), authorization, (method) => call.refused(method));
}

function connectOf(call: CallInProgress): GuardedConnect {
  return (destination) => call.connect(destination);
}
