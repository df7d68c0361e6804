import type { TriggerStore } from "@procedo/storage";
import { addFirings } from "./add-firings.ts";
import type { PostgresContext } from "./context.ts";
import { firingRetention } from "./firing-retention.ts";
import { firingRows } from "./firing-rows.ts";
import { postgresFiringQueue } from "./postgres-firing-queue.ts";
import { postgresSchedules } from "./postgres-schedules.ts";
import { postgresTake } from "./postgres-take.ts";
import { settleFirings } from "./settle-firings.ts";
import { triggerStates } from "./trigger-states.ts";

/**
 * Events, schedules and firings. The lock order: the audit chain; the keys of events; the gate of a trigger; firings, in
 * the order of their numbers. A claim waits for none of these locks. Only `endPending` follows an index instead, which
 * orders firings by trigger first: after a restore, a repetition costs nothing. A row of `firing_queue` exists while its
 * firing is pending or waiting.
 *
 * A trigger may be removed while an event is stored for it. The firing then has no gate, and the next claim ends it.
 */
export function postgresTriggers(context: PostgresContext): TriggerStore {
  return {
    take: postgresTake(context),
    ...postgresSchedules(context),
    ...addFirings(context),
    ...postgresFiringQueue(context),
    ...settleFirings(context),
    ...firingRows(context),
    ...triggerStates(context),
    ...firingRetention(context),
  };
}
