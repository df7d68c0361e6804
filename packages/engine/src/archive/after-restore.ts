import { environments } from "@procedo/contract";
import type { AuditEntry, Scope, Storage } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { EndedAccess } from "../people/after-restore.ts";

/** What was pending or valid in a copy and was ended after its restore. */
export interface AfterRestore {
  /** Deliveries to webhooks, ended as failed. */
  readonly deliveriesEnded: number;
  /** Calls of private functions that are not dispatched again; a person decides on each. */
  readonly callsLost: number;
  /** Firings of triggers, ended as skipped for `restored`. A person can fire each again. */
  readonly firingsEnded: number;
  /** Times of schedules up to now, skipped for `restored`. */
  readonly timesSkipped: number;
  /** Sessions of people, who sign in again. */
  readonly sessionsEnded: number;
  /** Invitations that were open. The people are invited again. */
  readonly invitationsWithdrawn: number;
}

export interface AfterRestorePorts {
  readonly storage: Pick<Storage, "deliveries" | "invocations" | "triggers">;
  readonly workspace: string;
  readonly audit: AuditLog;
  /** Ends the sessions and the invitations of people. */
  readonly endAccess: (by: Principal, reason: string) => Promise<EndedAccess>;
  /** Skips the times of schedules up to now. @returns their number */
  readonly skipTimes: (by: Principal, reason: string) => Promise<number>;
}

/** Deliveries, calls or firings per transaction. */
const limit = 2_000;
const reason = "The database was restored from a copy.";
const error = "It was pending in a backup that was restored, and is not sent again.";

/** Ends what was pending or valid when the database was copied; see `Engine.markRestored`. */
export async function afterRestore(
  { storage, workspace, audit, endAccess, skipTimes }: AfterRestorePorts,
  { by, resendWebhooks = false }: { readonly by: Principal; readonly resendWebhooks?: boolean },
): Promise<AfterRestore> {
  for (const environment of environments) authorize(by, "manage", environment);
  const ended = await endAccess(by, reason);

  /** Runs one transaction after another, in both environments, until nothing is left. */
  const all = async (
    action: string,
    some: (scope: Scope, entry: AuditEntry) => Promise<{ readonly status: "audit_behind" } | Some>,
  ): Promise<number> => {
    let count = 0;
    for (const environment of environments) {
      const fact = { ...actor(by), action, subject: environment, details: { reason } };
      let last: number;
      do {
        ({ count: last } = await audit.record(fact, (entry) => some({ workspace, environment }, entry)));
        count += last;
      } while (last === limit);
    }
    return count;
  };

  const deliveriesEnded = resendWebhooks
    ? 0
    : await all("webhook.pending_ended", async (scope, entry) => {
        const ended = await storage.deliveries.endPending({ scope, error, limit, audit: entry });
        return ended.status === "audit_behind" ? ended : { status: "done", count: ended.deliveries };
      });
  const callsLost = await all("private_call.lost", async (scope, entry) => {
    const lost = await storage.invocations.markUncertain({ scope, limit, audit: entry });
    return lost.status === "audit_behind" ? lost : { status: "done", count: lost.invocations };
  });
  const firingsEnded = await all("trigger.pending_ended", async (scope, entry) => {
    const ended = await storage.triggers.endPending({ scope, reason: "restored", limit, audit: entry });
    return ended.status === "audit_behind" ? ended : { status: "done", count: ended.firings };
  });
  const timesSkipped = await skipTimes(by, reason);
  return { deliveriesEnded, callsLost, firingsEnded, timesSkipped, ...ended };
}

interface Some {
  readonly status: "done";
  readonly count: number;
}
