import type { Storage } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import type { ClientNotification } from "../inbox/notification.ts";

/** Finds acknowledged calls whose client went silent, and notifies their runs. */
export interface LeaseExpiry {
  start(): void;
  /** Resolves when the sweep in progress has ended. */
  stop(): Promise<void>;
}

/** Interval of the sweeps, short in comparison with a lease of 60 s. */
const everyMs = 4_000;
const limit = 100;

const body: ClientNotification = { type: "lapsed" };

export function createLeaseExpiry(ports: {
  readonly storage: Pick<Storage, "invocations">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}): LeaseExpiry {
  const { storage, workspace, clock, random, log } = ports;
  let working = false;
  let cancel = (): void => {};
  let sweeping: Promise<void> = Promise.resolve();

  const sweep = async (): Promise<void> => {
    try {
      for (let expired = limit; expired === limit && working;) {
        const runs = await storage.invocations.expireLeases({ workspace, limit, body: JSON.stringify(body) });
        for (const { runId, invocationId, scope } of runs) {
          const { environment } = scope;
          log.warn("A client went silent in the middle of a call.", { runId, invocationId, environment });
        }
        expired = runs.length;
      }
    } catch (error) {
      log.warn("The search for calls whose clients went silent failed.", { error: errorText(error) });
    }
    // Jitter keeps the nodes of a cluster apart.
    later(everyMs * (0.75 + random.uniform() / 2));
  };
  const later = (delayMs: number): void => {
    if (!working) return;
    cancel = clock.after(delayMs, () => {
      sweeping = sweep();
    });
  };

  return {
    start: () => {
      working = true;
      later(everyMs);
    },
    stop: () => {
      working = false;
      cancel();
      return sweeping;
    },
  };
}
