import * as z from "zod";
import { environmentSchema } from "./environment.ts";
import { connectionNameSchema, idSchema, procedureIdSchema, versionNameSchema } from "./identifiers.ts";
import { jsonObjectSchema } from "./json.ts";
import { pageOf, pageQuerySchema } from "./pages.ts";
import { timestampSchema } from "./timestamp.ts";
import { triggerKinds, triggerSourceSchema } from "./trigger-source.ts";

const name = z.string().min(1).max(200).meta({ description: "Name for people; unique within the environment." });
const version = versionNameSchema.nullable().meta({
  description: "The version to run. `null`: the default of the environment when the run starts.",
});
const when = z.string().min(1).max(65_536).nullable().meta({
  description:
    "CEL expression over `event`, `headers`, `source`, `schedule` and `trigger`. Only if it is true, a run starts.",
});
const input = jsonObjectSchema.meta({
  description: "Template of the run's input: JSON with `{{ }}` expressions over the same roots as `when`.",
});
const overlap = z.enum(["skip", "queue_one", "queue", "allow"]).meta({
  description:
    "What happens while a run of the trigger is open. `skip`: no run. `queue_one`: the newest waits. `queue`: all wait, and run " +
    "in order. `allow`: they run beside each other. Default: `skip` for a schedule, `allow` for the others.",
});
const maxOpenRuns = z.int().min(1).max(10_000).nullable().meta({
  description: "With `allow`: the most runs of the trigger that are open at a time. Others wait.",
});
const pauseAfterFailures = z.int().min(1).max(100).nullable().meta({
  description: "Pauses the trigger after this many failures in a row.",
});

const optionalFields = {
  version,
  when,
  input,
  overlap,
  maxOpenRuns,
  pauseAfterFailures,
};

/** Body of `POST triggers`. */
export const createTriggerRequestSchema = z
  .strictObject({
    name,
    procedureId: procedureIdSchema,
    source: triggerSourceSchema,
    version: version.default(null),
    when: when.default(null),
    input: input.prefault({}),
    overlap: overlap.optional(),
    maxOpenRuns: maxOpenRuns.default(null),
    pauseAfterFailures: pauseAfterFailures.default(null),
  })
  .meta({ id: "CreateTriggerRequest" });

/** Body of `PATCH triggers/:id`: replaces the fields that it names. */
export const updateTriggerRequestSchema = z
  .strictObject({ name, procedureId: procedureIdSchema, source: triggerSourceSchema, ...optionalFields })
  .partial()
  .extend({
    revision: z
      .int()
      .min(1)
      .optional()
      .meta({ description: "Refuses the change unless the trigger has this revision." }),
  })
  .meta({ id: "UpdateTriggerRequest" });

/** Schema of {@link ScheduledTime}. */
export const scheduledTimeSchema = z
  .strictObject({
    at: timestampSchema.meta({ description: "When it fires, with its spread." }),
    scheduledAt: timestampSchema.meta({ description: "The nominal time, in UTC." }),
    local: z.string().meta({ description: "The nominal time in the zone, with its offset." }),
    note: z.string().nullable().meta({ description: "Why the time is shifted, such as a change of the clock." }),
  })
  .meta({ id: "ScheduledTime" });

/** One place of a trigger that does not fit, such as its mapping after a change of the procedure's default. */
export const triggerProblemSchema = z
  .strictObject({ path: z.string().meta({ description: "JSON pointer into the trigger." }), message: z.string() })
  .meta({ id: "TriggerProblem" });

/** Schema of {@link Trigger}. */
export const triggerSchema = z
  .strictObject({
    id: idSchema,
    name,
    environment: environmentSchema,
    procedureId: procedureIdSchema,
    source: triggerSourceSchema,
    ...optionalFields,
    state: z.enum(["active", "paused"]),
    paused: z
      .strictObject({
        at: timestampSchema,
        by: z.string().meta({ description: "The person, or `procedo` after failures." }),
        reason: z.string().nullable(),
        events: z
          .enum(["skip", "hold"])
          .meta({ description: "Whether its events are skipped, or wait for its resumption." }),
      })
      .nullable(),
    health: z.strictObject({
      status: z.enum(["ok", "failing", "needs_attention"]).meta({
        description:
          "`failing`: the newest firing or its run failed. `needs_attention`: the trigger does not fit its procedure or its " +
          "connection any more, its person may not start runs, or it was paused after failures.",
      }),
      consecutiveFailures: z.int().min(0),
      lastFiringAt: timestampSchema.nullable(),
      waiting: z.int().min(0).meta({ description: "Firings that have not started yet, counted up to 1,000." }),
    }),
    next: z.array(scheduledTimeSchema).meta({ description: "The next five times; empty without a schedule." }),
    inbound: z
      .strictObject({ url: z.url().meta({ description: "The address that the other service sends its requests to." }) })
      .nullable(),
    problems: z.array(triggerProblemSchema),
    createdBy: z.string(),
    createdAt: timestampSchema,
    updatedBy: z.string().meta({ description: "The person for whom its runs start." }),
    updatedAt: timestampSchema,
    revision: z.int().min(1),
  })
  .meta({ id: "Trigger" });

/** The signing secret of a webhook trigger, shown once. */
const secret = z
  .string()
  .regex(/^whsec_\S+$/)
  .meta({ description: "The secret of its address, shown once. Of a webhook trigger only." });

/** Schema of {@link CreatedTrigger}. */
export const createdTriggerSchema = triggerSchema.extend({ secret: secret.optional() }).meta({ id: "CreatedTrigger" });

/** Schema of {@link RotatedTriggerSecret}. */
export const rotatedTriggerSecretSchema = z
  .strictObject({
    id: idSchema,
    secret,
    oldSecretExpiresAt: timestampSchema.meta({ description: "Until then, the old secret is accepted as well." }),
  })
  .meta({ id: "RotatedTriggerSecret" });

/** Schema of {@link ListTriggersQuery}. */
export const listTriggersQuerySchema = pageQuerySchema.extend({
  procedureId: procedureIdSchema.optional(),
  kind: z.enum(triggerKinds).optional(),
  connection: connectionNameSchema.optional(),
  state: z.enum(["active", "paused"]).optional(),
});

/** Schema of a page of {@link Trigger}. */
export const triggerPageSchema = pageOf(triggerSchema).meta({ id: "TriggerPage" });

/** Body of `POST triggers/preview`. */
export const previewTriggerRequestSchema = z
  .strictObject({ source: triggerSourceSchema })
  .meta({ id: "PreviewTriggerRequest" });

/** Answer of `POST triggers/preview`. */
export const triggerPreviewSchema = z
  .strictObject({ next: z.array(scheduledTimeSchema) })
  .meta({ id: "TriggerPreview" });

/** Body of `POST triggers/:id/test`. */
export const testTriggerRequestSchema = z
  .union(
    [
      z.strictObject({ event: z.json(), headers: z.record(z.string(), z.string()).optional() }),
      z.strictObject({ firingId: idSchema }),
    ],
    "must be { event } or { firingId }",
  )
  .meta({ id: "TestTriggerRequest" });

/** Schema of {@link TriggerTest}. */
export const triggerTestSchema = z
  .strictObject({
    matches: z.boolean().meta({ description: "Whether `when` is true; also true without one." }),
    input: z.json().optional().meta({ description: "The run's input. Omitted if it cannot be made." }),
    problems: z.array(triggerProblemSchema),
  })
  .meta({ id: "TriggerTest" });

/** Body of `POST triggers/:id/pause`. */
export const pauseTriggerRequestSchema = z
  .strictObject({
    events: z.enum(["skip", "hold"]).default("skip").meta({ description: "Whether events are skipped or wait." }),
    reason: z.string().min(1).max(500).optional(),
  })
  .meta({ id: "PauseTriggerRequest" });

/** Body of `POST triggers/:id/fire`. */
export const fireTriggerRequestSchema = z
  .strictObject({
    event: z.json().optional().meta({ description: "The event that the trigger's expressions read." }),
    data: jsonObjectSchema.optional().meta({ description: "The run's input, in place of the trigger's template." }),
  })
  .meta({ id: "FireTriggerRequest" });

/** Answer of `POST triggers/:id/fire` and of a refire. */
export const firedTriggerSchema = z.strictObject({ firingId: idSchema }).meta({ id: "FiredTrigger" });

/** Body of `POST triggers/:id/backfill`. */
export const backfillTriggerRequestSchema = z
  .strictObject({
    from: timestampSchema.meta({ description: "Earliest time." }),
    to: timestampSchema.meta({ description: "Latest time, exclusive." }),
  })
  .meta({ id: "BackfillTriggerRequest" });

/** Schema of {@link BackfilledTrigger}. */
export const backfilledTriggerSchema = z
  .strictObject({
    added: z.int().min(0).meta({ description: "Number of new firings." }),
    known: z.int().min(0).meta({ description: "Number of times or events that had been accounted for." }),
  })
  .meta({ id: "BackfilledTrigger" });

/** Body of `POST triggers`, as a caller writes it. */
export type CreateTriggerRequest = z.input<typeof createTriggerRequestSchema>;
/** {@link CreateTriggerRequest} after parsing, with its defaults. */
export type ParsedCreateTriggerRequest = z.infer<typeof createTriggerRequestSchema>;
/** Body of `PATCH triggers/:id`. A field that is left out stays. */
export type UpdateTriggerRequest = z.input<typeof updateTriggerRequestSchema>;
/** {@link UpdateTriggerRequest} after parsing. */
export type ParsedUpdateTriggerRequest = z.infer<typeof updateTriggerRequestSchema>;
/** A trigger, as it is shown. */
export type Trigger = z.infer<typeof triggerSchema>;
/** Answer of `POST triggers`: the only one, with `rotate`, that shows the secret. */
export type CreatedTrigger = z.infer<typeof createdTriggerSchema>;
/** Answer of `POST triggers/:id/rotate`. */
export type RotatedTriggerSecret = z.infer<typeof rotatedTriggerSecretSchema>;
/** Query of `GET triggers`. */
export type ListTriggersQuery = z.input<typeof listTriggersQuerySchema>;
/** One of the next times of a schedule. */
export type ScheduledTime = z.infer<typeof scheduledTimeSchema>;
/** A place of a trigger that does not fit. */
export type TriggerProblem = z.infer<typeof triggerProblemSchema>;
/** Answer of `POST triggers/:id/test`. */
export type TriggerTest = z.infer<typeof triggerTestSchema>;
/** Answer of `POST triggers/:id/backfill`. */
export type BackfilledTrigger = z.infer<typeof backfilledTriggerSchema>;
