import * as z from "zod";
import { environmentSchema } from "./environment.ts";
import { idSchema, procedureIdSchema, runIdSchema } from "./identifiers.ts";
import { jsonObjectSchema } from "./json.ts";
import { timestampSchema } from "./timestamp.ts";

/** Events that every procedure can cause; beside them `custom.<name>`. */
export const runEvents = ["run_completed", "run_failed", "human_review_requested"] as const;

const eventNameMessage = `must be one of ${runEvents.join(", ")}, custom.<name>`;

const customEventName = z
  .string()
  .regex(/^custom\.[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, eventNameMessage) as unknown as z.ZodType<
  `custom.${string}`,
  `custom.${string}`
>;

/** The name of an event that a webhook can subscribe to. */
export const eventNameSchema = z
  .union([z.enum(runEvents), customEventName], eventNameMessage)
  .meta({ id: "EventName" });

/** An event that a webhook can subscribe to: one of {@link runEvents}, or `custom.<name>`. */
export type EventName = z.infer<typeof eventNameSchema>;

const envelopeFields = {
  id: idSchema.meta({ description: "Unique delivery id, kept when it is sent again: deduplicate by it." }),
  createdAt: timestampSchema.meta({ description: "When the event occurred." }),
};

const origin = {
  runId: runIdSchema,
  procedureId: procedureIdSchema,
  environment: environmentSchema,
  sequence: z.int().min(1).optional().meta({
    description: "Number of the event within its run, from 1: deliveries may arrive in another order.",
  }),
};

/** Schema of {@link RunCompletedEvent}. */
export const runCompletedEventSchema = z
  .strictObject({
    ...envelopeFields,
    event: z.literal("run_completed"),
    data: z.strictObject({ ...origin, status: z.literal("completed"), output: jsonObjectSchema }),
  })
  .meta({ id: "RunCompletedEvent" });

/** Schema of {@link RunFailedEvent}. */
export const runFailedEventSchema = z
  .strictObject({
    ...envelopeFields,
    event: z.literal("run_failed"),
    data: z.strictObject({ ...origin, status: z.literal("failed"), error: z.string() }),
  })
  .meta({ id: "RunFailedEvent" });

/** Schema of {@link HumanReviewRequestedEvent}. */
export const humanReviewRequestedEventSchema = z
  .strictObject({
    ...envelopeFields,
    event: z.literal("human_review_requested"),
    data: z.strictObject({
      ...origin,
      reviewTitle: z.string().meta({ description: "Configured on the review node." }),
      reviewData: jsonObjectSchema.meta({ description: "The data that the reviewer sees." }),
    }),
  })
  .meta({ id: "HumanReviewRequestedEvent" });

/** Schema of {@link CustomEvent}. */
export const customEventSchema = z
  .strictObject({
    ...envelopeFields,
    event: customEventName.meta({ description: "`custom.` and the name that the step emits." }),
    data: z.strictObject({ ...origin, payload: jsonObjectSchema }),
  })
  .meta({ id: "CustomEvent" });

/** Body of a webhook delivery. `event` tells the kinds apart. */
export const eventEnvelopeSchema = z
  .union([runCompletedEventSchema, runFailedEventSchema, humanReviewRequestedEventSchema, customEventSchema])
  .meta({ id: "EventEnvelope" });

/** Envelope of the event of a run that completed, with its output. */
export type RunCompletedEvent = z.infer<typeof runCompletedEventSchema>;
/** Envelope of the event of a run that failed, with the reason. */
export type RunFailedEvent = z.infer<typeof runFailedEventSchema>;
/** Envelope of the event of a run that waits for people. */
export type HumanReviewRequestedEvent = z.infer<typeof humanReviewRequestedEventSchema>;
/** Envelope of an event that a step emits under a name of its own: `custom.<name>`. */
export type CustomEvent = z.infer<typeof customEventSchema>;
/** Body of a webhook delivery. `event` tells the kinds apart. */
export type EventEnvelope = z.infer<typeof eventEnvelopeSchema>;
