import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { fieldProblems } from "../api/field-problems.ts";
import type { Trigger } from "../api/models.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { useTimeZone } from "../values/preferences.ts";
import { momentOf } from "../values/time.ts";

/** Fires the times or the events of a past period. */
export function BackfillDialog({
  trigger: { id: triggerId, name, source, overlap, paused },
  onClose,
}: {
  readonly trigger: Trigger;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const own = useTimeZone();
  const zone = source.kind === "schedule" ? source.timeZone : own;
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const isSchedule = source.kind === "schedule";
  const backfill = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/triggers/{triggerId}/backfill", {
          params: { path: { triggerId }, query: { environment } },
          body: { from: momentOf(from, zone), to: momentOf(to, zone) },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["trigger", environment] }),
  });
  const mustResume = paused?.events === "skip";
  const problems = fieldProblems(backfill.error, ["/from", "/to"]);
  const { data } = backfill;
  if (data !== undefined) {
    return (
      <Dialog title={`Backfill of ${name}`} onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
        <p role="status">{resultWords(data.added, data.known, isSchedule)}</p>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={`Backfill ${name}`}
      label={writeLabel("Backfill", environment)}
      busyLabel={backfill.isPending ? "Adding …" : undefined}
      isReady={!mustResume}
      isDirty={from !== "" || to !== ""}
      error={problems.rest}
      onSubmit={() => backfill.mutate()}
      onClose={onClose}
    >
      <p>
        {isSchedule
          ? "Starts a run for each time of the schedule in this period, at most 100. A time that has a firing of its own is left out."
          : "Asks the service for the events of this period, and starts a run for each that has not arrived yet, at most 100."}
      </p>
      <p>It counts as a change of the trigger: its runs start for you from then on.</p>
      {mustResume && (
        <p className="font-medium text-review">The trigger is paused. Resume it first: it would skip them.</p>
      )}
      {(overlap === "skip" || overlap === "queue_one") && (
        <p className="text-text-2">
          Several at once need the choice “Let all wait, in order” or “Start it at once” beside an open run. Edit the
          trigger first if the period holds more than one.
        </p>
      )}
      <TextField
        label="From"
        type="datetime-local"
        required
        hint={`Time in ${zone}.`}
        value={from}
        onChange={({ target }) => setFrom(target.value)}
        problem={problems.of("/from")}
      />
      <TextField
        label="Until"
        type="datetime-local"
        required
        hint={`Time in ${zone}. This moment itself is left out.`}
        value={to}
        onChange={({ target }) => setTo(target.value)}
        problem={problems.of("/to")}
      />
    </FormDialog>
  );
}

function resultWords(added: number, known: number, isSchedule: boolean): string {
  const [one, many] = isSchedule ? ["time", "times"] : ["event", "events"];
  const count = (number: number): string => `${number.toLocaleString("en-GB")} ${number === 1 ? one : many}`;
  if (added === 0 && known === 0) return `There is no ${one} in this period.`;
  const start =
    added === 0 ? "Nothing was added." : `${count(added)} ${added === 1 ? "starts its run" : "start their runs"}.`;
  return known === 0 ? start : `${start} ${count(known)} ${known === 1 ? "was" : "were"} accounted for before.`;
}
