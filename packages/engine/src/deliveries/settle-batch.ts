import { ProcedoError } from "@procedo/contract";
import type { ClaimedDelivery, DeliverySettlement, DeliveryStore, SettleResult } from "@procedo/storage";
import { errorText, type Log } from "../ports/log.ts";
import { givenUp } from "./settlement.ts";

/** A claimed delivery and its result. */
export interface Completed {
  readonly delivery: ClaimedDelivery;
  readonly settlement: DeliverySettlement;
}

/** A delivery that the sender no longer holds. */
export interface Settled extends Completed {
  /** `undefined` when storage refuses every settlement of this delivery. It stays claimed until its lease ends. */
  readonly result: SettleResult | undefined;
}

export interface SettledBatch {
  readonly settled: readonly Settled[];
  /** To be settled again, because storage may not have stored them. Those that failed alone come last. */
  readonly retryLater: readonly Completed[];
  /** The last failure, if some are to be settled again. */
  readonly error?: unknown;
}

/**
 * Settles deliveries together, so that one that cannot be stored does not delay the others.
 *
 * - When storage refuses the batch for good, each delivery is settled alone. A delivery that is refused alone ends as failed.
 * - When storage fails temporarily, the batch is settled in halves, and these in halves again: either storage is down,
 *   or one damaged page fails every batch that has a delivery on it. Storage counts as down after as many failures in a
 *   row as it takes to reach one single delivery and the next.
 */
export async function settleBatch(
  { deliveries, log }: { readonly deliveries: Pick<DeliveryStore, "settle">; readonly log: Log },
  batch: readonly Completed[],
): Promise<SettledBatch> {
  const settled: Settled[] = [];
  const failed: Completed[] = [];
  const untried: Completed[] = [];
  let error: unknown;
  let failuresInRow = 0;
  const maxFailures = Math.ceil(Math.log2(batch.length)) + 2;

  const settleAlone = async (one: Completed, isLastTry = false): Promise<Settled | { readonly error: unknown }> => {
    try {
      const [result] = await deliveries.settle([one.settlement]);
      return { ...one, result };
    } catch (error) {
      if (mayPass(error)) return { error };
      const { delivery } = one;
      const { deliveryId, webhookId } = delivery;
      log.error("The result of a delivery cannot be stored.", { deliveryId, webhookId, error: errorText(error) });
      return isLastTry ? { ...one, result: undefined } : settleAlone({ delivery, settlement: givenUp(delivery) }, true);
    }
  };

  const settleEach = async (some: readonly Completed[]): Promise<void> => {
    const answers = await Promise.all(some.map(async (one) => ({ one, answer: await settleAlone(one) })));
    for (const { one, answer } of answers) {
      if ("delivery" in answer) settled.push(answer);
      else {
        failed.push(one);
        error = answer.error;
      }
    }
  };

  const settleAll = async (some: readonly Completed[]): Promise<void> => {
    if (failuresInRow >= maxFailures) return void untried.push(...some);
    try {
      const results = await deliveries.settle(some.map(({ settlement }) => settlement));
      settled.push(...some.map((one, index) => ({ ...one, result: results[index] })));
      failuresInRow = 0;
    } catch (failure) {
      if (!mayPass(failure)) return settleEach(some);
      error = failure;
      failuresInRow++;
      if (some.length === 1) return void failed.push(...some);
      const half = Math.ceil(some.length / 2);
      await settleAll(some.slice(0, half));
      await settleAll(some.slice(half));
    }
  };

  if (batch.length > 0) await settleAll(batch);
  return { settled, retryLater: [...untried, ...failed], error };
}

function mayPass(error: unknown): boolean {
  return ProcedoError.isError(error) && error.retryable;
}
