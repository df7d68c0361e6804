import { environments } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { firingLifetime } from "../archive/firing-lifetime.ts";

/** Rows of one transaction. */
const atOnce = 200;

/** Transactions of one call for an environment. */
const maxRounds = 25;

/**
 * Removes the contents of old events, and old firings; at most so many that other work is not delayed.
 *
 * @returns whether more may be left
 */
export async function removeExpiredFirings({
  storage,
  workspace,
}: {
  readonly storage: Pick<Storage, "triggers">;
  readonly workspace: string;
}): Promise<boolean> {
  let isMore = false;
  for (const environment of environments) {
    const request = { scope: { workspace, environment }, ...firingLifetime, limit: atOnce };
    for (let round = 1; (await storage.triggers.removeExpired(request)) > 0; round++) {
      isMore ||= round === maxRounds;
      if (round === maxRounds) break;
    }
  }
  return isMore;
}
