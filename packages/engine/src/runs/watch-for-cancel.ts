import { createNotice, type Notice } from "../ports/notice.ts";
import type { ExecutionPorts } from "./execution-ports.ts";
import { cancelKey } from "../inbox/notification.ts";
import type { ActiveRun } from "./active-run.ts";

/** Whoever cancels a run waits no longer for its model than this. */
const lookEveryMs = 1_000;

/** ResumeTrigger when a run is cancelled, while its owner waits for something that need not be waited for. */
export interface CancelWatch {
  readonly cancelled: Notice;
  /** To be called when the wait is over; whatever was posted is then read as news. */
  end(): void;
}

/**
 * Looks into the inbox of a run whose owner is waiting, as often as somebody was notified of news. Nothing is folded here:
 * the owner does that when the wait is over.
 */
export function watchForCancel(
  { clock, storage }: Pick<ExecutionPorts, "clock" | "storage">,
  run: ActiveRun,
): CancelWatch {
  const cancelled = createNotice();
  let isOver = false;
  let hasNews = false;

  const look = async (): Promise<void> => {
    if (run.inboxStale) {
      // What comes while this is being read is looked at the next time.
      run.inboxStale = false;
      hasNews = true;
      const { scope, runId } = run.writer.head;
      try {
        const unread = await storage.inbox.read({ scope, runId });
        if (unread.some(({ effectKey }) => effectKey === cancelKey)) cancelled.give();
      } catch {
        // Looked at again in a moment; what is wrong with storage is told where something depends on it.
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
      if (hasNews) run.inboxStale = true;
    },
  };
}
