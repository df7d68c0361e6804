import type { Storage } from "@procedo/storage";
import { afterReading, type Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";

/**
 * A worker's lease. While the worker renews its lease, no other worker takes over its runs. After the lease has
 * expired, the worker sends no call; answers to calls that were sent are still received.
 */
export interface Lease {
  /** Acquires the lease and keeps renewing it. */
  start(): Promise<void>;
  /** Why a call now would violate the lease; `undefined` while the lease holds. */
  readonly leaseViolation: () => string | undefined;
  /**
   * The number of leases so far. A renewal after the lease expired counts as a new lease: other workers may have taken
   * runs over in between.
   */
  readonly leaseGeneration: number;
  /** Ends the lease and releases all runs of the worker. */
  release(): Promise<void>;
}

export function createLease(
  ports: { readonly clock: Clock; readonly log: Log; readonly storage: Pick<Storage, "workers"> },
  settings: { readonly workerId: string; readonly leaseMs: number },
  stopped: AbortSignal,
  afterRenewal: () => void,
): Lease {
  const { clock, log, storage } = ports;
  const { workerId, leaseMs } = settings;
  let endsAt = -Infinity;
  let leaseGeneration = 0;
  let renewing: Promise<void> | undefined;
  let cancelRenewal = (): void => {};
  let cancelEnd = (): void => {};

  const heartbeat = (): Promise<void> =>
    (renewing ??= sendHeartbeat().finally(() => {
      renewing = undefined;
    }));

  const sendHeartbeat = async (): Promise<void> => {
    // Storage received the request later, so its lease ends no earlier than this one.
    const sentAt = clock.monotonic();
    await storage.workers.heartbeat({ workerId, leaseMs });
    if (clock.monotonic() >= endsAt) leaseGeneration += 1;
    endsAt = sentAt + leaseMs;
    cancelEnd();
    cancelEnd = afterReading(clock, Math.max(0, endsAt - clock.monotonic()), () => void judgeEnd());
  };

  /** A worker that was paused finds its lease expired before it could renew the lease, so it tries once more. */
  const judgeEnd = async (): Promise<void> => {
    const isRenewed = await heartbeat().then(
      () => true,
      () => false,
    );
    if (isRenewed || stopped.aborted || clock.monotonic() < endsAt) return;
    log.warn("The worker's lease expired. No call is sent until it is renewed; answers to sent calls are still read.", {
      workerId,
    });
  };

  const renewLater = (delayMs: number): void => {
    if (stopped.aborted) return;
    cancelRenewal = clock.after(delayMs, () => {
      heartbeat().then(
        () => {
          afterRenewal();
          renewLater(leaseMs / 3);
        },
        (error: unknown) => {
          log.warn("A heartbeat of the worker failed.", { workerId, error: errorText(error) });
          // Sooner than usual, because the lease would expire after another failure.
          renewLater(leaseMs / 10);
        },
      );
    });
  };

  return {
    start: async () => {
      await heartbeat();
      renewLater(leaseMs / 3);
    },
    leaseViolation: () => (clock.monotonic() < endsAt ? undefined : "The worker's lease has run out."),
    get leaseGeneration() {
      return leaseGeneration;
    },
    release: async () => {
      cancelRenewal();
      cancelEnd();
      // A heartbeat that arrives after the release would acquire the lease again.
      await renewing?.catch(() => {});
      cancelEnd();
      endsAt = -Infinity;
      try {
        await storage.workers.release({ workerId });
      } catch (error) {
        log.warn("The worker's runs could not be released; other workers claim them when its lease expires.", {
          workerId,
          error: errorText(error),
        });
      }
    },
  };
}
