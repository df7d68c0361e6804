import type { Storage } from "@procedo/storage";
import { afterReading, type Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";

/**
 * A worker's lease: as long as it beats, nobody else takes its runs. Once it has run out, no call leaves the worker. Calls that
 * have left are still listened to.
 */
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
  let beating: Promise<void> | undefined;
  let cancelBeat = (): void => {};
  let cancelEnd = (): void => {};

  const beat = (): Promise<void> =>
    (beating ??= sendBeat().finally(() => {
      beating = undefined;
    }));

  const sendBeat = async (): Promise<void> => {
    // Counted from before the request: storage cannot have counted from earlier.
    const sentAt = clock.monotonic();
    await storage.workers.beat({ workerId, leaseMs });
    if (clock.monotonic() >= endsAt) term += 1;
    endsAt = sentAt + leaseMs;
    cancelEnd();
    cancelEnd = afterReading(clock, Math.max(0, endsAt - clock.monotonic()), () => void judgeEnd());
  };

  /** A worker that was paused finds its lease over before it could beat. So it beats before it takes the lease for lost. */
  const judgeEnd = async (): Promise<void> => {
    const isRenewed = await beat().then(
      () => true,
      () => false,
    );
    if (isRenewed || stopped.aborted || clock.monotonic() < endsAt) return;
    log.warn("The worker's lease ran out. Until it is renewed, no call leaves; calls that have left are listened to.", {
      workerId,
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
    release: async () => {
      cancelBeat();
      cancelEnd();
      // A beat that arrives after the release would take the lease again.
      await beating?.catch(() => {});
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
