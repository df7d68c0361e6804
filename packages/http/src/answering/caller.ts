import type { WaitLimiter } from "../access/wait-limiter.ts";
import type { AnswerOwner } from "../request/http-request.ts";

/** The caller of one request, from its arrival to its answer. */
export class Caller {
  /** Set once the key, session or token was recognized. */
  owner: AnswerOwner | undefined;
  readonly #waitLimiter: WaitLimiter;
  #leave: (() => void) | undefined;

  constructor(waitLimiter: WaitLimiter) {
    this.#waitLimiter = waitLimiter;
  }

  /** Counts the request as held open until its answer. @throws ProcedoError `rate_limited` */
  waits(): void {
    const { key, environment } = this.owner ?? {};
    // Only requests that concern an environment wait.
    if (key === undefined || environment === undefined) return;
    this.#leave ??= this.#waitLimiter.take(key, environment);
  }

  answered(): void {
    this.#leave?.();
  }
}
