import { environments } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { firingLifetime } from "../archive/firing-lifetime.ts";

/** Rows of one transaction. */
const atOnce = 200;

/** Transactions of one call for an environment. */
const maxRounds = 25;

/** Removes the contents of old events, and old firings; at most so many that other work is not delayed. */
export async function removeExpiredFirings({
  storage,
  workspace,
}: {
  readonly storage: Pick<Storage, "triggers">;
  readonly workspace: string;
}): Promise<void> {
  for (const environment of environments) {
    const request = { scope: { workspace, environment }, ...firingLifetime, limit: atOnce };
    for (let round = 0; round < maxRounds; round++) {
      if ((await storage.triggers.removeExpired(request)) === 0) break;
    }
  }
}
