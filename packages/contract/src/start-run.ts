import * as z from "zod";
import { runIdSchema } from "./identifiers.ts";
import { jsonObjectSchema } from "./json.ts";
import { executionTimeoutMs } from "./limits.ts";
import { timestampSchema } from "./timestamp.ts";

/** Schema of {@link ExecutionMode}. */
export const executionModeSchema = z.enum(["async", "sync"]);

/** `async` answers as soon as the run is durable; `sync` when it ends, pauses for a review, or after the timeout. */
export type ExecutionMode = z.infer<typeof executionModeSchema>;

/** Body of `POST {runner_url}/v1/procedures/:procedureId/:environment`. */
export const startRunRequestSchema = z
  .strictObject({
    data: jsonObjectSchema.meta({
      description: "Input; must conform to the procedure's input schema, whose defaults complete it.",
    }),
    metadata: z
      .strictObject({
        procedureVersion: z.string().optional().meta({
          description:
            "Pins the run to a published version; one that does not exist is a 404. Default: the procedure's default in this environment.",
        }),
      })
      .optional(),
    control: z
      .strictObject({
        executionMode: executionModeSchema
          .default("async")
          .meta({ description: "`sync` holds the request until the run ends, pauses for review, or the timeout." }),
        executionTimeout: z
          .number()
          .min(executionTimeoutMs.min)
          .max(executionTimeoutMs.max)
          .default(executionTimeoutMs.default)
          .meta({ description: "Milliseconds; used in sync mode. The run continues after it." }),
      })
      .prefault({}),
  })
  .meta({ id: "StartRunRequest" });

/** The request as it is read, defaults filled in. */
export type ParsedStartRunRequest = z.infer<typeof startRunRequestSchema>;

/** Header `Idempotency-Key` of the start request: the same key and body is the same run, for 30 days. */
export const idempotencyKeyHeaderSchema = z
  .string()
  .max(255)
  .regex(/^[\x21-\x7e]+$/, "must be 1 to 255 visible ASCII characters");

export const statusUrlSchema = z.url().meta({ description: "Poll it for the run's current state." });

/** 202: the run is durable and executes asynchronously. */
export const runAcceptedSchema = z
  .strictObject({ runId: runIdSchema, status: z.literal("running"), statusUrl: statusUrlSchema })
  .meta({ id: "RunAccepted" });

/** 200: the run ended well in time. */
export const syncRunCompletedSchema = z
  .strictObject({
    runId: runIdSchema,
    status: z.literal("completed"),
    output: jsonObjectSchema,
    completedAt: timestampSchema,
  })
  .meta({ id: "SyncRunCompleted" });

/** 200: the run failed in time. */
export const syncRunFailedSchema = z
  .strictObject({
    runId: runIdSchema,
    status: z.literal("failed"),
    error: z.string(),
    completedAt: timestampSchema,
  })
  .meta({ id: "SyncRunFailed" });

/** 200, and not a result: the run waits for a person. */
export const syncRunAwaitingReviewSchema = z
  .strictObject({ runId: runIdSchema, status: z.literal("awaiting_review"), statusUrl: statusUrlSchema })
  .meta({ id: "SyncRunAwaitingReview" });

/** 504: the run did not end in time and continues. */
export const syncRunTimeoutSchema = z
  .strictObject({
    runId: runIdSchema,
    status: z.literal("timeout"),
    error: z.string().meta({ description: "States that the run exceeded the timeout, in milliseconds." }),
    statusUrl: statusUrlSchema,
  })
  .meta({ id: "SyncRunTimeout" });

/** Schema of {@link SyncRunReply}. */
export const syncRunReplySchema = z.discriminatedUnion("status", [
  syncRunCompletedSchema,
  syncRunFailedSchema,
  syncRunAwaitingReviewSchema,
  syncRunTimeoutSchema,
]);

/** Every answer to a start request that is not an error body. */
export const runReplySchema = z.discriminatedUnion("status", [runAcceptedSchema, ...syncRunReplySchema.options]);
