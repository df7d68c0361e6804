import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { useId, useMemo, useState, type ReactElement } from "react";
import { ApiError, hasCode } from "../api/api-error.ts";
import type { Review } from "../api/models.ts";
import { formField } from "../forms/form-field.ts";
import { emptyEntry, textOf, type FormEntry } from "../forms/form-value.ts";
import { SchemaField } from "../forms/schema-form.tsx";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { decide, type Decision } from "./decide.ts";
import { RejectDialog } from "./reject-dialog.tsx";
import { randomId } from "../api/random-id.ts";

interface DecisionPanelProps {
  readonly review: Review;
  /** Whether the review has changed since the person began to read it. */
  readonly isStale: boolean;
}

/** The decision about a review, at the end of what was read. */
export function DecisionPanel({ review, isStale }: DecisionPanelProps): ReactElement {
  const decision = useDecision(review);
  if (decision.isDone) {
    return (
      <p role="status" className="rounded-panel bg-completed-bg px-4 py-3 font-medium text-completed">
        Decision recorded
      </p>
    );
  }
  if (review.status !== "open") return <Alert tone="review">Already decided</Alert>;
  return <OpenDecision review={review} isStale={isStale} {...decision} />;
}

interface SendDecision {
  readonly isDone: boolean;
  readonly isSending: boolean;
  readonly error: unknown;
  readonly send: (decision: Decision) => void;
}

function useDecision(review: Review): SendDecision {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  // The same key for each attempt of one decision: an answer that was lost does not decide twice.
  const [keys] = useState(() => new Map<string, string>());
  const sending = useMutation({
    mutationFn: async (decision: Decision) => {
      const text = JSON.stringify([review.digest, decision]);
      const key = keys.get(text) ?? randomId();
      keys.set(text, key);
      await decide(environment, review, decision, key);
    },
    onSettled: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ["review", environment] }),
        queryClient.invalidateQueries({ queryKey: ["run", environment] }),
      ]);
    },
  });
  return {
    isDone: sending.isSuccess,
    isSending: sending.isPending,
    error: sending.error,
    send: (decision) => sending.mutate(decision),
  };
}

type Asking = "approve" | "reject" | undefined;

function OpenDecision({ review, isStale, isSending, error, send }: DecisionPanelProps & SendDecision): ReactElement {
  const environment = useEnvironment();
  const reasonId = useId();
  const [asking, setAsking] = useState<Asking>();
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const isUnknown = review.kind === "outcome_unknown";
  const field = useMemo(() => outputsField(review), [review]);
  const [entry, setEntry] = useState<FormEntry | undefined>(() => field && emptyEntry(field));
  const { mayDecide } = review;
  const reason = isStale
    ? "Look at the present state of the review first."
    : mayDecide.allowed
      ? undefined
      : mayDecide.reason;

  const outputs = (): string | undefined => {
    if (field === undefined || entry === undefined) return undefined;
    const result = textOf(field, entry);
    setProblems(new Map(result.isValid ? [] : result.problems.map(({ path, message }) => [path, message])));
    return result.isValid ? result.text : "invalid";
  };
  const approve = (withOutputs: boolean): void => {
    const text = withOutputs ? outputs() : undefined;
    if (text !== "invalid") send(text === undefined ? { approved: true } : { approved: true, outputs: text });
  };
  const askToApprove = (): void => {
    if (outputs() === "invalid") return;
    if (environment === "live") setAsking("approve");
    else approve(true);
  };
  useDecisionShortcuts(reason === undefined && !isSending && !isUnknown, askToApprove, () => setAsking("reject"));

  const shared = { disabled: reason !== undefined, "aria-describedby": reason === undefined ? undefined : reasonId };
  const busy = isSending ? "Sending …" : undefined;
  return (
    <div
      role="group"
      aria-label="Decision"
      className="sticky bottom-0 -mx-5 -mb-5 flex flex-col gap-3 rounded-b-panel border-t border-hairline bg-surface px-5 py-4 max-sm:bottom-14"
      data-print="hide"
    >
      <DecisionProblem error={error} />
      {field !== undefined && entry !== undefined && (
        <SchemaField field={field} entry={entry} onChange={setEntry} problems={problems} />
      )}
      {reason !== undefined && (
        <p id={reasonId} className="text-text-2">
          {reason}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {isUnknown ? (
          <>
            <Button {...shared} icon={Check} busyLabel={busy} onClick={() => approve(true)}>
              {writeLabel("It happened", environment)}
            </Button>
            <Button {...shared} busyLabel={busy} onClick={() => approve(false)}>
              {writeLabel("Send again", environment)}
            </Button>
            <Button {...shared} icon={X} variant="danger" busyLabel={busy} onClick={() => setAsking("reject")}>
              {writeLabel("It did not happen", environment)}
            </Button>
          </>
        ) : (
          <>
            <Button
              {...shared}
              icon={Check}
              variant="primary"
              aria-keyshortcuts="a"
              busyLabel={busy}
              onClick={askToApprove}
            >
              {writeLabel("Approve", environment)}
            </Button>
            <Button
              {...shared}
              icon={X}
              variant="danger"
              aria-keyshortcuts="r"
              busyLabel={busy}
              onClick={() => setAsking("reject")}
            >
              {writeLabel("Reject", environment)}
            </Button>
          </>
        )}
      </div>
      {asking === "approve" && (
        <Dialog
          title="Approve in live?"
          onClose={() => setAsking(undefined)}
          actions={
            <>
              <Button onClick={() => setAsking(undefined)}>Back</Button>
              <Button
                variant="primary"
                onClick={() => {
                  setAsking(undefined);
                  approve(true);
                }}
              >
                Approve Live
              </Button>
            </>
          }
        >
          <p className="text-section font-semibold wrap-anywhere">{review.title}</p>
          {review.call !== undefined && (
            <p className="text-text-2">
              Sends {review.call.action} to {review.call.origin ?? review.call.connection}.
            </p>
          )}
        </Dialog>
      )}
      {asking === "reject" && (
        <RejectDialog
          isUnknown={isUnknown}
          onClose={() => setAsking(undefined)}
          onReject={(rejectionReason) => {
            setAsking(undefined);
            send({ approved: false, rejectionReason });
          }}
        />
      )}
    </div>
  );
}

function DecisionProblem({ error }: { readonly error: unknown }): ReactElement | null {
  if (error === null || error === undefined) return null;
  if (hasCode(error, "review_digest_mismatch", "another_review_open")) {
    return <Alert tone="review">This changed while you were reading.</Alert>;
  }
  if (hasCode(error, "already_decided", "already_ended")) return <Alert tone="review">Already decided</Alert>;
  return (
    <>
      <Problem error={error} />
      {error instanceof ApiError && error.details.length > 0 && (
        <ul className="list-disc pl-5">
          {error.details.map(({ path, message }) => (
            <li key={path}>
              <code className="font-mono text-code">{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The form of the outputs that an approval may carry; `undefined` when it carries none. */
function outputsField({ outputsSchema, kind }: Review) {
  if (outputsSchema === false) return undefined;
  if (outputsSchema === true && kind !== "outcome_unknown") return undefined;
  const schema = outputsSchema === true ? {} : outputsSchema;
  return formField(schema, kind === "outcome_unknown" ? "Result of the call" : "Outputs", kind === "outcome_unknown");
}

function useDecisionShortcuts(isPossible: boolean, approve: () => void, reject: () => void): void {
  const shortcuts = useMemo(
    (): readonly Shortcut[] =>
      isPossible
        ? [
            { keys: "a", does: "Approve", run: approve },
            { keys: "r", does: "Reject", run: reject },
          ]
        : [],
    [isPossible, approve, reject],
  );
  useShortcuts(shortcuts);
}
