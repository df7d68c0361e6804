import type { RunSummary } from "../api/models.ts";
import type { ShownStatus } from "../ui/status-word.ts";

/** The status of a run as people see it: a run that waits because the outcome of its call is unknown says so. */
export function shownStatus({ status, waitingFor }: Pick<RunSummary, "status" | "waitingFor">): ShownStatus {
  return status === "awaiting_review" && waitingFor?.reviewKind === "outcome_unknown" ? "outcome_unknown" : status;
}
