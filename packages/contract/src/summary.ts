import * as z from "zod";
import { procedureIdSchema } from "./identifiers.ts";
import { timestampSchema } from "./timestamp.ts";

const count = z.int().min(0);

/** Schema of {@link Summary}. */
export const summarySchema = z
  .strictObject({
    at: timestampSchema.meta({ description: "When runs and reviews were counted; numbers are up to 5 s old." }),
    attention: z.strictObject({
      outcomeUnknown: count.meta({ description: "Open reviews because of a call with an unknown outcome." }),
      reviewsForMe: count.meta({
        description: "Reviews that the caller may decide now, among the 1,000 open reviews that were requested first.",
      }),
      reviewsOpen: count.meta({ description: "Open reviews; as many runs wait for a review." }),
      reviewsExpiringIn24h: count.meta({ description: "Open reviews that expire within 24 hours." }),
      failedLast24h: count.meta({
        description:
          "Runs that were started on one of the days and failed within the last 24 hours. Cancelled runs are not counted.",
      }),
      connectionsFailing: count.meta({
        description:
          "Connections whose health is `failing`, `unconfirmed` or `needs_authorization`, among the first 1,000 by id.",
      }),
      webhooksFailing: count.meta({
        description:
          "Active webhooks with `failingSince`, and those that the service deactivated because of their receivers, among the " +
          "first 1,000 by id.",
      }),
    }),
    runs: z.strictObject({ running: count, awaitingReview: count }),
    days: z
      .array(z.strictObject({ day: z.iso.date(), completed: count, failed: count }))
      .length(7)
      .meta({
        description:
          "The last seven days in UTC, today last. A run counts for the day of its start. Cancelled runs are not counted.",
      }),
    procedures: z
      .array(
        z.strictObject({
          procedureId: procedureIdSchema,
          name: z.string(),
          completed: count,
          failed: count,
          openReviews: count,
        }),
      )
      .max(20)
      .meta({
        description:
          "Procedures with a run of these days or an open review: those with the highest sum of completed runs, failed runs " +
          "and open reviews, highest first.",
      }),
  })
  .meta({ id: "Summary" });

/** Answer of `GET summary`: an environment in numbers. */
export type Summary = z.infer<typeof summarySchema>;
