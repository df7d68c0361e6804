import * as z from "zod";
import { environmentSchema, scopeQuerySchema } from "./environment.ts";
import { idSchema, nodeIdSchema, procedureIdSchema, runIdSchema, versionNameSchema } from "./identifiers.ts";
import { jsonObjectSchema, jsonValueSchema } from "./json.ts";
import { pageOf, pageQuerySchema } from "./pages.ts";
import { maxNameLength } from "./names.ts";
import { reviewKindSchema } from "./reviews.ts";
import { referenceSchema, searchTextSchema } from "./reference.ts";
import { runTurnSchema } from "./run-turns.ts";
import { runTriggerSchema } from "./run-trigger.ts";
import { statusUrlSchema } from "./start-run.ts";
import { givenTimestampSchema, timestampSchema } from "./timestamp.ts";

/** Statuses of a run. `timeout` is not a status: it is only the reply of a sync request, and the run continues. */
export const runStatuses = ["running", "awaiting_review", "completed", "failed"] as const;

/** Schema of {@link RunStatus}. */
export const runStatusSchema = z.enum(runStatuses).meta({ id: "RunStatus" });

/** Status of a run: `running`, `awaiting_review`, `completed` or `failed`. */
export type RunStatus = z.infer<typeof runStatusSchema>;

const summaryFields = {
  runId: runIdSchema,
  status: runStatusSchema,
  statusUrl: statusUrlSchema,
  procedureId: procedureIdSchema,
  procedureVersion: versionNameSchema.meta({ description: "The version that the run carries for life." }),
  environment: environmentSchema,
  startedBy: z.string().meta({ description: "The person who started the run." }),
  reference: referenceSchema.optional(),
  trigger: runTriggerSchema
    .optional()
    .meta({ description: "What started the run. Left out for a start over the Runner API." }),
  createdAt: timestampSchema,
};

const errorField = z.string().meta({ description: "Why the run failed; of a rejected review, its reason." });

/** The open review of a run, as lists show it. */
export const runWaitSchema = z
  .strictObject({
    kind: z.literal("review"),
    reviewId: idSchema,
    reviewKind: reviewKindSchema,
    nodeId: nodeIdSchema.meta({ description: "The node that opened the review." }),
    title: z.string(),
    since: timestampSchema,
  })
  .meta({ id: "RunWait" });

/** A run as lists show it: without its data. */
export const runSummarySchema = z
  .strictObject({
    ...summaryFields,
    waitingFor: runWaitSchema.optional().meta({ description: "The open review that the run waits for." }),
    error: errorField.optional(),
    completedAt: timestampSchema.optional(),
  })
  .meta({ id: "RunSummary" });

const confidence = z.number().min(0).max(1);
const exchangeBody = jsonValueSchema.optional().meta({ description: "JSON as a value, other text as text." });
const exchangeHeaders = z.record(z.string(), z.string());

/** The request and answer of one attempt of a call, without secrets. */
export const runExchangeSchema = z
  .strictObject({
    call: z.int().min(1).optional().meta({ description: "Which call of the step, where it made several." }),
    attempt: z.int().min(1).meta({ description: "Which attempt of the call, from 1." }),
    request: z.strictObject({
      method: z.string(),
      url: z.string(),
      headers: exchangeHeaders,
      body: exchangeBody,
    }),
    response: z
      .strictObject({
        status: z.int(),
        headers: exchangeHeaders,
        body: exchangeBody.meta({ description: "Omitted for a successful response, whose body is the step's output." }),
      })
      .optional()
      .meta({ description: "Omitted if there was no response." }),
    note: z.string().optional().meta({ description: "Parts that were omitted from the record." }),
  })
  .meta({ id: "RunExchange" });

/** One attempt of a call. */
export const runAttemptSchema = z
  .strictObject({
    call: z.int().min(1).meta({ description: "Which call of the step, from 1." }),
    attempt: z.int().min(1).meta({ description: "Which attempt of the call, from 1." }),
    idempotencyKey: z.string().meta({ description: "Key of the call, the same for each of its attempts." }),
    connection: z.string(),
    action: z.string(),
    startedAt: timestampSchema,
    completedAt: timestampSchema.optional().meta({ description: "Left out while the attempt is under way." }),
    outcome: z
      .enum(["ok", "error", "unknown", "not_started"])
      .optional()
      .meta({
        description:
          "`ok`: the service answered with a result. `error`: it refused the call, or was not reached. `unknown`: the call " +
          "may or may not have taken effect. `not_started`: the worker stopped before the request was sent, or the service refused the access token. Left out while " +
          "the attempt is under way.",
      }),
    message: z.string().optional().meta({ description: "Why the attempt failed, or why its outcome is unknown." }),
    retryAt: timestampSchema.optional().meta({ description: "When the next attempt was due." }),
  })
  .meta({ id: "RunAttempt" });

/** One of several calls that a step made. */
export const runCallSchema = z
  .strictObject({
    call: z.int().min(1).meta({ description: "Which call of the step, from 1." }),
    attempts: z.int().min(0).meta({ description: "Number of attempts; 0 where the worker stopped before the first." }),
    arguments: jsonObjectSchema,
    output: jsonValueSchema.optional(),
    error: z.string().optional(),
    startedAt: timestampSchema,
    completedAt: timestampSchema.optional().meta({ description: "Left out while its outcome is not known." }),
  })
  .meta({ id: "RunCall" });

/** A call that waits until a person has authorized its connection. */
export const authorizationWaitSchema = z
  .strictObject({
    connection: z.string().meta({ description: "Name of the connection." }),
    connectionId: idSchema,
    reason: z.string().meta({ description: "Why the call cannot be made." }),
    since: timestampSchema,
    until: timestampSchema.meta({ description: "When the wait ends without an authorization." }),
  })
  .meta({ id: "AuthorizationWait" });

/** One visit of a node. */
export const runStepSchema = z
  .strictObject({
    nodeId: nodeIdSchema,
    kind: z.enum(["start", "end", "tool_call", "condition", "human_review"]),
    title: z.string().optional(),
    visit: z.int().min(1).meta({ description: "Which visit of the node this is, in a loop." }),
    status: runStatusSchema,
    input: jsonValueSchema.optional().meta({ description: "Exactly the input of the step." }),
    output: jsonValueSchema.optional().meta({ description: "Exactly its result; of a failed step `{ error }`." }),
    branch: z.string().optional().meta({ description: "The edge by which the run left, when it has a name." }),
    reason: z.string().optional().meta({ description: "Why the branch was taken, of an answered question." }),
    confidence: confidence.optional().meta({ description: "How sure the agent was, where the node asks for it." }),
    turns: z.array(runTurnSchema).optional().meta({ description: "The conversation with the agent." }),
    attempts: z.int().min(1).optional().meta({ description: "Number of attempts of the step's calls." }),
    retryAt: timestampSchema.optional().meta({ description: "When its call is made again, while it waits for that." }),
    retryReason: z.string().optional().meta({ description: "Why the last attempt failed, while it waits." }),
    authorization: authorizationWaitSchema
      .optional()
      .meta({ description: "The connection that a person has to authorize first, while its call waits for that." }),
    calls: z.array(runCallSchema).optional().meta({ description: "Where the step made more than one." }),
    callAttempts: z
      .array(runAttemptSchema)
      .optional()
      .meta({ description: "The attempts of all calls of the step, in order." }),
    exchanges: z
      .array(runExchangeSchema)
      .optional()
      .meta({ description: "Requests and answers of the attempts, if the integration records them." }),
    reviewId: idSchema.optional().meta({ description: "The review that the step asked for." }),
    startedAt: timestampSchema,
    completedAt: timestampSchema.optional(),
    durationMs: z.number().min(0).optional(),
  })
  .meta({ id: "RunStep" });

const {
  input: _input,
  output: _output,
  turns: _turns,
  exchanges: _exchanges,
  callAttempts: _callAttempts,
  calls: _calls,
  ...stepFacts
} = runStepSchema.shape;
const bytes = z.int().min(0).meta({ description: "Size of the value's JSON in UTF-8; 0 if there is none." });

/** One visit of a node without its values, which `GET runs/:runId/steps/:nodeId/:visit` answers. */
export const runTimelineStepSchema = z
  .strictObject({
    ...stepFacts,
    calls: z.array(runCallSchema.omit({ arguments: true, output: true })).optional(),
    bytes: z.strictObject({ input: bytes, output: bytes }),
    hasTurns: z.boolean().meta({ description: "Whether an agent executed the step." }),
  })
  .meta({ id: "RunTimelineStep" });

/** The open review of a waiting run. */
export const openReviewSchema = z
  .strictObject({
    reviewId: idSchema,
    digest: z.string().meta({ description: "Digest of everything that is shown; send it back as `reviewDigest`." }),
    title: z.string(),
    data: jsonObjectSchema,
    requestedAt: timestampSchema,
  })
  .meta({ id: "OpenReview" });

const included = {
  steps: z.array(runStepSchema).optional().meta({ description: "With `?include=steps`." }),
  timeline: z.array(runTimelineStepSchema).optional().meta({ description: "With `?include=timeline`." }),
};

/** Answer of `GET {runner_url}/runs/:runId`. */
export const runSchema = z
  .discriminatedUnion("status", [
    z.strictObject({ ...summaryFields, status: z.literal("running"), ...included }),
    z.strictObject({
      ...summaryFields,
      status: z.literal("awaiting_review"),
      review: openReviewSchema.optional().meta({ description: "The open review. Omitted once the review is decided." }),
      ...included,
    }),
    z.strictObject({
      ...summaryFields,
      status: z.literal("completed"),
      output: jsonObjectSchema.meta({ description: "Final output." }),
      completedAt: timestampSchema,
      ...included,
    }),
    z.strictObject({
      ...summaryFields,
      status: z.literal("failed"),
      error: errorField,
      completedAt: timestampSchema,
      ...included,
    }),
  ])
  .meta({ id: "Run" });

/** Schema of {@link GetRunQuery}. */
export const getRunQuerySchema = scopeQuerySchema.extend({ include: z.enum(["steps", "timeline"]).optional() });

const oneStatus = `(?:${runStatuses.join("|")})`;

/** One or several statuses, as a query states them: separated by commas. */
const statusListSchema = z
  .string()
  .regex(
    new RegExp(`^${oneStatus}(?:,${oneStatus}){0,${runStatuses.length - 1}}$`),
    `must be one or several of ${runStatuses.join(", ")}, separated by commas`,
  )
  .transform((text) => [...new Set(text.split(","))])
  .pipe(z.array(runStatusSchema));

/** Schema of {@link ListRunsQuery}. */
export const listRunsQuerySchema = pageQuerySchema
  .extend({
    status: statusListSchema.optional().meta({ description: "One or several statuses, separated by commas." }),
    procedureId: procedureIdSchema.optional(),
    version: versionNameSchema.optional().meta({ description: "Of this version of the procedure." }),
    startedBy: z.string().min(1).max(maxNameLength).optional().meta({ description: "Started by this person." }),
    triggerId: idSchema.optional().meta({ description: "Started by this trigger." }),
    q: searchTextSchema.optional().meta({
      description:
        "The run with exactly this id, and runs whose reference begins with this text; upper and lower case differ.",
    }),
    attention: z
      .literal("true")
      .optional()
      .meta({
        description:
          "Only runs that call for a person: those that wait for a review, and those that were started on the last seven days in " +
          "UTC and failed within the last 24 hours without being cancelled. `GET summary` counts the same runs.",
      }),
    from: givenTimestampSchema.optional().meta({ description: "Created at or after." }),
    to: givenTimestampSchema.optional().meta({ description: "Created before." }),
  })
  .refine(({ attention, status }) => attention === undefined || status === undefined || status.some(needsPerson), {
    path: ["attention"],
    message: "finds runs with the status awaiting_review or failed only, and status asks for others",
  });

/** Whether runs of this status may call for a person. */
function needsPerson(status: RunStatus): boolean {
  return status === "awaiting_review" || status === "failed";
}

/** Schema of a page of {@link RunSummary}. */
export const runPageSchema = pageOf(runSummarySchema).meta({ id: "RunPage" });

/** Body of `POST runs/:runId/cancel`. */
export const cancelRunRequestSchema = z
  .strictObject({ reason: z.string().max(1_000).optional().meta({ description: "Kept in the run's record." }) })
  .meta({ id: "CancelRunRequest" });

/** Query of `GET runs/:runId`. */
export type GetRunQuery = z.infer<typeof getRunQuerySchema>;
/** Query of `GET runs`, as a caller writes it. */
export type ListRunsQuery = z.input<typeof listRunsQuerySchema>;
/** {@link ListRunsQuery} after parsing, with its defaults. */
export type ParsedListRunsQuery = z.infer<typeof listRunsQuerySchema>;
