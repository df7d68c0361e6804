import { ProcedoError, type Environment } from "@procedo/contract";
import type { DecisionFact, OpenReview, ReviewRules } from "@procedo/procedure";
import type { Page, PageRequest, ReviewRow, ReviewStatus, Scope, Storage } from "@procedo/storage";
import { readEntries } from "../journal/run-record.ts";
import { decisionFact, type DecisionBody } from "../runs/fold-inbox.ts";
import { decide, type Decided, type DecidePorts, type DecideRequest } from "./decide.ts";
import type { ReviewRowBody } from "./review-row.ts";

/** A review as it stands in a queue. */
export interface ReviewSummary {
  readonly reviewId: string;
  readonly kind: OpenReview["kind"];
  readonly title: string;
  readonly digest: string;
  readonly rules: ReviewRules;
  readonly environment: Environment;
  readonly runId: string;
  readonly procedureId: string;
  readonly nodeId: string;
  readonly status: ReviewStatus;
  readonly openedAtMs: number;
  readonly closedAtMs: number | undefined;
  /** So far. */
  readonly decisions: readonly DecisionFact[];
}

/** A review as a reviewer sees it: with exactly what is shown, and the call that an approval sends. */
export interface Review extends ReviewSummary, Pick<OpenReview, "data" | "call"> {}

/** What people are asked, and what they say. */
export interface Reviews {
  /** See {@link decide} for its errors. */
  decide(request: DecideRequest): Promise<Decided>;
  /** @throws ProcedoError `review_not_found` */
  get(request: { readonly environment: Environment; readonly reviewId: string }): Promise<Review>;
  /** All reviews of a run, oldest first. */
  ofRun(request: { readonly environment: Environment; readonly runId: string }): Promise<readonly Review[]>;
  /** Oldest first. */
  list(
    query: {
      readonly environment: Environment;
      readonly status?: ReviewStatus;
      readonly procedureId?: string;
    } & PageRequest,
  ): Promise<Page<ReviewSummary>>;
}

export function createReviews(ports: DecidePorts & { readonly storage: Pick<Storage, "reviews" | "runs"> }): Reviews {
  const { storage, workspace } = ports;
  const scopeOf = (environment: Environment): Scope => ({ workspace, environment });

  /** Adds what was shown, which the run's journal holds. */
  const shown = async (rows: readonly ReviewRow[]): Promise<readonly Review[]> => {
    const [first] = rows;
    if (first === undefined) return [];
    const { scope, runId } = first;
    const asked = new Map<string, OpenReview>();
    for (const { entry } of readEntries(runId, await storage.runs.journal({ scope, runId }))) {
      if (entry.type === "asked") asked.set(entry.review.reviewId, entry.review);
    }
    return rows.map((row) => {
      const { data = {}, call } = asked.get(row.reviewId) ?? {};
      return { ...summaryOf(row), data, ...(call === undefined ? {} : { call }) };
    });
  };

  return {
    decide: (request) => decide(ports, request),
    get: async ({ environment, reviewId }) => {
      const row = await storage.reviews.get({ scope: scopeOf(environment), reviewId });
      const [review] = row === undefined ? [] : await shown([row]);
      if (review !== undefined) return review;
      throw new ProcedoError("review_not_found", `There is no review "${reviewId}" in ${environment}.`);
    },
    ofRun: async ({ environment, runId }) =>
      await shown(await storage.reviews.ofRun({ scope: scopeOf(environment), runId })),
    list: async ({ environment, ...query }) => {
      const page = await storage.reviews.list({ scope: scopeOf(environment), ...query });
      return { items: page.items.map(summaryOf), nextCursor: page.nextCursor };
    },
  };
}

function summaryOf(row: ReviewRow): ReviewSummary {
  const { scope, reviewId, kind, title, digest, runId, procedureId, nodeId, status, openedAtMs, closedAtMs } = row;
  const { rules } = JSON.parse(row.body) as ReviewRowBody;
  return {
    reviewId,
    kind: kind as OpenReview["kind"],
    title,
    digest,
    rules,
    environment: scope.environment,
    runId,
    procedureId,
    nodeId,
    status,
    openedAtMs,
    closedAtMs,
    decisions: row.decisions.map((text) => decisionFact(JSON.parse(text) as DecisionBody)),
  };
}
