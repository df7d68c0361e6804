import type { WorkerStore } from "../workers.ts";
import { holds } from "./memory-queue.ts";
import { noticeSetBack } from "./memory-set-back.ts";
import type { MemoryRun, MemoryState } from "./state.ts";

export function memoryWorkers(state: MemoryState): WorkerStore {
  return {
    async heartbeat({ workerId, leaseMs }) {
      noticeSetBack(state);
      state.leases.set(workerId, state.now() + leaseMs);
    },

    async release({ workerId }) {
      state.leases.delete(workerId);
      park(
        state,
        [...state.open].filter((run) => holds(workerId, run)),
      );
    },

    async listRuns({ workerId }) {
      return [...state.open].filter((run) => holds(workerId, run)).map(({ runId }) => runId);
    },

    async areWorking() {
      return [...state.leases.values()].some((endsAtMs) => endsAtMs > state.now());
    },

    async releaseRuns({ workerId, runIds }) {
      const runs = runIds.map((runId) => state.runs.get(runId));
      park(
        state,
        runs.filter((run) => run !== undefined && holds(workerId, run)),
      );
    },
  };
}

function park(state: MemoryState, runs: readonly (MemoryRun | undefined)[]): void {
  const now = state.now();
  for (const run of runs) if (run !== undefined) run.place = { kind: "parked", wakeAtMs: now };
  if (runs.length > 0) state.feed.emit({ type: "claimable" });
}
