import { errorText, type Log } from "../ports/log.ts";
import type { StoredTrigger } from "./stored-triggers.ts";

/**
 * The schedules that this node cannot read: it does not know their zone, or refuses their expression. A node of another
 * release wrote them, and accounts for their times.
 */
export interface UnreadableSchedules {
  /** How many there are. */
  count(): number;
  /** The result of `read`; `undefined` when it fails, with one log line per change of the trigger. */
  orUndefined<T>(trigger: StoredTrigger, read: () => T): T | undefined;
}

export function createUnreadableSchedules(log: Pick<Log, "error">): UnreadableSchedules {
  const revisions = new Map<string, number>();
  return {
    count: () => revisions.size,
    orUndefined: ({ triggerId, revision }, read) => {
      try {
        const result = read();
        revisions.delete(triggerId);
        return result;
      } catch (error) {
        if (revisions.get(triggerId) !== revision) {
          const message =
            "This node cannot read the schedule of a trigger; other nodes may. Change it, or update the node.";
          log.error(message, { triggerId, error: errorText(error) });
        }
        revisions.set(triggerId, revision);
        return undefined;
      }
    },
  };
}
