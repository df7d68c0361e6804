import { ProcedoError, type Environment } from "@procedo/contract";
import type { DecisionFact, OpenReview } from "@procedo/procedure";
import type { Page, PageRequest, ReviewRow, ReviewStatus, Scope, Storage } from "@procedo/storage";
import type { DecisionBody } from "../runs/fold-inbox.ts";
import { decide, type Decided, type DecidePorts, type DecideRequest } from "./decide.ts";

/** A review as people see it. */
export interface Review extends OpenReview {
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
  ): Promise<Page<Review>>;
}

export function createReviews(ports: DecidePorts & { readonly storage: Pick<Storage, "reviews"> }): Reviews {
  const { storage, workspace } = ports;
  const scopeOf = (environment: Environment): Scope => ({ workspace, environment });
  return {
    decide: (request) => decide(ports, request),
    get: async ({ environment, reviewId }) => {
      const row = await storage.reviews.get({ scope: scopeOf(environment), reviewId });
      if (row !== undefined) return shown(row);
      throw new ProcedoError("review_not_found", `There is no review "${reviewId}" in ${environment}.`);
    },
    ofRun: async ({ environment, runId }) =>
      (await storage.reviews.ofRun({ scope: scopeOf(environment), runId })).map(shown),
    list: async ({ environment, ...query }) => {
      const page = await storage.reviews.list({ scope: scopeOf(environment), ...query });
      return { items: page.items.map(shown), nextCursor: page.nextCursor };
    },
  };
}

function shown(row: ReviewRow): Review {
  const { scope, runId, procedureId, nodeId, status, openedAtMs, closedAtMs } = row;
  return {
    ...(JSON.parse(row.body) as OpenReview),
    environment: scope.environment,
    runId,
    procedureId,
    nodeId,
    status,
    openedAtMs,
    closedAtMs,
    decisions: row.decisions.map(factOf),
  };
}

/** The decision without what only storage needs to know. */
function factOf(text: string): DecisionFact {
  const { idempotencyKey: _key, outputs: _outputs, reason: _reason, ...fact } = JSON.parse(text) as DecisionBody;
  return fact;
}
