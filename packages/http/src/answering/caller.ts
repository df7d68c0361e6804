import type { WaitLimiter } from "../access/wait-limiter.ts";
import type { AnswerOwner } from "../request/http-request.ts";

/** The caller of one request, from its arrival to its answer. */
export class Caller {
  /** Set once the key or token was recognized. */
  owner: AnswerOwner | undefined;
  readonly #waitLimiter: WaitLimiter;
  #leave: (() => void) | undefined;

  constructor(waitLimiter: WaitLimiter) {
    this.#waitLimiter = waitLimiter;
  }

  /** Counts the request as held open until its answer. @throws ProcedoError `rate_limited` */
  waits(): void {
    if (this.owner !== undefined) this.#leave ??= this.#waitLimiter.take(this.owner.key, this.owner.environment);
  }

  answered(): void {
    this.#leave?.();
  }
}
