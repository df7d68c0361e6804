import * as z from "zod";
import { idSchema } from "./identifiers.ts";

/** Schema of {@link ChangeKind}. */
export const changeKindSchema = z.enum([
  "run",
  "review",
  "delivery",
  "connection",
  "procedure",
  "webhook",
  "trigger",
  "key",
  "person",
  "resync",
]);

/** What to read again: the data of an event of `GET /api/v1/events`. It never contains the state itself. */
export const changeSchema = z.strictObject({
  kind: changeKindSchema.meta({ description: "`resync`: changes may have been missed; read everything again." }),
  id: idSchema.optional().meta({ description: "The run, review, delivery or trigger. Without it: any of the kind." }),
});

/** A kind of things that change; `resync` stands for all kinds. */
export type ChangeKind = z.infer<typeof changeKindSchema>;
/** What to read again after a change. */
export type Change = z.infer<typeof changeSchema>;
