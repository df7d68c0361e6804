import * as z from "zod";
import { timestampSchema } from "./timestamp.ts";

/** The inbound address of a connection or a webhook trigger, with its requests. */
export const inboundSchema = z.strictObject({
  url: z.url().meta({ description: "The address to which the other service sends its requests." }),
  lastReceivedAt: timestampSchema
    .optional()
    .meta({ description: "Time of the last verified request, to the minute; omitted if there was none." }),
  refusedLast24h: z.int().min(0).meta({
    description: "Refused requests of the last 24 hours, as the answering process counted them since its start.",
  }),
});
