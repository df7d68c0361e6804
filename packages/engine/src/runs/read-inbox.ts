import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import { entriesOf, type NotificationBody } from "./fold-inbox.ts";
import { append, type HotRun } from "./hot-run.ts";
import { untilStored } from "./until-stored.ts";

/** Folds whatever others had to say into the run; storage is asked only when it may hold something new. */
export async function foldInbox(ports: ExecutionPorts, holder: Holder, run: HotRun): Promise<void> {
  if (run.inboxStale) {
    run.inboxStale = false;
    const { scope, runId } = run.writer.head;
    const unread = await untilStored(ports, holder.stopped, () => ports.storage.inbox.read({ scope, runId }));
    run.inbox = unread?.filter(({ effectKey }) => !run.consumed.includes(effectKey)) ?? [];
  }
  for (const notification of run.inbox) {
    for (const entry of entriesOf(run.state, notification, ports.clock.now())) append(run, entry);
    run.consumed.push(notification.effectKey);
  }
  if (run.inbox.length > 0) run.inbox = [];
}

/**
 * Posts a review's expiry to the run itself, where it competes with a decision of the same instant: the inbox then holds
 * whichever came first. `false` when the worker stopped before storage answered.
 */
export async function expire(ports: ExecutionPorts, holder: Holder, run: HotRun, effectKey: string): Promise<boolean> {
  const { scope, runId } = run.writer.head;
  const body: NotificationBody = { type: "expired" };
  const posted = await untilStored(ports, holder.stopped, () =>
    ports.storage.inbox.post([{ scope, runId, effectKey, body: JSON.stringify(body), closeReview: "expired" }]),
  );
  run.inboxStale = true;
  return posted !== undefined;
}
