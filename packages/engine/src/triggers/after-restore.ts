import { environments } from "@procedo/contract";
import type { Principal } from "../access/principal.ts";
import { accountUntil, isReadable, type AccountPorts } from "./account-until.ts";
import { storageTime } from "./storage-time.ts";
import { triggerFact, type StoredTriggers } from "./stored-triggers.ts";

export interface AfterRestorePorts extends AccountPorts {
  readonly triggers: Pick<StoredTriggers, "all" | "change">;
}

/**
 * Skips the times of all schedules up to now. After a restore, those after the copy are ones that the original may have
 * fired.
 *
 * Each trigger is marked first. Whichever node accounts for times that are left, after a failure here or of a schedule
 * that this program cannot read, therefore skips them too.
 *
 * @returns the number of times
 */
export async function skipTimes(ports: AfterRestorePorts, by: Principal, reason: string): Promise<number> {
  const restoredAtMs = await storageTime(ports);
  let count = 0;
  for (const environment of environments) {
    for await (const { triggerId, body } of ports.triggers.all(environment)) {
      if (body.source.kind !== "schedule") continue;
      const address = { environment, triggerId };
      const fact = { ...triggerFact(by, "restored", address), details: { reason } };
      const marked = await ports.triggers.change(address, fact, (before) => ({
        body: { ...before.body, restoredAtMs },
      }));
      // Times that pass during a pause never fire.
      if (marked.body.paused !== undefined || !isReadable(body.source)) continue;
      const { firings = [] } = (await accountUntil(ports, marked, restoredAtMs)) ?? {};
      for (const { skipped } of firings) if (skipped?.reason === "restored") count += skipped.count;
    }
  }
  return count;
}
