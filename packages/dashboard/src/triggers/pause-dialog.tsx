import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { fieldProblems } from "../api/field-problems.ts";
import type { Trigger } from "../api/models.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { SelectField, TextField } from "../ui/field.tsx";

/** Pauses a trigger, with a reason that others read. */
export function PauseDialog({
  trigger: { id: triggerId, name, source },
  onClose,
}: {
  readonly trigger: Trigger;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState("");
  const [events, setEvents] = useState<"skip" | "hold">("skip");
  const isSchedule = source.kind === "schedule";
  const pause = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/triggers/{triggerId}/pause", {
          params: { path: { triggerId }, query: { environment } },
          body: { events, ...(reason.trim() !== "" && { reason: reason.trim() }) },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["trigger", environment] });
      onClose();
    },
  });
  const problems = fieldProblems(pause.error, ["/reason"]);
  return (
    <FormDialog
      title={`Pause ${name}?`}
      label={writeLabel("Pause", environment)}
      busyLabel={pause.isPending ? "Pausing …" : undefined}
      isDirty={reason !== ""}
      error={problems.rest}
      onSubmit={() => pause.mutate()}
      onClose={onClose}
    >
      <p>
        {isSchedule
          ? "Times that pass meanwhile start no runs, neither now nor when the trigger is resumed. Open runs go on."
          : "Events start no runs until the trigger is resumed. Open runs go on."}
      </p>
      <TextField
        label="Reason"
        note="Optional"
        hint="Shown with the trigger."
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        problem={problems.of("/reason")}
      />
      {!isSchedule && (
        <SelectField
          label="Events that arrive meanwhile"
          value={events}
          options={[
            { value: "skip", label: "Start no run, and are recorded as skipped" },
            { value: "hold", label: "Wait, and start their runs when the trigger is resumed" },
          ]}
          onChange={({ target }) => setEvents(target.value === "hold" ? "hold" : "skip")}
        />
      )}
    </FormDialog>
  );
}
