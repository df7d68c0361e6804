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
  /** Of these nothing is known. They are settled again. */
  readonly left: readonly Done[];
  /** Why they are left. */
  readonly error?: unknown;
}

/**
 * Settles deliveries together. When storage refuses them for good, each is settled by itself, so that one which cannot be
 * stored holds up no neighbour; it ends as failed.
 */
export async function settleTogether(
  { deliveries, log }: { readonly deliveries: Pick<DeliveryStore, "settle">; readonly log: Log },
  items: readonly Done[],
): Promise<SettledTogether> {
  if (items.length === 0) return { settled: [], left: [] };

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

  try {
    const results = await deliveries.settle(items.map(({ settlement }) => settlement));
    return { settled: items.map((one, index) => ({ ...one, result: results[index] })), left: [] };
  } catch (error) {
    if (mayPass(error)) return { settled: [], left: items, error };
  }
  const settled: Settled[] = [];
  const left: Done[] = [];
  let error: unknown;
  const answers = await Promise.all(items.map(async (one) => ({ one, answer: await settleAlone(one) })));
  for (const { one, answer } of answers) {
    if ("delivery" in answer) settled.push(answer);
    else {
      left.push(one);
      error = answer.error;
    }
  }
  return { settled, left, error };
}

function mayPass(error: unknown): boolean {
  return ProcedoError.isError(error) && error.retryable;
}
