import { ProcedoError } from "@procedo/contract";
import type { Clock } from "@procedo/engine";
import type { Deadlines } from "./deadlines.ts";

/**
 * A caller without its own timeout is answered within 5 s. Half a second is reserved for the network and a busy
 * machine.
 */
const longestMs = 4_500;

/**
 * The time limit for the work of one request; a request that waits for its run opts out of the limit. A class, because
 * every request creates one, and object literals with a getter would each get their own hidden class.
 */
export class InTime {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #deadlines: Deadlines;
  #leftMs = longestMs;
  #isHeld = false;
  #isGivenUp = false;
  /** Number of concurrent external waits. */
  #outside = 0;
  /** Rejects the current wait. */
  #reject: ((error: Error) => void) | undefined;
  /** Cancels the running deadline. */
  #cancel: (() => void) | undefined;
  #sinceMs = 0;

  constructor(clock: Pick<Clock, "monotonic">, deadlines: Deadlines) {
    this.#clock = clock;
    this.#deadlines = deadlines;
  }

  /** Whether the wait ended before the work did. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** @throws ProcedoError `storage_unavailable` when the work takes too long; the work continues nevertheless */
  wait<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#run();
      work.then(
        (value) => {
          this.#over();
          resolve(value);
        },
        (error: unknown) => {
          this.#over();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  /** Ends the wait with an error; the work continues nevertheless. */
  end(error: Error): void {
    const reject = this.#reject;
    if (reject === undefined) return;
    this.#isGivenUp = true;
    this.#over();
    reject(error);
  }

  /** Lifts the time limit: from now on the caller's own timeout applies. */
  hold(): void {
    this.#isHeld = true;
    this.#stop();
  }

  /** Extends the time limit by `ms`. */
  extend(ms: number): void {
    this.#stop();
    this.#leftMs += ms;
    this.#run();
  }

  /** Pauses the time limit during a wait for an external service, which has its own time limit. */
  outside(isOutside: boolean): void {
    this.#outside += isOutside ? 1 : -1;
    if (isOutside) this.#stop();
    else this.#run();
  }

  #run(): void {
    if (this.#reject === undefined || this.#isHeld || this.#outside > 0) return;
    this.#stop();
    this.#sinceMs = this.#clock.monotonic();
    this.#cancel = this.#deadlines.set(Math.max(0, this.#leftMs), () => this.end(tooLate()));
  }

  #stop(): void {
    if (this.#cancel === undefined) return;
    this.#cancel();
    this.#cancel = undefined;
    this.#leftMs -= this.#clock.monotonic() - this.#sinceMs;
  }

  #over(): void {
    this.#stop();
    this.#reject = undefined;
  }
}

function tooLate(): ProcedoError {
  const message =
    "The service did not answer within 5 seconds: the service or its storage is slow. The request may or may not have taken " +
    "effect. Send it again; repeat the Idempotency-Key of a start.";
  return new ProcedoError("storage_unavailable", message);
}
