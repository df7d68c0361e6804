/* What needs a person, worst first. */
import type { ReviewSummary, RunSummary, Trigger } from "../api/models.ts";
import type { components } from "../api/schema.d.ts";
import { dayMs } from "../values/time.ts";

type Attention = components["schemas"]["Summary"]["attention"];
export type ConnectionSummary = components["schemas"]["ListedConnection"];
export type Webhook = components["schemas"]["Webhook"];

/** One thing that needs a person, or the number of those that are not listed. */
export type AttentionRow =
  | { readonly kind: "outcome_unknown" | "review" | "expiring"; readonly review: ReviewSummary }
  | { readonly kind: "connection"; readonly connection: ConnectionSummary }
  | { readonly kind: "webhook"; readonly webhook: Webhook }
  | { readonly kind: "trigger"; readonly trigger: Trigger }
  | { readonly kind: "failed"; readonly run: RunSummary }
  | { readonly kind: "more"; readonly of: "reviews" | "connections" | "webhooks" | "runs"; readonly count: number };

/** The first items of a list, and whether there are more. */
export interface Portion<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

export interface AttentionFound {
  readonly counts: Attention;
  /** Open reviews because of a call with an unknown outcome. */
  readonly unknown: Portion<ReviewSummary>;
  /** Open reviews that the person may decide. */
  readonly mine: Portion<ReviewSummary>;
  /** Open reviews in the order of their expiry. */
  readonly expiring: Portion<ReviewSummary>;
  readonly connections: Portion<ConnectionSummary>;
  readonly webhooks: Portion<Webhook>;
  /** All triggers. */
  readonly triggers: readonly Trigger[];
  /** Runs that failed within the last day. */
  readonly failed: Portion<RunSummary>;
}

/** Each review and run once, under its worst reason. */
export function attentionRows(found: AttentionFound, nowMs: number): readonly AttentionRow[] {
  const { counts, unknown, mine, expiring, failed } = found;
  const shown = new Set<string>();
  const rowsOf = (kind: "outcome_unknown" | "review" | "expiring", reviews: readonly ReviewSummary[]): AttentionRow[] =>
    reviews.flatMap((review): AttentionRow[] => {
      if (shown.has(review.reviewId)) return [];
      shown.add(review.reviewId);
      return [{ kind, review }];
    });
  const soon = expiring.items.filter(
    ({ expiresAt }) => expiresAt !== undefined && Date.parse(expiresAt) - nowMs < dayMs,
  );
  const connections = found.connections.items.filter(({ health: { status } }) => isFailing(status));
  const webhooks = found.webhooks.items.filter(({ failingSince }) => failingSince !== undefined);
  return [
    ...rowsOf("outcome_unknown", unknown.items),
    ...more("reviews", unknown.hasMore, counts.outcomeUnknown - unknown.items.length),
    ...rowsOf("review", mine.items),
    ...more("reviews", mine.hasMore, counts.reviewsForMe - mine.items.length),
    ...rowsOf("expiring", soon),
    ...connections.map((connection): AttentionRow => ({ kind: "connection", connection })),
    // The list does not tell the webhooks that the service deactivated from those that a person did.
    ...more("connections", found.connections.hasMore, counts.connectionsFailing - connections.length),
    ...webhooks.map((webhook): AttentionRow => ({ kind: "webhook", webhook })),
    ...more("webhooks", true, counts.webhooksFailing - webhooks.length),
    ...found.triggers.filter(isInTrouble).map((trigger): AttentionRow => ({ kind: "trigger", trigger })),
    ...failed.items.map((run): AttentionRow => ({ kind: "failed", run })),
    ...more("runs", failed.hasMore, counts.failedLast24h - failed.items.length),
  ];
}

/** Whether a person has to do something for a connection. The summary counts the same ones. */
function isFailing(status: ConnectionSummary["health"]["status"]): boolean {
  return status === "failing" || status === "unconfirmed" || status === "needs_authorization";
}

/** A trigger that a person paused is no trouble, however its last firing went. */
function isInTrouble({ state, health: { status } }: Trigger): boolean {
  return status === "needs_attention" || (status === "failing" && state === "active");
}

function more(
  of: "reviews" | "connections" | "webhooks" | "runs",
  hasMore: boolean,
  count: number,
): readonly AttentionRow[] {
  return hasMore && count > 0 ? [{ kind: "more", of, count }] : [];
}

/** The time of the latest start or end among runs; `undefined` without a run. */
export function lastChangeOf(runs: readonly RunSummary[]): string | undefined {
  const times = runs.flatMap(({ createdAt, completedAt }) => [createdAt, completedAt ?? createdAt]);
  return times.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0];
}
