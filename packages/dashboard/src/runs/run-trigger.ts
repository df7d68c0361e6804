import type { Run } from "../api/models.ts";
import { formatMoment, type TimeZone } from "../values/time.ts";

export type RunTrigger = NonNullable<Run["trigger"]>;

const words = {
  schedule: "Schedule",
  integration: "Event",
  webhook: "Webhook",
  event: "Custom event",
  manual: "By hand",
} as const satisfies Record<RunTrigger["kind"], string>;

/** The kind of start, in a word for a list. */
export function triggerWord({ kind }: RunTrigger): string {
  return words[kind];
}

/**
 * What started a run, in one line: the kind, the trigger, and the time that was due.
 *
 * @param name - the trigger's name, or its id where the name is not known. Both come from outside and are shown as text
 */
export function triggerLine(trigger: RunTrigger, name: string | undefined, zone: TimeZone): string {
  const of = name === undefined ? "" : trigger.kind === "manual" ? `, from “${name}”` : ` “${name}”`;
  const due = trigger.scheduledAt === undefined ? "" : `, due ${formatMoment(trigger.scheduledAt, zone)}`;
  return `${triggerWord(trigger)}${of}${due}`;
}
