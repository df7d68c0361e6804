import * as z from "zod";
import { environmentSchema } from "./environment.ts";
import { connectionNameSchema, idSchema, procedureIdSchema, versionNameSchema } from "./identifiers.ts";
import { inboundSchema } from "./inbound.ts";
import { jsonObjectSchema, jsonValueSchema } from "./json.ts";
import { pageOf, pageQuerySchema } from "./pages.ts";
import { givenTimestampSchema, timestampSchema } from "./timestamp.ts";
import { maxMappingLength, shownSourceSchema, triggerKinds, triggerSourceSchema } from "./trigger-source.ts";

const states = ["active", "paused"] as const;

const name = z.string().min(1).max(200).meta({ description: "Name for people; unique within the environment." });
const version = versionNameSchema.nullable().meta({
  description: "The version to run. `null`: the default version of the environment when the run starts.",
});
const when = z
  .string()
  .min(1)
  .max(maxMappingLength)
  .nullable()
  .meta({
    description:
      "CEL expression over `event`, `headers`, `source`, `schedule` and `trigger`. A run starts only if it is true. `null`: " +
      "every occurrence starts a run.",
  });
const input = jsonObjectSchema.meta({
  description: "Template of the run's input: JSON with `{{ }}` expressions over the same roots as `when`.",
});
const overlap = z.enum(["skip", "queue_one", "queue", "allow"]).meta({
  description:
    "What happens to an occurrence while a run of the trigger is open. `skip`: it starts no run. `queue_one`: the newest " +
    "waits. `queue`: all wait, and run in order. `allow`: they run beside each other.",
});
const maxOpenRuns = z.int().min(1).max(10_000).nullable().meta({
  description: "With `allow`: the most runs of the trigger that are open at a time; others wait. `null`: no bound.",
});
const pauseAfterFailures = z.int().min(1).max(100).nullable().meta({
  description: "Pauses the trigger after this many failures in a row. `null`: never.",
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
    overlap: overlap.optional().meta({ description: "Default: `skip` for a schedule, `allow` for the other sources." }),
    maxOpenRuns: maxOpenRuns.default(null),
    pauseAfterFailures: pauseAfterFailures.default(null),
  })
  .meta({ id: "CreateTriggerRequest" });

/** Body of `PATCH triggers/:triggerId`: replaces the fields that it names. */
export const updateTriggerRequestSchema = z
  .strictObject({ name, procedureId: procedureIdSchema, source: triggerSourceSchema, ...optionalFields })
  .partial()
  .extend({
    revision: z.int().min(1).optional().meta({
      description: "The revision that was read. A trigger that was changed since is refused with `revision_conflict`.",
    }),
  })
  .meta({ id: "UpdateTriggerRequest" });

/** Schema of {@link ScheduledTime}. */
export const scheduledTimeSchema = z
  .strictObject({
    at: timestampSchema.meta({ description: "When it fires: the nominal time and the spread." }),
    scheduledAt: timestampSchema.meta({ description: "The nominal time." }),
    local: z.string().meta({ description: "The nominal time in the zone of the schedule, with its offset." }),
    note: z.string().optional().meta({ description: "Why the time is shifted. Left out if it is not." }),
  })
  .meta({ id: "ScheduledTime" });

/** Schema of {@link TriggerProblem}. */
export const triggerProblemSchema = z
  .strictObject({
    path: z.string().meta({
      description:
        "JSON pointer into the trigger, such as `/input/amount`, or into the run's input, such as `/data/amount`.",
    }),
    message: z.string(),
  })
  .meta({ id: "TriggerProblem" });

/** Schema of {@link Trigger}. */
export const triggerSchema = z
  .strictObject({
    id: idSchema,
    name,
    environment: environmentSchema,
    procedureId: procedureIdSchema,
    source: shownSourceSchema,
    ...optionalFields,
    state: z.enum(states),
    paused: z
      .strictObject({
        at: timestampSchema,
        by: z.string().meta({ description: "The person, or `procedo` after failures in a row." }),
        reason: z.string().optional(),
        events: z.enum(["skip", "hold"]).meta({
          description: "`skip`: events are recorded as skipped. `hold`: they wait until the trigger is resumed.",
        }),
      })
      .optional()
      .meta({ description: "Present while it is paused." }),
    health: z.strictObject({
      status: z.enum(["ok", "failing", "needs_attention"]).meta({
        description:
          "`failing`: the newest firing or its run failed. `needs_attention`: the trigger does not fit its procedure or its " +
          "connection any more, its person may not start runs, or it was paused after failures.",
      }),
      consecutiveFailures: z.int().min(0).meta({ description: "Counted up to 100." }),
      lastFiringAt: timestampSchema.optional().meta({ description: "When the newest firing was stored." }),
      waiting: z.int().min(0).meta({ description: "Firings that have not started yet, counted up to 1,000." }),
    }),
    next: z
      .array(scheduledTimeSchema)
      .meta({ description: "The next five times of an active schedule; empty otherwise." }),
    inbound: inboundSchema.optional().meta({ description: "Of a webhook trigger." }),
    problems: z.array(triggerProblemSchema).meta({ description: "The places that do not fit any more." }),
    createdBy: z.string().meta({ description: "The person who created it." }),
    createdAt: timestampSchema,
    updatedBy: z.string().meta({ description: "The person who last changed it. Its runs start for this person." }),
    updatedAt: timestampSchema,
    revision: z.int().min(1).meta({ description: "Number of its changes, from 1." }),
  })
  .meta({ id: "Trigger" });

const secret = z
  .string()
  .regex(/^whsec_\S+$/)
  .meta({ description: "The secret of its address, shown once." });

/** Schema of {@link CreatedTrigger}. */
export const createdTriggerSchema = triggerSchema
  .extend({
    secret: secret.optional().meta({ description: "The secret of a webhook trigger's address, shown once." }),
  })
  .meta({ id: "CreatedTrigger" });

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
  procedureId: procedureIdSchema.optional().meta({ description: "Of this procedure." }),
  kind: z.enum(triggerKinds).optional().meta({ description: "Of this kind of source." }),
  connection: connectionNameSchema.optional().meta({ description: "Of events of the connection with this name." }),
  state: z.enum(states).optional(),
});

/** Schema of a page of {@link Trigger}. */
export const triggerPageSchema = pageOf(triggerSchema).meta({ id: "TriggerPage" });

const givenHeaders = z
  .record(z.string(), z.string())
  .optional()
  .meta({ description: "By name in lower case. Default: none." });

/** Body of `POST triggers/:triggerId/test`. */
export const testTriggerRequestSchema = z
  .union(
    [
      z.strictObject({ event: jsonValueSchema, headers: givenHeaders }),
      z.strictObject({ firingId: idSchema.meta({ description: "A firing of the trigger, for its event." }) }),
    ],
    "must be { event } or { firingId }",
  )
  .meta({ id: "TestTriggerRequest" });

/** Schema of {@link TriggerTest}. */
export const triggerTestSchema = z
  .strictObject({
    matches: z.boolean().meta({ description: "Whether `when` is true; `true` without one." }),
    input: jsonValueSchema.optional().meta({ description: "The run's input. Left out if it cannot be made." }),
    problems: z.array(triggerProblemSchema).meta({ description: "Why no run would start." }),
  })
  .meta({ id: "TriggerTest" });

/** Body of `POST triggers/preview`. */
export const previewTriggerRequestSchema = z
  .strictObject({
    source: triggerSourceSchema,
    mapping: z
      .strictObject({
        procedureId: procedureIdSchema,
        version: version.default(null),
        when: when.default(null),
        input: input.prefault({}),
        event: jsonValueSchema
          .optional()
          .meta({ description: "The event that the expressions read. Left out for a schedule." }),
        headers: givenHeaders,
      })
      .optional()
      .meta({ description: "A mapping to evaluate. It needs the permission `manage`." }),
  })
  .meta({ id: "PreviewTriggerRequest" });

/** Schema of {@link TriggerPreview}. */
export const triggerPreviewSchema = z
  .strictObject({
    next: z.array(scheduledTimeSchema).meta({ description: "The next five times; empty without a schedule." }),
    test: triggerTestSchema.optional().meta({ description: "The result of the mapping, if one was given." }),
  })
  .meta({ id: "TriggerPreview" });

/** Body of `POST triggers/:triggerId/pause`. */
export const pauseTriggerRequestSchema = z
  .strictObject({
    events: z.enum(["skip", "hold"]).default("skip").meta({
      description: "`skip`: events are recorded as skipped. `hold`: they wait until the trigger is resumed.",
    }),
    reason: z.string().min(1).max(500).optional().meta({ description: "Shown with the trigger." }),
  })
  .meta({ id: "PauseTriggerRequest" });

/** Body of `POST triggers/:triggerId/fire`. */
export const fireTriggerRequestSchema = z
  .strictObject({
    event: jsonValueSchema.optional().meta({ description: "The event that the trigger's expressions read." }),
    data: jsonObjectSchema
      .optional()
      .meta({ description: "The run's input, in place of the trigger's template. Not beside `event`." }),
  })
  .meta({ id: "FireTriggerRequest" });

/** Schema of {@link FiredTrigger}. */
export const firedTriggerSchema = z
  .strictObject({ firingId: idSchema.meta({ description: "The firing, which tells its run once that has started." }) })
  .meta({ id: "FiredTrigger" });

/** Body of `POST triggers/:triggerId/backfill`. */
export const backfillTriggerRequestSchema = z
  .strictObject({
    from: givenTimestampSchema.meta({ description: "Earliest time." }),
    to: givenTimestampSchema.meta({ description: "Latest time, exclusive." }),
  })
  .meta({ id: "BackfillTriggerRequest" });

/** Schema of {@link BackfilledTrigger}. */
export const backfilledTriggerSchema = z
  .strictObject({
    added: z.int().min(0).meta({ description: "Number of new firings." }),
    known: z.int().min(0).meta({ description: "Number of times or events that were accounted for before." }),
  })
  .meta({ id: "BackfilledTrigger" });

/** Body of `POST triggers`, as a caller writes it. */
export type CreateTriggerRequest = z.input<typeof createTriggerRequestSchema>;
/** {@link CreateTriggerRequest} after parsing, with its defaults. */
export type ParsedCreateTriggerRequest = z.infer<typeof createTriggerRequestSchema>;
/** Body of `PATCH triggers/:triggerId`, as a caller writes it. A field that is left out stays. */
export type UpdateTriggerRequest = z.input<typeof updateTriggerRequestSchema>;
/** {@link UpdateTriggerRequest} after parsing. */
export type ParsedUpdateTriggerRequest = z.infer<typeof updateTriggerRequestSchema>;
/** A trigger: its source, its mapping to a procedure's input, and its health. */
export type Trigger = z.infer<typeof triggerSchema>;
/** Answer of `POST triggers`, with the secret of a webhook trigger. Only `rotate` shows a secret as well. */
export type CreatedTrigger = z.infer<typeof createdTriggerSchema>;
/** Answer of `POST triggers/:triggerId/rotate`: the new secret, and until when the former one is accepted as well. */
export type RotatedTriggerSecret = z.infer<typeof rotatedTriggerSecretSchema>;
/** Query of `GET triggers`, as a caller writes it. */
export type ListTriggersQuery = z.input<typeof listTriggersQuerySchema>;
/** A time of a schedule. */
export type ScheduledTime = z.infer<typeof scheduledTimeSchema>;
/** A place of a trigger that does not fit, such as its mapping after a change of the procedure's default version. */
export interface TriggerProblem {
  /** JSON pointer into the trigger, such as `/input/amount`, or into the run's input, such as `/data/amount`. */
  path: string;
  /** The fault and its correction. */
  message: string;
}
/** Body of `POST triggers/preview`, as a caller writes it. */
export type PreviewTriggerRequest = z.input<typeof previewTriggerRequestSchema>;
/** Answer of `POST triggers/preview`. */
export type TriggerPreview = z.infer<typeof triggerPreviewSchema>;
/** Body of `POST triggers/:triggerId/test`. */
export type TestTriggerRequest = z.infer<typeof testTriggerRequestSchema>;
/** Answer of `POST triggers/:triggerId/test`. */
export type TriggerTest = z.infer<typeof triggerTestSchema>;
/** Body of `POST triggers/:triggerId/pause`, as a caller writes it. */
export type PauseTriggerRequest = z.input<typeof pauseTriggerRequestSchema>;
/** Body of `POST triggers/:triggerId/fire`. */
export type FireTriggerRequest = z.infer<typeof fireTriggerRequestSchema>;
/** Answer of `POST triggers/:triggerId/fire`, and of the refire of a firing. */
export type FiredTrigger = z.infer<typeof firedTriggerSchema>;
/** Body of `POST triggers/:triggerId/backfill`. */
export type BackfillTriggerRequest = z.infer<typeof backfillTriggerRequestSchema>;
/** Answer of `POST triggers/:triggerId/backfill`. */
export type BackfilledTrigger = z.infer<typeof backfilledTriggerSchema>;
