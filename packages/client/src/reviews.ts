import {
  checkOptionNames,
  type JsonObject,
  type OptionNames,
  type Page,
  type Review,
  reviewPageSchema,
  reviewSchema,
  type ReviewKind,
  type ReviewStatus,
  type ReviewSummary,
  successSchema,
} from "@procedo/contract";
import type { CheckedOptions } from "./client-options.ts";
import { itemsOf } from "./list-pages.ts";
import { pathSegment } from "./request-json.ts";
import type { PageOptions } from "./runs.ts";
import type { Runtime } from "./runtime.ts";
import type { Service } from "./service.ts";

/** Which reviews to list; all filters have to fit. */
export interface ReviewFilter {
  /** Only reviews of this status. @defaultValue any status */
  readonly status?: ReviewStatus;
  /** Only reviews of this origin. @defaultValue any origin */
  readonly kind?: ReviewKind;
  /** Whether to list only reviews that the key's person may decide now. @defaultValue `false` */
  readonly decidable?: boolean;
  /**
   * `requested`: oldest first. `expires`: open reviews only, by the time of their expiry.
   *
   * @defaultValue `requested`
   */
  readonly order?: "requested" | "expires";
  /** Only reviews that were closed at this time or later, ISO 8601, those that were requested last first. @defaultValue any */
  readonly closedFrom?: string;
  /** Only reviews of this procedure's runs. @defaultValue any procedure */
  readonly procedureId?: string;
  /**
   * Only the review with exactly this id, the reviews of the run with exactly this id, and reviews of runs whose
   * reference begins with this text; upper and lower case differ. Those found by an id come first; the others are sorted
   * by reference, the last one first. @defaultValue any review
   */
  readonly q?: string;
}

/**
 * The review to decide, exactly as it was shown. Any `Review` is one; of a run, `{ runId: run.runId, ...run.review }`.
 */
export interface ShownReview {
  /** The run that waits for the decision. */
  readonly runId: string;
  /** Identifier of the review. */
  readonly reviewId: string;
  /** Digest of the content that the person has seen. The decision is refused if the content differs. */
  readonly digest: string;
}

/** An approval, perhaps with outputs that replace the node's result, or a rejection with its reason. */
export type Decision =
  | {
      readonly approved: true;
      /** Outputs that become the node's output; they must fit the review's `outputsSchema`. @defaultValue none */
      readonly outputs?: JsonObject;
    }
  | {
      readonly approved: false;
      /** The reason, 1 to 5,000 characters. The run fails with it. */
      readonly rejectionReason: string;
    };

/** Options of {@link Reviews.decide}. */
export interface DecideOptions {
  /**
   * UUID v4 of this submission: the same one for the same run answers the original decision, to the person who made it.
   * Another person's API key is answered `idempotency_conflict`.
   *
   * @defaultValue a fresh one for each call
   */
  readonly idempotencyKey?: string;
  /** Ends the request early. The decision may have been recorded. @defaultValue none */
  readonly signal?: AbortSignal;
}

const decideNames = { idempotencyKey: true, signal: true } satisfies OptionNames<DecideOptions>;
type Approval = Extract<Decision, { readonly approved: true }>;
type Rejection = Extract<Decision, { readonly approved: false }>;
const decisionNames = { approved: true, outputs: true, rejectionReason: true } satisfies OptionNames<
  Pick<Decision, "approved"> & Omit<Approval, "approved"> & Omit<Rejection, "approved">
>;
const listNames = {
  status: true,
  kind: true,
  decidable: true,
  order: true,
  closedFrom: true,
  procedureId: true,
  q: true,
  limit: true,
  cursor: true,
  signal: true,
} satisfies OptionNames<ReviewFilter & PageOptions>;

/** Reviews of the key's environment. */
export interface Reviews {
  /**
   * A review with its question and its decisions.
   *
   * @throws ProcedoError `review_not_found`
   */
  get(reviewId: string, options?: { readonly signal?: AbortSignal }): Promise<Review>;
  /** One page, oldest first unless `q` is given. */
  list(query?: ReviewFilter & PageOptions): Promise<Page<ReviewSummary>>;
  /** Every review that fits, page by page while you iterate. */
  all(filter?: ReviewFilter & Pick<PageOptions, "signal">): AsyncIterable<ReviewSummary>;
  /**
   * Decides the review that was shown: one that was replaced or has changed since is refused. Needs a key with
   * the permission `review`.
   *
   * @throws ProcedoError `review_not_found`, `already_decided`, `another_review_open`, `too_early`,
   *   `review_digest_mismatch`, `invalid_decision`, `permission_denied`
   */
  decide(review: ShownReview, decision: Decision, options?: DecideOptions): Promise<void>;
}

export function createReviews(service: Service, { apiUrl, appUrl }: CheckedOptions, runtime: Runtime): Reviews {
  const list: Reviews["list"] = async (given = {}) => {
    checkOptionNames("reviews.list", listNames, given);
    const { signal, decidable, ...filter } = given;
    const query = { ...filter, decidable: decidable === true ? "true" : undefined };
    return service({ method: "GET", url: `${apiUrl}/reviews`, query, signal }, reviewPageSchema);
  };
  return {
    get: async (reviewId, { signal } = {}) =>
      service({ method: "GET", url: `${apiUrl}/reviews/${pathSegment("review id", reviewId)}`, signal }, reviewSchema),
    list,
    all: (filter) => itemsOf((cursor) => list({ ...filter, ...(cursor !== undefined && { cursor }), limit: 100 })),
    decide: async ({ runId, reviewId, digest }, decision, given = {}) => {
      checkOptionNames("The decision", decisionNames, decision);
      checkOptionNames("reviews.decide", decideNames, given);
      const { idempotencyKey = runtime.newId(), signal } = given;
      const url = `${appUrl}/api/runner-proxy/review/${pathSegment("run id", runId)}`;
      const json = { ...decision, idempotencyKey, reviewId, reviewDigest: digest };
      await service({ method: "POST", url, json, signal }, successSchema);
    },
  };
}
