import type { Storage } from "@procedo/storage";
import { errorText, type Log } from "../ports/log.ts";

/** Runs that storage assigned to this worker in a claim whose answer was lost. */
export interface LostClaims {
  /** Releases the runs that were also missing here the last time: a claim under way is not lost yet. */
  releaseLost(): Promise<void>;
}

export function createLostClaims(
  { storage, log }: { readonly storage: Pick<Storage, "workers">; readonly log: Log },
  workerId: string,
  isKnown: (runId: string) => boolean,
): LostClaims {
  let missing: ReadonlySet<string> = new Set();
  return {
    releaseLost: async () => {
      try {
        const held = await storage.workers.listRuns({ workerId });
        const unknown = held.filter((runId) => !isKnown(runId));
        const lost = unknown.filter((runId) => missing.has(runId));
        missing = new Set(unknown);
        if (lost.length === 0) return;
        log.warn("Runs whose claim was not answered are released.", { workerId, runs: lost.length });
        await storage.workers.releaseRuns({ workerId, runIds: lost });
      } catch (error) {
        log.warn("The worker could not compare its runs with storage.", { workerId, error: errorText(error) });
      }
    },
  };
}
