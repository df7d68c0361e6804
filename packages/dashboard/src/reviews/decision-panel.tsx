import { useEffect, useId, useRef, type ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import type { Review } from "../api/models.ts";
import { whyNot } from "../shell/why-not.ts";
import { SchemaField } from "../forms/schema-form.tsx";
import { cx } from "../ui/cx.ts";
import { useNow } from "../values/now.ts";
import { useTimeZone } from "../values/preferences.ts";
import { ApproveOrReject } from "./approve-or-reject.tsx";
import { ClosedReview } from "./closed-review.tsx";
import type { Decision } from "./decide.ts";
import type { DecisionControls } from "./decision-controls.ts";
import { DecisionProblem } from "./decision-problem.tsx";
import { NextQuestion } from "./next-question.tsx";
import { OutcomeAnswers } from "./outcome-answers.tsx";
import { useDecision } from "./use-decision.ts";
import { useOutputs, type OutputsForm } from "./use-outputs.ts";
import { useSettled } from "./use-settled.ts";

interface DecisionPanelProps {
  readonly review: Review;
  /** Whether the review has changed since the person began to read it. */
  readonly isStale: boolean;
  readonly isAfterDecision: boolean;
  readonly isJustDecided: boolean;
  readonly readAgain: () => void;
  readonly onDecided: (review: Review, decision: Decision) => void;
}

/** The decision about a review, at the end of what was read. Its buttons stay at the lower edge of the window. */
export function DecisionPanel(props: DecisionPanelProps): ReactElement | null {
  const { review, isStale, isAfterDecision, isJustDecided, readAgain, onDecided } = props;
  const { isSending, error, send } = useDecision(review, onDecided);
  const outputs = useOutputs(review, error);
  const isSettled = useSettled(isAfterDecision);
  const [nowMs, zone] = [useNow(), useTimeZone()];
  const reasonId = useId();
  if (hasCode(error, "another_review_open")) return <NextQuestion read={review} />;
  if (review.status !== "open") return isJustDecided ? null : <ClosedReview review={review} />;
  const reason = isStale ? "Read the present version first." : whyNot(review, nowMs, zone);
  const isUnknown = review.kind === "outcome_unknown";
  const isOff = reason !== undefined || !isSettled;
  const controls: DecisionControls = {
    ...{ review, outputs, isSending, send },
    shared: { disabled: isOff, "aria-describedby": reason === undefined ? undefined : reasonId },
  };
  return (
    // Without a box of its own, so that the buttons stay in view along the whole review.
    <div role="group" aria-label="Decision" className="contents" data-print="hide">
      {outputs !== undefined && !isStale && review.mayDecide.allowed && <Outputs review={review} outputs={outputs} />}
      <div
        className={cx(
          "z-5 -mx-5 -mb-5 flex flex-col gap-2 rounded-b-panel border-t border-hairline bg-surface px-5 py-3 max-lg:-mx-4 max-lg:mb-0 max-lg:rounded-none max-lg:px-4",
          // The three answers need the height of a small screen for themselves.
          isUnknown ? "sticky bottom-0 max-lg:static" : "sticky bottom-0 max-sm:bottom-14",
        )}
      >
        {!isStale && <DecisionProblem error={error} readAgain={readAgain} />}
        {reason !== undefined && (
          <p id={reasonId} className="text-text-2">
            {reason}
          </p>
        )}
        {isUnknown ? <OutcomeAnswers {...controls} /> : <ApproveOrReject {...controls} />}
      </div>
    </div>
  );
}

function Outputs({ review, outputs }: { readonly review: Review; readonly outputs: OutputsForm }): ReactElement {
  const { field, entry, setEntry, problems } = outputs;
  const form = useRef<HTMLDivElement>(null);
  const isRefused = problems.size > 0;
  useEffect(() => {
    if (isRefused) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [isRefused]);
  return (
    <div
      ref={form}
      className="flex flex-col gap-3 rounded-panel border border-hairline bg-canvas p-4"
      data-print="hide"
    >
      <p className="text-text-2">{outputsHint(review)}</p>
      <SchemaField field={field} entry={entry} onChange={setEntry} problems={problems} />
    </div>
  );
}

function outputsHint({ kind, decisions }: Review): string {
  switch (kind) {
    case "outcome_unknown":
      return "If it happened, enter the result as the other service shows it. Later steps of the run use it.";
    case "question":
      return "Leave this empty to accept the proposed answer.";
    default:
      return decisions.some(({ outputs }) => outputs !== undefined)
        ? "An earlier approval filled this in. Enter values only to replace them."
        : "Your approval carries these values. Later steps of the run use them.";
  }
}
