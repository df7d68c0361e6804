import * as z from "zod";
import { idSchema, versionNameSchema } from "./identifiers.ts";
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
  "mapping_failed",
  "input_invalid",
  "procedure_not_found",
  "version_not_found",
  "permission_denied",
  "chain_too_deep",
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
    reason: z.enum(firingReasons).nullable().meta({ description: "Why it was skipped, or why it failed." }),
    error: z
      .strictObject({ message: z.string(), details: z.array(triggerProblemSchema) })
      .nullable()
      .meta({ description: "Of a failed firing." }),
    count: z.int().min(1).meta({ description: "How many times of the schedule it stands for, if they were skipped." }),
    requestedBy: z
      .string()
      .nullable()
      .meta({ description: "The person who asked for it, and who started its run. `null` for a firing by itself." }),
    scheduledAt: timestampSchema.nullable().meta({ description: "The nominal time, of a schedule." }),
    occurredAt: timestampSchema.nullable().meta({ description: "The sender's time of the event, if it states one." }),
    receivedAt: timestampSchema.meta({ description: "When the firing was stored." }),
    event: z
      .strictObject({
        id: z.string().meta({ description: "The sender's id." }),
        type: z.string(),
        digest: z.string().meta({ description: "SHA-256 of its body, hex." }),
      })
      .nullable(),
    procedureVersion: versionNameSchema.nullable(),
    runId: idSchema.nullable(),
    lateMs: z.int().nullable().meta({
      description:
        "Time from the scheduled time, or from the arrival of the event, to the start of the run; in milliseconds.",
    }),
    duplicates: z.int().min(0).meta({ description: "How often the event arrived again." }),
    refireOf: idSchema.nullable(),
  })
  .meta({ id: "Firing" });

/** Schema of {@link FiringDetails}. */
export const firingDetailsSchema = firingSchema
  .extend({
    content: z
      .strictObject({ event: z.json(), headers: z.record(z.string(), z.string()) })
      .nullable()
      .optional()
      .meta({ description: "The event, with `include=event`. `null` without an event, and once it was removed." }),
    input: z
      .json()
      .optional()
      .meta({ description: "The input of its run, with `include=input`. Omitted without a run." }),
  })
  .meta({ id: "FiringDetails" });

/** Schema of {@link ListFiringsQuery}. */
export const listFiringsQuerySchema = pageQuerySchema.extend({
  status: z.enum(firingStatuses).optional(),
  from: givenTimestampSchema.optional().meta({ description: "Stored at or after this time." }),
  to: givenTimestampSchema.optional().meta({ description: "Stored before this time." }),
});

/** Schema of a page of {@link Firing}. */
export const firingPageSchema = pageOf(firingSchema).meta({ id: "FiringPage" });

/** A firing: one occurrence for one trigger. */
export type Firing = z.infer<typeof firingSchema>;
/** A firing with the content that was asked for. */
export type FiringDetails = z.infer<typeof firingDetailsSchema>;
/** Why a firing started no run. */
export type FiringReason = (typeof firingReasons)[number];
/** Query of `GET triggers/:id/firings`. */
export type ListFiringsQuery = z.input<typeof listFiringsQuerySchema>;
