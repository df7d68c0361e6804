import { ProcedoError } from "@procedo/contract";
import type { Clock } from "@procedo/engine";
import type { Deadlines } from "./deadlines.ts";

/** A caller is answered within 5 s, whatever does not answer behind: half a second is for the ways, on a busy machine. */
const longestMs = 4_500;

/**
 * Time for the work behind one request; a request that waits for its run gives notice that it takes longer. A class, because
 * each request makes one: an object literal with a getter would have a shape of its own each time.
 */
export class InTime {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #deadlines: Deadlines;
  #leftMs = longestMs;
  #isHeld = false;
  #isGivenUp = false;
  /** Several things may be waited for at once. */
  #outside = 0;
  /** Of the work that is waited for. */
  #reject: ((error: Error) => void) | undefined;
  /** Cancels the deadline of the time that runs. */
  #cancel: (() => void) | undefined;
  #sinceMs = 0;

  constructor(clock: Pick<Clock, "monotonic">, deadlines: Deadlines) {
    this.#clock = clock;
    this.#deadlines = deadlines;
  }

  /** Whether the waiting was ended before the work was. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** @throws ProcedoError `storage_unavailable` when the work takes too long; it goes on nevertheless */
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

  /** Ends the waiting with an error; the work goes on nevertheless. */
  end(error: Error): void {
    const reject = this.#reject;
    if (reject === undefined) return;
    this.#isGivenUp = true;
    this.#over();
    reject(error);
  }

  /** From now on the work takes as long as its caller has asked for. */
  hold(): void {
    this.#isHeld = true;
    this.#stop();
  }

  /** The work may take so much longer. */
  extend(ms: number): void {
    this.#stop();
    this.#leftMs += ms;
    this.#run();
  }

  /** While something outside is waited for, which has a time limit of its own, this one's stands still. */
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
