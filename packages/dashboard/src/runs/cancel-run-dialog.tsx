import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Run, RunTimelineStep } from "../api/models.ts";
import { oneKey } from "../api/query-keys.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { titleOf } from "./timeline.ts";
import { useNodeTitles } from "./use-node-titles.ts";

/** Says what is under way before a run is cancelled. */
export function CancelRunDialog({ run, onClose }: { readonly run: Run; readonly onClose: () => void }): ReactElement {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState("");
  const cancel = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/runs/{runId}/cancel", {
          params: { path: { runId: run.runId }, query: { environment } },
          body: reason === "" ? {} : { reason },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: oneKey("run", environment, run.runId) });
      onClose();
    },
  });
  const titles = useNodeTitles(environment, run);
  const titled = (step: RunTimelineStep): string => titleOf(step, titles);
  const calls = run.timeline?.filter(({ kind }) => kind === "tool_call") ?? [];
  const under = calls.filter(({ status }) => status === "running");
  const done = calls.filter(({ status }) => status === "completed");
  return (
    <Dialog
      title="Cancel this run?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button
            variant="danger"
            busyLabel={cancel.isPending ? "Cancelling …" : undefined}
            onClick={() => cancel.mutate()}
          >
            {writeLabel("Cancel run", environment)}
          </Button>
        </>
      }
    >
      {under.length > 0 && (
        <p>
          Under way: {under.map(titled).join(", ")}. A call that was sent is not taken back; its result is recorded if
          it arrives.
        </p>
      )}
      <p>
        {done.length === 0
          ? "No call of this run has completed."
          : `Calls that have completed and stay as they are: ${done.map(titled).join(", ")}.`}
      </p>
      <TextField
        label="Reason"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        hint="Kept in the record."
      />
      {cancel.error !== null && <Problem error={cancel.error} />}
    </Dialog>
  );
}
