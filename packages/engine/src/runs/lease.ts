import type { Storage } from "@procedo/storage";
import { afterReading, type Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";

/**
 * A worker's lease. While the worker renews it, no other worker takes its runs. After it has run out, no call leaves the
 * worker; the answers of calls that have left are still received.
 */
export interface Lease {
  /** Takes the lease and keeps it. */
  start(): Promise<void>;
  /** Why a call now would violate the lease; `undefined` while the lease holds. */
  readonly leaseViolation: () => string | undefined;
  /**
   * The number of leases so far. A lease that is renewed after it ran out is a new one: other workers may have taken runs
   * over in between.
   */
  readonly leaseGeneration: number;
  /** Ends the lease and hands all runs of the worker back. */
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
  let leaseGeneration = 0;
  let beating: Promise<void> | undefined;
  let cancelBeat = (): void => {};
  let cancelEnd = (): void => {};

  const beat = (): Promise<void> =>
    (beating ??= sendBeat().finally(() => {
      beating = undefined;
    }));

  const sendBeat = async (): Promise<void> => {
    // Storage received the request later, so its lease ends no earlier than this one.
    const sentAt = clock.monotonic();
    await storage.workers.heartbeat({ workerId, leaseMs });
    if (clock.monotonic() >= endsAt) leaseGeneration += 1;
    endsAt = sentAt + leaseMs;
    cancelEnd();
    cancelEnd = afterReading(clock, Math.max(0, endsAt - clock.monotonic()), () => void judgeEnd());
  };

  /** A paused worker finds that its lease has run out before it could renew it, so it tries to renew once more. */
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
          // Sooner than usual: after another failure the lease would run out.
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
    leaseViolation: () => (clock.monotonic() < endsAt ? undefined : "The worker's lease has run out."),
    get leaseGeneration() {
      return leaseGeneration;
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
