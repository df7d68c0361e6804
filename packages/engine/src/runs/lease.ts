import type { Storage } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import { createNotice, type Notice } from "../ports/notice.ts";

/** A worker's lease: as long as it beats, nobody else takes its runs; when it runs out, no call of its is made. */
export interface Lease {
  /** Takes the lease and keeps it. */
  start(): Promise<void>;
  /** Why no call may be made now; `undefined` while the lease is good. */
  readonly mayNotAct: () => string | undefined;
  /**
   * Counts the times without a gap. A lease that ran out and was renewed is another one: in between, runs may have been
   * taken over.
   */
  readonly term: number;
  /** Given when the lease runs out; a new one once it is good again. */
  readonly letGo: Notice;
  /** Gives the notice now and for good: the worker ends. */
  letCallsGo(): void;
  /** Ends the lease and hands everything back that the worker holds. */
  release(): Promise<void>;
}

export function createLease(
  ports: { readonly clock: Clock; readonly log: Log; readonly storage: Pick<Storage, "workers"> },
  settings: { readonly workerId: string; readonly leaseMs: number },
  stopped: AbortSignal,
  afterBeat: () => void,
): Lease {
  const { clock, log, storage } = ports;
  const { workerId, leaseMs } = settings;
  let endsAt = -Infinity;
  let term = 0;
  let ending = false;
  let calls = createNotice();
  let cancelBeat = (): void => {};
  let cancelEnd = (): void => {};

  const beat = async (): Promise<void> => {
    // Counted from before the request: storage cannot have counted from earlier.
    const sentAt = clock.monotonic();
    await storage.workers.beat({ workerId, leaseMs });
    if (clock.monotonic() >= endsAt) term += 1;
    endsAt = sentAt + leaseMs;
    if (calls.given && !stopped.aborted && !ending) calls = createNotice();
    cancelEnd();
    cancelEnd = clock.after(Math.max(0, endsAt - clock.monotonic()), () => {
      log.warn("The worker's lease ran out; its calls are let go.", { workerId });
      calls.give();
    });
  };

  const keepBeating = (delayMs: number): void => {
    if (stopped.aborted) return;
    cancelBeat = clock.after(delayMs, () => {
      beat().then(
        () => {
          afterBeat();
          keepBeating(leaseMs / 3);
        },
        (error: unknown) => {
          log.warn("The worker could not beat.", { workerId, error: errorText(error) });
          // Sooner than usual: one more that fails and the lease is gone.
          keepBeating(leaseMs / 10);
        },
      );
    });
  };

  return {
    start: async () => {
      await beat();
      keepBeating(leaseMs / 3);
    },
    mayNotAct: () => (clock.monotonic() < endsAt ? undefined : "The worker's lease has run out."),
    get term() {
      return term;
    },
    get letGo() {
      return calls;
    },
    letCallsGo: () => {
      ending = true;
      calls.give();
    },
    release: async () => {
      cancelBeat();
      cancelEnd();
      endsAt = -Infinity;
      try {
        await storage.workers.release({ workerId });
      } catch (error) {
        log.warn("The worker's runs could not be handed back; they wait for the end of its lease.", {
          workerId,
          error: errorText(error),
        });
      }
    },
  };
}
