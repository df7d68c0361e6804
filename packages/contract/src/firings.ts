import * as z from "zod";
import { scopeQuerySchema } from "./environment.ts";
import { idSchema, runIdSchema, versionNameSchema } from "./identifiers.ts";
import { jsonValueSchema } from "./json.ts";
import { pageOf, pageQuerySchema } from "./pages.ts";
import { givenTimestampSchema, timestampSchema } from "./timestamp.ts";
import { triggerProblemSchema } from "./triggers.ts";

/** Statuses of a firing. */
export const firingStatuses = ["pending", "waiting", "started", "skipped", "failed"] as const;

/** Why a firing started no run. */
export const firingReasons = [
  "filtered",
  "overlap",
  "superseded",
  "missed",
  "too_old",
  "paused",
  "deleted",
  "restored",
  "mapping_failed",
  "input_invalid",
  "procedure_not_found",
  "version_not_found",
  "permission_denied",
  "chain_too_deep",
  "start_failed",
] as const;

/** Schema of {@link Firing}. */
export const firingSchema = z
  .strictObject({
    id: idSchema,
    triggerId: idSchema,
    status: z.enum(firingStatuses).meta({
      description:
        "`pending` until it is evaluated; `waiting` behind an open run or until the trigger is resumed; then `started`, `skipped` " +
        "or `failed`.",
    }),
    reason: z.enum(firingReasons).optional().meta({ description: "Why it was skipped, or why it failed." }),
    error: z
      .strictObject({ message: z.string(), details: z.array(triggerProblemSchema) })
      .optional()
      .meta({ description: "The faults behind the reason of a failed firing." }),
    count: z.int().min(1).meta({ description: "How many times of the schedule it stands for, if they were skipped." }),
    requestedBy: z.string().optional().meta({
      description: "The person who asked for it, and for whom its run starts. Left out of a firing by itself.",
    }),
    scheduledAt: timestampSchema.optional().meta({ description: "The nominal time of the schedule." }),
    occurredAt: timestampSchema.optional().meta({ description: "The sender's time of the event, if it states one." }),
    receivedAt: timestampSchema.meta({ description: "When the firing was stored." }),
    event: z
      .strictObject({
        id: z.string().meta({ description: "The sender's id." }),
        type: z.string(),
        digest: z.string().meta({
          description:
            "SHA-256 in hexadecimal: of the bytes of the request's body, which several events can share, or of the event's JSON " +
            "if it came without a request.",
        }),
      })
      .optional()
      .meta({ description: "Its event, without the content." }),
    runId: runIdSchema.optional().meta({ description: "The run that it started." }),
    procedureVersion: versionNameSchema.optional().meta({ description: "The version that the run executes." }),
    lateMs: z.int().optional().meta({
      description:
        "Time from the scheduled time, or from the arrival of the event, to the start of the run, in milliseconds.",
    }),
    duplicates: z.int().min(0).meta({ description: "How often the event arrived again." }),
    refireOf: idSchema.optional().meta({ description: "The firing that it repeats." }),
  })
  .meta({ id: "Firing" });

/** Schema of {@link FiringDetails}. */
export const firingDetailsSchema = firingSchema
  .extend({
    content: z
      .strictObject({ event: jsonValueSchema, headers: z.record(z.string(), z.string()) })
      .optional()
      .meta({
        description:
          "The event and its headers, with `include=event`. Left out of a firing without an event, and once the content was removed.",
      }),
    input: jsonValueSchema
      .optional()
      .meta({ description: "The input of its run, with `include=input`. Left out of a firing without a run." }),
  })
  .meta({ id: "FiringDetails" });

const included = ["event", "input"] as const;

/** Query of `GET triggers/:triggerId/firings/:firingId`. */
export const getFiringQuerySchema = scopeQuerySchema.extend({
  include: z
    .string()
    .regex(/^(?:event|input)(?:,(?:event|input))?$/, "must be event, input, or both, separated by a comma")
    .transform((text) => [...new Set(text.split(","))])
    .pipe(z.array(z.enum(included)))
    .optional()
    .meta({ description: "`event`, `input`, or both, separated by a comma." }),
});

/** Schema of {@link ListFiringsQuery}. */
export const listFiringsQuerySchema = pageQuerySchema.extend({
  status: z.enum(firingStatuses).optional().meta({ description: "Of this status." }),
  from: givenTimestampSchema.optional().meta({ description: "Stored at or after this time." }),
  to: givenTimestampSchema.optional().meta({ description: "Stored before this time." }),
});

/** Schema of a page of {@link Firing}. */
export const firingPageSchema = pageOf(firingSchema).meta({ id: "FiringPage" });

/** A firing: one occurrence, for one trigger. */
export type Firing = z.infer<typeof firingSchema>;
/** A firing with the content that was asked for. */
export type FiringDetails = z.infer<typeof firingDetailsSchema>;
/** Why a firing started no run. */
export type FiringReason = (typeof firingReasons)[number];
/** Query of `GET triggers/:triggerId/firings`, as a caller writes it. */
export type ListFiringsQuery = z.input<typeof listFiringsQuerySchema>;
