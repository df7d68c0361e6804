/** A part of a step's record, under a heading of its own. */
export type StepPart = "input" | "output" | "attempts" | "agent" | "review";

/** The id of the part's heading on the page. */
export function partIdOf(part: StepPart): string {
  return `step-part-${part}`;
}
