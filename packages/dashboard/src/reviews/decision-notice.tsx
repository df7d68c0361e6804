import { CircleCheck } from "lucide-react";
import type { ReactElement } from "react";
import type { Review } from "../api/models.ts";
import type { Decision } from "./decide.ts";

/** A decision of the reader that was recorded. */
export interface MadeDecision {
  readonly decided: Review;
  readonly decision: Decision;
  /** The review beside which it is told: the next one, else the one that was decided. */
  readonly shownAt: string;
}

/** Tells that a decision was recorded, and which review is open now. Screen readers announce it when it changes. */
export function DecisionNotice({ made }: { readonly made: MadeDecision | undefined }): ReactElement {
  return (
    <div
      role="status"
      aria-label={made === undefined ? undefined : "Decision recorded"}
      data-print="hide"
      className="empty:-mb-4"
    >
      {made !== undefined && <Recorded {...made} />}
    </div>
  );
}

function Recorded({ decided, decision, shownAt }: MadeDecision): ReactElement {
  const hasNext = shownAt !== decided.reviewId;
  return (
    <div className="flex items-start gap-2 rounded-panel bg-completed-bg px-3 py-2 text-completed">
      <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-semibold">Decision recorded</p>
        <p className="wrap-anywhere text-text">
          {wordOf(decided, decision)}: {decided.title}
        </p>
        <p className="text-text-2">{hasNext ? "The next review is open." : "No other review waits for you."}</p>
      </div>
    </div>
  );
}

function wordOf({ kind }: Review, decision: Decision): string {
  if (kind !== "outcome_unknown") return decision.approved ? "Approved" : "Rejected";
  if (!decision.approved) return "It did not happen";
  return decision.outputs === undefined ? "Send again" : "It happened";
}
