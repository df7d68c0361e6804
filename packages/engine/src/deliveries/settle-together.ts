import { ProcedoError } from "@procedo/contract";
import type { ClaimedDelivery, DeliverySettlement, DeliveryStore, SettleResult } from "@procedo/storage";
import { errorText, type Log } from "../ports/log.ts";
import { givenUp } from "./settlement.ts";

/** What a delivery that was claimed has come to. */
export interface Done {
  readonly delivery: ClaimedDelivery;
  readonly settlement: DeliverySettlement;
}

/** A delivery that has left the sender's hands. */
export interface Settled extends Done {
  /** `undefined`: storage takes nothing of it; its lease ends. */
  readonly result: SettleResult | undefined;
}

export interface SettledTogether {
  readonly settled: readonly Settled[];
  /** Of these nothing is known. They are settled again, those first that were not tried alone. */
  readonly left: readonly Done[];
  /** Why they are left. */
  readonly error?: unknown;
}

/**
 * Settles deliveries together, so that one which cannot be stored holds up no neighbour.
 *
 * - When storage refuses them for good, each is settled by itself. One that it refuses alone ends as failed.
 * - When it fails in a way that may pass, they are settled in halves, and these in halves again: it may be down, or a
 *   damaged page may fail whatever is settled with one of them. It counts as down when it has failed as often in a row
 *   as it takes to come to a single one and to the next.
 */
export async function settleTogether(
  { deliveries, log }: { readonly deliveries: Pick<DeliveryStore, "settle">; readonly log: Log },
  items: readonly Done[],
): Promise<SettledTogether> {
  const settled: Settled[] = [];
  const failed: Done[] = [];
  const untried: Done[] = [];
  let error: unknown;
  let failuresInRow = 0;
  const mostFailures = Math.ceil(Math.log2(items.length)) + 2;

  const settleAlone = async (one: Done, isLast = false): Promise<Settled | { readonly error: unknown }> => {
    try {
      const [result] = await deliveries.settle([one.settlement]);
      return { ...one, result };
    } catch (error) {
      if (mayPass(error)) return { error };
      const { deliveryId, webhookId } = one.delivery;
      log.error("What came of a delivery cannot be stored.", { deliveryId, webhookId, error: errorText(error) });
      const { delivery } = one;
      return isLast ? { ...one, result: undefined } : settleAlone({ delivery, settlement: givenUp(delivery) }, true);
    }
  };

  const settleEach = async (some: readonly Done[]): Promise<void> => {
    const answers = await Promise.all(some.map(async (one) => ({ one, answer: await settleAlone(one) })));
    for (const { one, answer } of answers) {
      if ("delivery" in answer) settled.push(answer);
      else {
        failed.push(one);
        error = answer.error;
      }
    }
  };

  const settleAll = async (some: readonly Done[]): Promise<void> => {
    if (failuresInRow >= mostFailures) return void untried.push(...some);
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

  if (items.length > 0) await settleAll(items);
  return { settled, left: [...untried, ...failed], error };
}

function mayPass(error: unknown): boolean {
  return ProcedoError.isError(error) && error.retryable;
}
