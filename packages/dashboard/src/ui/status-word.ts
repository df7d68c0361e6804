/** A state that runs, steps and reviews show, always as an icon and a word. */
export type ShownStatus = "running" | "awaiting_review" | "completed" | "failed" | "outcome_unknown";

const words: Readonly<Record<ShownStatus, string>> = {
  running: "Running",
  awaiting_review: "Waiting for review",
  completed: "Completed",
  failed: "Failed",
  outcome_unknown: "Outcome unknown",
};

export function statusWord(status: ShownStatus): string {
  return words[status];
}
