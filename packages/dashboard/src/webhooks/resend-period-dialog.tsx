import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Webhook } from "../api/models.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { CheckboxField, SelectField, TextField } from "../ui/field.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { useTimeZone } from "../values/preferences.ts";
import { dayMs, startOfDay } from "../values/time.ts";

const periods = [
  { value: "1", label: "The last 24 hours" },
  { value: "7", label: "The last 7 days" },
  { value: "30", label: "The last 30 days" },
  { value: "day", label: "Since a day" },
] as const;

type Status = "failed" | "skipped";

/** Resends the deliveries of a period that did not arrive. */
export function ResendPeriodDialog({
  webhook: { id: webhookId, name },
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const zone = useTimeZone();
  const queryClient = useQueryClient();
  const [period, setPeriod] = useState<string>("7");
  const [day, setDay] = useState("");
  const [statuses, setStatuses] = useState<readonly Status[]>(["failed", "skipped"]);
  const [resent, setResent] = useState(0);
  const resend = useMutation({
    mutationFn: async () => {
      const since =
        period === "day" ? startOfDay(day, zone) : new Date(Date.now() - Number(period) * dayMs).toISOString();
      setResent(0);
      let cursor: string | undefined;
      // An answer examines a bounded number of deliveries.
      do {
        const answer = await answerOf(
          api.POST("/api/v1/webhooks/{webhookId}/deliveries/resend", {
            params: { path: { webhookId }, query: { environment } },
            body: { since, statuses: [...statuses], ...(cursor !== undefined && { cursor }) },
          }),
        );
        setResent((before) => before + answer.resent);
        cursor = answer.nextCursor;
      } while (cursor !== undefined);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["delivery", environment] }),
  });
  const submit = (): void => {
    if (statuses.length > 0) resend.mutate();
  };
  const choice = (status: Status, label: string, hint: string): ReactElement => (
    <CheckboxField
      label={label}
      hint={hint}
      checked={statuses.includes(status)}
      onChange={({ target }) => {
        const others = statuses.filter((one) => one !== status);
        setStatuses(target.checked ? [...others, status] : others);
      }}
    />
  );
  return (
    <FormDialog
      title={`Resend to ${name}`}
      label={writeLabel("Resend", environment)}
      busyLabel={resend.isPending ? "Resending …" : undefined}
      isDirty={day !== "" && !resend.isSuccess}
      error={resend.error}
      closeLabel={resend.isSuccess ? "Close" : "Back"}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        Deliveries of events in this time that did not arrive are sent again, oldest first, each under the same id. A
        receiver that knows an id ignores the repetition.
      </p>
      <SelectField
        label="Events of"
        value={period}
        options={periods}
        onChange={({ target }) => setPeriod(target.value)}
      />
      {period === "day" && (
        <TextField
          label="Day"
          type="date"
          required
          value={day}
          onChange={({ target }) => setDay(target.value)}
          hint={`It begins at midnight in ${zone}.`}
        />
      )}
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">Deliveries</legend>
        {choice("failed", "Failed", "Every attempt failed.")}
        {choice("skipped", "Skipped", "The webhook was inactive.")}
      </fieldset>
      {statuses.length === 0 && <Alert>Choose failed or skipped deliveries.</Alert>}
      <p role="status" className="empty:hidden">
        {resend.isPending && resent > 0 && `${countOf(resent)} so far.`}
        {resend.isSuccess && (resent === 0 ? "No such delivery was found." : `${countOf(resent)}.`)}
      </p>
      {resend.error !== null && <Problem error={resend.error} />}
    </FormDialog>
  );
}

function countOf(resent: number): string {
  return resent === 1
    ? "1 delivery is on its way again"
    : `${resent.toLocaleString("en")} deliveries are on their way again`;
}
