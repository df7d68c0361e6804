import * as z from "zod";
import { actionEffectSchema } from "./connections.ts";
import { environmentSchema } from "./environment.ts";
import {
  actionNameSchema,
  connectionNameSchema,
  idSchema,
  nodeIdSchema,
  procedureIdSchema,
  runIdSchema,
  versionNameSchema,
} from "./identifiers.ts";
import { jsonObjectSchema } from "./json.ts";
import { pageOf, pageQuerySchema } from "./pages.ts";
import { referenceSchema, searchTextSchema } from "./reference.ts";
import { givenTimestampSchema, timestampSchema } from "./timestamp.ts";

/** Schema of {@link ReviewKind}. */
export const reviewKindSchema = z.enum(["human_review", "guard", "function", "question", "outcome_unknown"]).meta({
  id: "ReviewKind",
  description:
    "Origin of the review: a node, a guard or limit of a call, a private function that requires it, an agent that is not sure of its answer, or a call's open outcome.",
});

/** Schema of {@link ReviewStatus}. */
export const reviewStatusSchema = z.enum(["open", "approved", "rejected", "expired", "settled", "cancelled"]).meta({
  id: "ReviewStatus",
  description: "`settled`: a late answer of the call made the question void.",
});

/** One decision: the person, the time, the address, and the digest of the question as the person saw it. */
export const decisionRecordSchema = z
  .strictObject({
    decisionId: idSchema,
    person: z.string(),
    via: z.string().meta({ description: "The key or session that the person used." }),
    approved: z.boolean(),
    outputs: jsonObjectSchema.optional(),
    rejectionReason: z.string().optional(),
    address: z.string().optional().meta({ description: "Network address from which the decision came." }),
    digest: z.string().meta({ description: "Digest of the review as the person saw it." }),
    decidedAt: timestampSchema,
  })
  .meta({ id: "DecisionRecord" });

/** Whether the caller may decide a review. */
export const mayDecideSchema = z
  .discriminatedUnion("allowed", [
    z.strictObject({ allowed: z.literal(true) }),
    z.strictObject({ allowed: z.literal(false), reason: z.string() }),
  ])
  .meta({ id: "MayDecide", description: "Whether a decision of the caller would be accepted now, or why not." });

const callNames = { connection: connectionNameSchema, action: actionNameSchema, effect: actionEffectSchema };

/** The call that an approval sends, as lists show it. */
export const reviewCallSummarySchema = z.strictObject(callNames).meta({ id: "ReviewCallSummary" });

/** The call that an approval sends. */
export const reviewCallSchema = z
  .strictObject({
    ...callNames,
    account: z.string().optional().meta({
      description: "Name of the account at the service, where it is known. An approved call is made by no other one.",
    }),
    arguments: jsonObjectSchema,
    nodeId: nodeIdSchema.meta({ description: "The tool call that an approval makes." }),
    actionRevision: z.string().meta({
      description: "Identifies the definition of the action. If it changes, the approved call is not sent.",
    }),
    method: z.string().optional().meta({ description: "HTTP method, for an action of a document." }),
    path: z.string().optional().meta({
      description: "Path template at the origin, such as `/v2/payments/{id}`, for an action of a document.",
    }),
    origin: z
      .string()
      .optional()
      .meta({
        description:
          "The server that receives the call, such as `https://api.bank.example`, for an action of a document. " +
          "Omitted with `method` and `path` if the call can no longer be sent.",
      }),
  })
  .meta({ id: "ReviewCall", description: "Exactly the call that an approval sends." });

/** A review as lists show it, without its question. */
export const reviewSummarySchema = z
  .strictObject({
    reviewId: idSchema,
    runId: runIdSchema,
    procedureId: procedureIdSchema,
    procedureVersion: versionNameSchema.meta({ description: "The version that the run executes." }),
    environment: environmentSchema,
    startedBy: z.string().meta({ description: "The person who started the run." }),
    reference: referenceSchema.optional(),
    nodeId: nodeIdSchema,
    kind: reviewKindSchema,
    status: reviewStatusSchema,
    title: z.string(),
    digest: z.string().meta({ description: "Digest of everything that is shown; send it back as `reviewDigest`." }),
    reviewers: z
      .strictObject({ roles: z.array(z.string()), people: z.array(z.string()) })
      .meta({ description: "Who may decide; both empty: everyone with the permission to review." }),
    excludesStarter: z.boolean().meta({ description: "Whether the person who started the run may not decide." }),
    excludesApproversOf: z
      .array(nodeIdSchema)
      .meta({ description: "Nodes of the run: a person who approved a review of one of them may not decide." }),
    approvalsNeeded: z.int().min(1).meta({ description: "How many different people have to approve." }),
    approvalsGiven: z.int().min(0),
    mayDecide: mayDecideSchema,
    call: reviewCallSummarySchema.optional().meta({ description: "If an approval sends a call." }),
    notBefore: timestampSchema.optional().meta({ description: "Earlier decisions are refused." }),
    expiresAt: timestampSchema.optional().meta({ description: "Then the run fails." }),
    requestedAt: timestampSchema,
    closedAt: timestampSchema.optional(),
  })
  .meta({ id: "ReviewSummary" });

/** Answer of `GET reviews/:reviewId`. */
export const reviewSchema = reviewSummarySchema
  .extend({
    data: jsonObjectSchema.meta({
      description:
        "Exactly what the reviewer sees. Of a call that an agent proposed, `argumentOrigins` names the origin of each argument, by its JSON pointer: `agent`, `procedure`, or a list of the sources from which the procedure makes it, each `{ path, from }`.",
    }),
    call: reviewCallSchema.optional().meta({ description: "If an approval sends a call." }),
    outputsSchema: z.union([z.boolean(), jsonObjectSchema]).meta({
      description: "JSON Schema of the outputs that a decision may carry; `false`: none, `true`: any object.",
    }),
    decisions: z.array(decisionRecordSchema),
  })
  .meta({ id: "Review" });

/** Whether a filter by this status finds open reviews. */
function isOpen(status: ReviewStatus | undefined): boolean {
  return status === undefined || status === "open";
}

/** Schema of {@link ListReviewsQuery}. */
export const listReviewsQuerySchema = pageQuerySchema
  .extend({
    status: reviewStatusSchema.optional(),
    procedureId: procedureIdSchema.optional(),
    kind: reviewKindSchema.optional(),
    q: searchTextSchema.optional().meta({
      description:
        "The review with exactly this id, reviews of the run with exactly this id, and reviews of runs whose reference begins with this text; upper and lower case differ. Not with `order`.",
    }),
    decidable: z.literal("true").optional().meta({ description: "Only reviews that the caller may decide now." }),
    order: z.enum(["requested", "expires"]).optional().meta({
      description: "`requested`: oldest first, the default. `expires`: open reviews, by the time of their expiry.",
    }),
    closedFrom: givenTimestampSchema
      .optional()
      .meta({ description: "Closed at this time or later; those that were requested last come first." }),
  })
  .refine(({ q, order }) => q === undefined || order === undefined, {
    path: ["order"],
    message: "cannot be combined with q, whose results are sorted by reference",
  })
  .refine(({ order, status, closedFrom }) => order !== "expires" || (isOpen(status) && closedFrom === undefined), {
    path: ["order"],
    message: "sorts open reviews only, and the other parameters ask for closed ones",
  })
  .refine(
    ({ decidable, status, closedFrom }) => decidable === undefined || (isOpen(status) && closedFrom === undefined),
    {
      path: ["decidable"],
      message: "finds open reviews only, and the other parameters ask for closed ones",
    },
  )
  .refine(({ status, closedFrom }) => status !== "open" || closedFrom === undefined, {
    path: ["closedFrom"],
    message: "finds closed reviews only, and status asks for open ones",
  });

/** Schema of a page of {@link ReviewSummary}. */
export const reviewPageSchema = pageOf(reviewSummarySchema).meta({ id: "ReviewPage" });

/** Origin of a review: a node, a guard or limit, a private function, an agent, or an unknown outcome. */
export type ReviewKind = z.infer<typeof reviewKindSchema>;
/** Status of a review: `open`, or how it was closed. */
export type ReviewStatus = z.infer<typeof reviewStatusSchema>;
/** Query of `GET reviews`, as a caller writes it. */
export type ListReviewsQuery = z.input<typeof listReviewsQuerySchema>;
/** {@link ListReviewsQuery} after parsing, with its defaults. */
export type ParsedListReviewsQuery = z.infer<typeof listReviewsQuerySchema>;
