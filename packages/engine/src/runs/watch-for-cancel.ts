import { createNotice, type Notice } from "../ports/notice.ts";
import type { ExecutionPorts } from "./execution-ports.ts";
import { cancelKey } from "../inbox/notification.ts";
import type { ActiveRun } from "./active-run.ts";

/** Time between two checks: the longest delay between a cancel and the end of the wait for a model. */
const lookEveryMs = 1_000;

/** Watches for a cancel while a run's owner waits for an answer that may be abandoned. */
export interface CancelWatch {
  readonly cancelled: Notice;
  /** Must be called when the wait is over. Notifications that the watch has read are then read again for the fold. */
  end(): void;
}

/**
 * Reads the inbox of a run whose owner is waiting, whenever storage may hold new notifications. Nothing is folded here:
 * the owner folds notifications when the wait is over.
 */
export function watchForCancel(
  { clock, storage }: Pick<ExecutionPorts, "clock" | "storage">,
  run: ActiveRun,
): CancelWatch {
  const cancelled = createNotice();
  let isOver = false;
  let hasReadInbox = false;

  const look = async (): Promise<void> => {
    if (run.inboxStale) {
      // A notification that arrives during this read is read the next time.
      run.inboxStale = false;
      hasReadInbox = true;
      const { scope, runId } = run.writer.head;
      try {
        const unread = await storage.inbox.read({ scope, runId });
        if (unread.some(({ effectKey }) => effectKey === cancelKey)) cancelled.give();
      } catch {
        // The next check reads the inbox again. Operations that depend on storage report its failure.
        if (!isOver) run.inboxStale = true;
      }
    }
    if (!isOver && !cancelled.given) stop = clock.after(lookEveryMs, () => void look());
  };

  let stop = clock.after(lookEveryMs, () => void look());
  return {
    cancelled,
    end: () => {
      isOver = true;
      stop();
      if (hasReadInbox) run.inboxStale = true;
    },
  };
}
