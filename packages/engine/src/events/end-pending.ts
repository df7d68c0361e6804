import { environments } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import type { AuditLog } from "../audit/audit-log.ts";

/** In one transaction. */
const endedAtOnce = 2_000;

/** Ends all pending deliveries of a workspace as failed; see `Webhooks.endPending`. */
export async function endPending(
  ports: { readonly storage: Pick<Storage, "deliveries">; readonly workspace: string; readonly audit: AuditLog },
  { by, reason }: { readonly by: Principal; readonly reason: string },
): Promise<number> {
  for (const environment of environments) authorize(by, "manage", environment);
  let ended = 0;
  for (const environment of environments) {
    const scope = { workspace: ports.workspace, environment };
    const fact = { ...actor(by), action: "webhook.pending_ended", subject: environment, details: { reason } };
    let more = true;
    while (more) {
      const { deliveries } = await ports.audit.record(fact, (audit) =>
        ports.storage.deliveries.endPending({ scope, error: reason, limit: endedAtOnce, audit }),
      );
      ended += deliveries;
      more = deliveries === endedAtOnce;
    }
  }
  return ended;
}
