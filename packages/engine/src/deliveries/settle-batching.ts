import type { DeliveryStore } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import { settleBatch, type Completed, type Settled } from "./settle-batch.ts";

/** Collects completed deliveries and settles them in batches: a write costs as much as sending ten deliveries. */
export interface SettleBatching {
  add(one: Completed): void;
  /** Stops settling. */
  stop(): void;
}

export interface SettleBatchingOptions {
  readonly deliveries: Pick<DeliveryStore, "settle">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
  /** How many deliveries are claimed and not settled. */
  readonly held: () => number;
  /** Called with each batch, before the next one begins. */
  readonly onSettled: (batch: readonly Settled[]) => void;
}

/**
 * The most deliveries of one batch. A smaller batch is settled when no other delivery is under way, or after
 * {@link maxDelayMs}. docs/performance/deliveries.md#constants
 */
const fullBatch = 256;

/** How long the first delivery of a batch waits for others. */
const maxDelayMs = 5;

/** Delay before a failed settlement is tried again. */
const retryMs = 1_000;

export function createSettleBatching(options: SettleBatchingOptions): SettleBatching {
  const { deliveries, clock, log, held, onSettled } = options;
  let completed: Completed[] = [];
  let retryLater: readonly Completed[] = [];
  let isSettling = false;
  /** Storage accepted nothing of the last batch. The next batch waits until that batch is tried again. */
  let isDown = false;
  let isStopped = false;
  let cancelDelay: (() => void) | undefined;
  let cancelRetry: (() => void) | undefined;

  const settleSoon = (): void => {
    if (isSettling || isDown || isStopped || completed.length === 0) return;
    const isLast = completed.length + retryLater.length === held();
    if (isLast || completed.length >= fullBatch) void settle();
    else cancelDelay ??= clock.after(maxDelayMs, () => void settle());
  };

  const settle = async (): Promise<void> => {
    cancelDelay?.();
    cancelDelay = undefined;
    isSettling = true;
    const batch = completed;
    completed = [];
    const { settled, retryLater: left, error } = await settleBatch({ deliveries, log }, batch);
    isSettling = false;
    if (left.length > 0) {
      log.warn("Deliveries could not be settled; trying again.", { count: left.length, error: errorText(error) });
      retryLater = [...retryLater, ...left];
      isDown = settled.length === 0;
      if (!isStopped) cancelRetry ??= clock.after(retryMs, retry);
    }
    onSettled(settled);
    settleSoon();
  };

  const retry = (): void => {
    cancelRetry = undefined;
    isDown = false;
    completed = [...retryLater, ...completed];
    retryLater = [];
    settleSoon();
  };

  return {
    add: (one) => {
      completed.push(one);
      settleSoon();
    },
    stop: () => {
      isStopped = true;
      cancelDelay?.();
      cancelRetry?.();
    },
  };
}
