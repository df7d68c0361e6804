import * as z from "zod";
import { distinct } from "./distinct.ts";
import { eventEnvelopeSchema, eventNameSchema } from "./events.ts";
import { idSchema } from "./identifiers.ts";
import { cursorSchema, pageOf, pageQuerySchema } from "./pages.ts";
import { givenTimestampSchema, timestampSchema } from "./timestamp.ts";

/** One event on its way to one webhook. Also the answer of `test` and `resend`. */
export const deliverySchema = z
  .strictObject({
    id: idSchema.meta({ description: "Unique delivery id, the envelope's `id`." }),
    event: eventNameSchema,
    runId: idSchema.optional().meta({ description: "The run whose event it is; left out for a test." }),
    url: z.url().meta({ description: "Receiver endpoint." }),
    status: z.enum(["pending", "delivered", "failed", "skipped"]).meta({
      description:
        "`pending` until the receiver answered 2xx (`delivered`), every attempt failed (`failed`), or an attempt was due " +
        "while the webhook was inactive and was not made (`skipped`).",
    }),
    responseCode: z
      .int()
      .min(100)
      .max(599)
      .optional()
      .meta({ description: "HTTP status of the receiver's last answer." }),
    attemptCount: z.int().min(0).meta({ description: "Number of attempts so far." }),
    createdAt: timestampSchema,
    deliveredAt: timestampSchema.optional(),
    error: z
      .string()
      .optional()
      .meta({ description: "Why it is not delivered: why the last attempt failed, or why none was made." }),
    nextAttemptAt: timestampSchema.optional().meta({ description: "When it is tried again, when it is." }),
  })
  .meta({ id: "Delivery" });

/** One attempt to deliver an event. */
export const deliveryAttemptSchema = z
  .strictObject({
    at: timestampSchema.meta({ description: "When the answer arrived, or it was certain that none would." }),
    durationMs: z.number().min(0),
    url: z.url(),
    responseCode: z.int().optional().meta({ description: "HTTP status of the answer." }),
    failure: z.string().optional().meta({ description: "Class of the failure, such as `timeout`." }),
    error: z.string().optional().meta({ description: "Why the attempt did not deliver the event." }),
    manual: z.boolean().meta({ description: "Whether a person requested the attempt, by a test or a resend." }),
  })
  .meta({ id: "DeliveryAttempt" });

/** Schema of {@link DeliveryDetails}. */
export const deliveryDetailsSchema = deliverySchema
  .extend({
    envelope: eventEnvelopeSchema.meta({ description: "The body of its requests." }),
    attempts: z.array(deliveryAttemptSchema).meta({ description: "Oldest first, without one that is under way." }),
  })
  .meta({ id: "DeliveryDetails" });

/** Schema of {@link ListDeliveriesQuery}. */
export const listDeliveriesQuerySchema = pageQuerySchema.extend({
  status: deliverySchema.shape.status.optional(),
  event: eventNameSchema.optional(),
  runId: idSchema.optional().meta({ description: "Of events of this run." }),
  from: givenTimestampSchema.optional().meta({ description: "Of events at or after this time." }),
  to: givenTimestampSchema.optional().meta({ description: "Of events before this time." }),
});

/** Schema of a page of {@link Delivery}. */
export const deliveryPageSchema = pageOf(deliverySchema).meta({ id: "DeliveryPage" });

/** Body of a resend of all that was not delivered. */
export const resendDeliveriesRequestSchema = z
  .strictObject({
    since: givenTimestampSchema.meta({ description: "Deliveries of events at this time or later are sent again." }),
    statuses: distinct(z.enum(["failed", "skipped"]))
      .min(1)
      .default(["failed", "skipped"])
      .meta({ description: "Which deliveries are sent again." }),
    cursor: cursorSchema.optional(),
  })
  .meta({ id: "ResendDeliveriesRequest" });

/** Schema of {@link ResentDeliveries}. */
export const resentDeliveriesSchema = z
  .strictObject({
    resent: z.int().min(0).meta({ description: "How many deliveries are on their way again." }),
    nextCursor: z
      .string()
      .optional()
      .meta({ description: "There are more deliveries to look through: send it as `cursor`, with the same `since`." }),
  })
  .meta({ id: "ResentDeliveries" });

/** Body of a request that sends every undelivered delivery of a webhook again. */
export type ResendDeliveriesRequest = z.input<typeof resendDeliveriesRequestSchema>;
/** Answer to {@link ResendDeliveriesRequest}: the number of deliveries, and a cursor while there are more. */
export type ResentDeliveries = z.infer<typeof resentDeliveriesSchema>;
/** One event on its way to one webhook. */
export type Delivery = z.infer<typeof deliverySchema>;
/** Query of `GET webhooks/:id/deliveries`, as a caller writes it. */
export type ListDeliveriesQuery = z.input<typeof listDeliveriesQuerySchema>;
/** One attempt to deliver an event, with its time, its duration and its outcome. */
export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;
/** Answer of `GET webhooks/:id/deliveries/:deliveryId`: the delivery with the body of its requests and its attempts. */
export type DeliveryDetails = z.infer<typeof deliveryDetailsSchema>;
/** Status of a delivery: `pending`, `delivered`, `failed` or `skipped`. */
export type DeliveryStatus = Delivery["status"];
