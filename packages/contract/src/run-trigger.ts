import * as z from "zod";
import { idSchema } from "./identifiers.ts";
import { timestampSchema } from "./timestamp.ts";

/** Kinds of starts that a run's record names. */
export const runTriggerKinds = ["schedule", "integration", "webhook", "event", "manual"] as const;

/** Schema of {@link RunTrigger}. */
export const runTriggerSchema = z
  .strictObject({
    kind: z.enum(runTriggerKinds).meta({ description: "`manual`: a person started the run, or fired the trigger." }),
    triggerId: idSchema.optional().meta({ description: "The trigger. Omitted for a manual start without one." }),
    firingId: idSchema.optional().meta({ description: "The firing of the trigger." }),
    eventId: z.string().optional().meta({ description: "The sender's id of the event, if there was one." }),
    scheduledAt: timestampSchema.optional().meta({ description: "The nominal time of the schedule." }),
  })
  .meta({ id: "RunTrigger" });

/** What started a run: a trigger or a person of the workspace. */
export interface RunTrigger {
  /** Kind of the trigger; `manual` if a person started the run, or fired the trigger. */
  kind: (typeof runTriggerKinds)[number];
  /** Identifier of the trigger. Absent for a start by hand without one. */
  triggerId?: string | undefined;
  /** Identifier of the trigger's firing. */
  firingId?: string | undefined;
  /** The sender's identifier of the event, if there was one. */
  eventId?: string | undefined;
  /** The nominal time of the schedule, ISO 8601. */
  scheduledAt?: string | undefined;
}
