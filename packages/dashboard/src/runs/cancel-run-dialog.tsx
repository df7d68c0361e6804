import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import type { Run, RunTimelineStep } from "../api/models.ts";
import { oneKey } from "../api/query-keys.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { titleOf } from "./timeline.ts";
import { useNodeTitles } from "./use-node-titles.ts";

/** Says what was done and what is under way before a run is cancelled. */
export function CancelRunDialog({ run, onClose }: { readonly run: Run; readonly onClose: () => void }): ReactElement {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState("");
  const cancel = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/runs/{runId}/cancel", {
          params: { path: { runId: run.runId }, query: { environment } },
          body: reason.trim() === "" ? {} : { reason },
        }),
      ),
    onSuccess: onClose,
    // Also after a refusal the page may be out of date.
    onSettled: () => queryClient.invalidateQueries({ queryKey: oneKey("run", environment, run.runId) }),
  });
  const hasEnded = hasCode(cancel.error, "already_ended");
  return (
    <Dialog
      title="Cancel this run?"
      onClose={onClose}
      actions={
        hasEnded ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <>
            <Button onClick={onClose}>Keep the run</Button>
            <Button
              variant="danger"
              busyLabel={cancel.isPending ? "Cancelling …" : undefined}
              onClick={() => cancel.mutate()}
            >
              {writeLabel("Cancel run", environment)}
            </Button>
          </>
        )
      }
    >
      <p>The run ends as failed, and no further step starts. What was done is not undone.</p>
      <CallsOf run={run} />
      <TextField
        label="Reason"
        value={reason}
        maxLength={1_000}
        onChange={(event) => setReason(event.target.value)}
        hint="Optional. It is kept in the record of the run."
      />
      {hasEnded && <Alert>The run ended before it could be cancelled.</Alert>}
      {cancel.error !== null && !hasEnded && <Problem error={cancel.error} />}
    </Dialog>
  );
}

const mostCalls = 8;

/** The calls that are under way, and those that have completed. */
function CallsOf({ run }: { readonly run: Run }): ReactElement {
  const environment = useEnvironment();
  const titles = useNodeTitles(environment, run);
  const calls = run.timeline?.filter(({ kind }) => kind === "tool_call") ?? [];
  const list = (steps: readonly RunTimelineStep[]): ReactElement => (
    <ul className="list-disc pl-5">
      {steps.slice(0, mostCalls).map((step) => (
        <li key={`${step.nodeId}.${step.visit}`} className="wrap-anywhere">
          {titleOf(step, titles)}
        </li>
      ))}
      {steps.length > mostCalls && <li>and {steps.length - mostCalls} more</li>}
    </ul>
  );
  const underWay = calls.filter(({ status, retryAt }) => status === "running" && retryAt === undefined);
  const done = calls.filter(({ status }) => status === "completed");
  return (
    <>
      {underWay.length > 0 && (
        <div>
          <p className="font-medium">Under way. A call that was sent is not taken back:</p>
          {list(underWay)}
        </div>
      )}
      {done.length > 0 ? (
        <div>
          <p className="font-medium">Completed, and stays as it is:</p>
          {list(done)}
        </div>
      ) : (
        <p>No call of this run has completed.</p>
      )}
    </>
  );
}
