/* What needs a person, worst first. */
import type { ReviewSummary, RunSummary } from "../api/models.ts";
import type { components } from "../api/schema.d.ts";

type Attention = components["schemas"]["Summary"]["attention"];

/** One thing that needs a person. */
export type AttentionRow =
  | { readonly kind: "outcome_unknown" | "review" | "expiring"; readonly review: ReviewSummary }
  | { readonly kind: "failed"; readonly run: RunSummary }
  | { readonly kind: "connections_failing" | "webhooks_failing"; readonly count: number };

export interface AttentionFound {
  readonly attention: Attention;
  /** Open reviews because of a call with an unknown outcome. */
  readonly unknown: readonly ReviewSummary[];
  /** Open reviews that the person may decide. */
  readonly mine: readonly ReviewSummary[];
  /** Open reviews in the order of their expiry. */
  readonly expiring: readonly ReviewSummary[];
  /** Runs that failed within the last day. */
  readonly failed: readonly RunSummary[];
}

const dayMs = 86_400_000;

/** Each review and run once, under its worst reason. */
export function attentionRows(
  { attention, unknown, mine, expiring, failed }: AttentionFound,
  nowMs: number,
): readonly AttentionRow[] {
  const shown = new Set<string>();
  const rowsOf = (kind: "outcome_unknown" | "review" | "expiring", reviews: readonly ReviewSummary[]): AttentionRow[] =>
    reviews.flatMap((review): AttentionRow[] => {
      if (shown.has(review.reviewId)) return [];
      shown.add(review.reviewId);
      return [{ kind, review }];
    });
  const soon = expiring.filter(({ expiresAt }) => expiresAt !== undefined && Date.parse(expiresAt) - nowMs < dayMs);
  return [
    ...rowsOf("outcome_unknown", unknown),
    ...rowsOf("review", mine),
    ...rowsOf("expiring", soon),
    ...failing("connections_failing", attention.connectionsFailing),
    ...failing("webhooks_failing", attention.webhooksFailing),
    ...failed.map((run): AttentionRow => ({ kind: "failed", run })),
  ];
}

function failing(kind: "connections_failing" | "webhooks_failing", count: number): readonly AttentionRow[] {
  return count === 0 ? [] : [{ kind, count }];
}
