/*
 * state.ts               the data that all stores share
 * memory-commit.ts       appends to journals
 * memory-queue.ts        hot, parked and ended runs: waking and claiming
 * memory-runs.ts …       the other stores, one file each
 * page.ts                pages of sorted rows
 */
import { checkOptionNames, kindOf, ProcedoError } from "@procedo/contract";
import { createChangeFeed } from "../change-feed.ts";
import type { Storage } from "../storage.ts";
import { memoryAudit } from "./memory-audit.ts";
import { memoryBudgets } from "./memory-budgets.ts";
import { memoryDeliveries } from "./memory-deliveries.ts";
import { memoryInbox } from "./memory-inbox.ts";
import { memoryInvocations } from "./memory-invocations.ts";
import { memoryProcedures } from "./memory-procedures.ts";
import { memoryRecords } from "./memory-records.ts";
import { memoryRetention } from "./memory-retention.ts";
import { memoryReviews } from "./memory-reviews.ts";
import { memoryRuns } from "./memory-runs.ts";
import { memorySessions } from "./memory-sessions.ts";
import { memoryTriggers } from "./memory-triggers.ts";
import { memoryWorkers } from "./memory-workers.ts";
import { createMemoryState } from "./state.ts";

/** The clock of an in-memory storage. */
export interface MemoryStorageOptions {
  /** Milliseconds since the epoch. Determines which runs are claimable and which leases have ended. */
  readonly now: () => number;
}

/**
 * A storage that lives as long as its process: for tests, simulations and first steps. Every method is one synchronous
 * step and therefore atomic, and the stores of one storage are always consistent with each other.
 *
 * @example
 * ```ts
 * import { createMemoryStorage } from "@procedo/storage";
 *
 * const storage = createMemoryStorage({ now: Date.now });
 * ```
 */
export function createMemoryStorage(options: MemoryStorageOptions): Storage {
  checkOptionNames("createMemoryStorage", { now: true }, options, "invalid_configuration");
  if (typeof options.now !== "function") {
    const message = `The option now is ${kindOf(options.now)}. Give a function, such as Date.now.`;
    throw new ProcedoError("invalid_configuration", message);
  }
  const feed = createChangeFeed();
  const state = createMemoryState(options.now, feed);
  return {
    runs: memoryRuns(state),
    inbox: memoryInbox(state),
    reviews: memoryReviews(state),
    invocations: memoryInvocations(state),
    budgets: memoryBudgets(state),
    workers: memoryWorkers(state),
    deliveries: memoryDeliveries(state),
    triggers: memoryTriggers(state),
    procedures: memoryProcedures(state),
    records: memoryRecords(state),
    sessions: memorySessions(state),
    audit: memoryAudit(state),
    retention: memoryRetention(state),
    watch: (listener) => feed.watch(listener),
    close: async () => {},
  };
}
