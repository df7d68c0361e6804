import type { Notification } from "@procedo/storage";
import { settleDispatched } from "./withdraw-invocation.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import { cancelKey, type DecisionBody, type NotificationBody } from "../inbox/notification.ts";
import { entriesOf, type SettleDispatched } from "./notification-entries.ts";
import { appendNotification, type ActiveRun } from "./active-run.ts";
import { retryUntilStored } from "./retry-storage.ts";

/** Folds the notifications of the inbox into the run. Storage is read only when it may have new ones. */
export async function foldInbox(ports: ExecutionPorts, holder: Holder, run: ActiveRun): Promise<void> {
  if (run.inboxStale) {
    run.inboxStale = false;
    const { consumed } = run.pendingRow;
    const { scope, runId } = run.writer.head;
    const unread = await retryUntilStored(ports, holder.stopped, () => ports.storage.inbox.read({ scope, runId }));
    run.inbox = unread?.filter(({ effectKey }) => !consumed.includes(effectKey)) ?? [];
  }
  const settle: SettleDispatched = (intent, failure) =>
    settleDispatched(run.procedure, intent, failure, ports.clock.now(), ports.random);
  for (const notification of reviewFirst(run)) {
    const reviewId = reviewOfSeveral(run, notification);
    const votes = reviewId === undefined ? [] : await votesSoFar(ports, holder, run, reviewId);
    const entries = entriesOf(run.state, notification, ports.clock.now(), votes, settle);
    appendNotification(run, notification.effectKey, entries);
  }
  run.inbox = [];
}

/**
 * A decision on the open review precedes a cancel: the decision was acknowledged, and the run is cancelled either way.
 */
function reviewFirst({ state, inbox }: ActiveRun): readonly Notification[] {
  const { cursor } = state;
  if (cursor.at !== "review" || inbox.length < 2) return inbox;
  const settles = ({ effectKey }: Notification): boolean => effectKey === cursor.review.effectKey;
  return [...inbox.filter(settles), ...inbox.filter((notification) => !settles(notification))];
}

/**
 * The review that the notification ends, if it needs several approvals. A single decision closes other reviews at once.
 */
function reviewOfSeveral({ state }: ActiveRun, { effectKey }: Notification): string | undefined {
  const { cursor } = state;
  if (cursor.at !== "review" || cursor.review.rules.approvals === 1) return undefined;
  const { review } = cursor;
  return effectKey === cancelKey || effectKey === review.effectKey ? review.reviewId : undefined;
}

/** The decisions so far on a review that the notification ends. They are recorded with its end. */
async function votesSoFar(
  ports: ExecutionPorts,
  holder: Holder,
  run: ActiveRun,
  reviewId: string,
): Promise<readonly DecisionBody[]> {
  const { scope } = run.writer.head;
  const row = await retryUntilStored(ports, holder.stopped, () => ports.storage.reviews.get({ scope, reviewId }));
  return row?.decisions.map((text) => JSON.parse(text) as DecisionBody) ?? [];
}

/**
 * Posts a review's expiry to the run's own inbox. Of an expiry and a simultaneous decision, the inbox keeps the first.
 * `false` when the worker stopped before storage answered.
 */
export async function expire(
  ports: ExecutionPorts,
  holder: Holder,
  run: ActiveRun,
  effectKey: string,
): Promise<boolean> {
  const { scope, runId } = run.writer.head;
  const body: NotificationBody = { type: "expired" };
  const posted = await retryUntilStored(ports, holder.stopped, () =>
    ports.storage.inbox.post([{ scope, runId, effectKey, body: JSON.stringify(body), closeReview: "expired" }]),
  );
  run.inboxStale = true;
  return posted !== undefined;
}
