import type { Environment } from "./environment.ts";
import type { JsonObject } from "./json.ts";
import type { ReviewKind, ReviewStatus } from "./reviews.ts";

/**
 * The types of reviews as the API answers them and of decisions, written out so that an editor shows the meaning of
 * each field. `reviews.ts` and `review-decision.ts` have the schemas; `answer-types.test-d.ts` holds both equal.
 */

/** A review as lists show it. */
export interface ReviewSummary {
  /** Identifier of the review. */
  reviewId: string;
  /** Identifier of the run. */
  runId: string;
  /** The procedure that the run executes. */
  procedureId: string;
  /** The version that the run executes. */
  procedureVersion: string;
  /** The environment of the run. */
  environment: Environment;
  /** The person who started the run. */
  startedBy: string;
  /** The reference of the run, such as an invoice number. Absent if it has none. */
  reference?: string | undefined;
  /** The node that opened the review. */
  nodeId: string;
  /** The reason for the review. */
  kind: ReviewKind;
  /** `open`, or how the review was closed. */
  status: ReviewStatus;
  /** The question to the reviewers. */
  title: string;
  /** Digest of the content that reviewers see; send it back as `reviewDigest`. */
  digest: string;
  /** The people who may decide. Both lists empty: everyone with the permission to review. */
  reviewers: {
    /** Roles that may decide. */
    roles: string[];
    /** People who may decide. */
    people: string[];
  };
  /** Whether the person who started the run may not decide. */
  excludesStarter: boolean;
  /** Nodes of the run. A person who approved a review of one of them may not decide. */
  excludesApproversOf: string[];
  /** Number of different people who have to approve. */
  approvalsNeeded: number;
  /** Number of different people who have approved. */
  approvalsGiven: number;
  /** Whether a decision of the caller would be accepted now, or why not. */
  mayDecide: MayDecide;
  /** The call that an approval sends. Absent if an approval sends no call. */
  call?: ReviewCallSummary | undefined;
  /** Time before which decisions are refused, ISO 8601. */
  notBefore?: string | undefined;
  /** Time at which the review expires and the run fails, ISO 8601. */
  expiresAt?: string | undefined;
  /** Time at which the review was opened, ISO 8601. */
  requestedAt: string;
  /** Time at which the review was closed, ISO 8601. */
  closedAt?: string | undefined;
}

/** Whether the caller may decide a review, or the reason why not. */
export type MayDecide =
  | { allowed: true }
  | {
      allowed: false;
      /** A sentence for the person. */
      reason: string;
    };

/** The call that an approval sends, as lists show it. */
export interface ReviewCallSummary {
  /** Name of the connection. */
  connection: string;
  /** Name of the action. */
  action: string;
  /** The effect of a repeated call. */
  effect: "read" | "idempotent" | "once";
}

/** The call that an approval sends, in exactly this form. */
export interface ReviewCall extends ReviewCallSummary {
  /** Name of the account at the service, where it is known. An approved call is made by no other one. */
  account?: string | undefined;
  /** The arguments, exactly as they will be sent. */
  arguments: JsonObject;
  /** Id of the tool call that an approval makes. */
  nodeId: string;
  /** Identifies the definition of the action. If it changes, the approved call is not sent. */
  actionRevision: string;
  /** HTTP method, for an action of a document. */
  method?: string | undefined;
  /** Path template at the origin, for an action of a document. */
  path?: string | undefined;
  /** The server that receives the call, for an action of a document. Absent if the call can no longer be sent. */
  origin?: string | undefined;
}

/** Answer of `GET reviews/:reviewId`, with everything that is asked. */
export interface Review extends Omit<ReviewSummary, "call"> {
  /**
   * The data that the reviewer sees. For a call that an agent proposed, `argumentOrigins` names the origin of each
   * argument, by its JSON pointer: `agent`, `procedure`, or a list of the sources from which the procedure makes it,
   * each `{ path, from }`.
   */
  data: JsonObject;
  /** The call that an approval sends, in exactly this form. Absent if an approval sends no call. */
  call?: ReviewCall | undefined;
  /** JSON Schema of the outputs that a decision may carry; `false`: none, `true`: any object. */
  outputsSchema: boolean | JsonObject;
  /** The decisions so far. */
  decisions: DecisionRecord[];
}

/** One decision on a review: the person, time, network address, and the digest of what the person saw. */
export interface DecisionRecord {
  /** Identifier of the decision. */
  decisionId: string;
  /** The person who decided. */
  person: string;
  /** The key or session that the person used. */
  via: string;
  /** Whether the decision is an approval. */
  approved: boolean;
  /** The outputs of an approval; left out if it had none. */
  outputs?: JsonObject | undefined;
  /** The reason of a rejection. */
  rejectionReason?: string | undefined;
  /** Network address from which the decision came. */
  address?: string | undefined;
  /** Digest of the review as the person saw it. */
  digest: string;
  /** Time of the decision, ISO 8601. */
  decidedAt: string;
}

/** Body of a decision on a review. */
export interface ReviewDecision {
  /** `true` resumes the run, `false` fails it. */
  approved: boolean;
  /** On approval, the outputs that become the node's output. */
  outputs?: JsonObject | undefined;
  /** Required when `approved` is `false`, at most 5,000 characters; the run's `error`. */
  rejectionReason?: string | undefined;
  /**
   * UUID version 4, new for each submission. A repetition by the same person is answered with the original decision.
   */
  idempotencyKey: string;
  /** The review that is decided. If another one is open, the answer is 409. @defaultValue the open review */
  reviewId?: string | undefined;
  /** Digest of the review as the person saw it. If the open review has another one, the answer is 412. */
  reviewDigest?: string | undefined;
}
