import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { readJsonText } from "@procedo/procedure";
import { hasCode } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import { fieldProblems } from "../api/field-problems.ts";
import type { Trigger } from "../api/models.ts";
import { randomId } from "../api/random-id.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { useSession } from "../shell/session.ts";
import { TextArea } from "../ui/field.tsx";
import { useToast } from "../ui/toasts.tsx";
import { jsonText, sampleEvent } from "./sample-event.ts";
import { useEventTypes } from "./use-event-types.ts";

/** Fires a trigger by hand. Its run starts for the person who asks for it. */
export function FireDialog({
  trigger,
  onClose,
}: {
  readonly trigger: Trigger;
  readonly onClose: () => void;
}): ReactElement {
  const { id: triggerId, name, source, state } = trigger;
  const environment = useEnvironment();
  const { person } = useSession();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const isSchedule = source.kind === "schedule";
  const typesOf = useEventTypes(source.kind === "integration");
  const [typed, setTyped] = useState<string>();
  const event = typed ?? jsonText(sampleEvent(source, typesOf));
  const [fault, setFault] = useState<string>();
  // A request whose answer was lost is repeated with the same key, and fires once.
  const [idempotencyKey] = useState(() => randomId());
  const fire = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/triggers/{triggerId}/fire", {
          params: { path: { triggerId }, query: { environment }, header: { "Idempotency-Key": idempotencyKey } },
          body: {},
          bodySerializer: () => (isSchedule ? "{}" : `{"event":${event}}`),
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["trigger", environment] });
      showToast(`${name} was fired. Its firing tells how it goes.`);
      onClose();
    },
  });
  const problems = fieldProblems(fire.error, ["/event"]);
  const submit = (): void => {
    const [problem] = isSchedule ? [] : readJsonText(event).problems;
    setFault(problem === undefined ? undefined : `Line ${problem.line ?? 1}: ${problem.message}`);
    if (problem === undefined) fire.mutate();
  };
  return (
    <FormDialog
      title={`Fire ${name} now?`}
      isWide={!isSchedule}
      label={writeLabel("Fire now", environment)}
      busyLabel={fire.isPending ? "Firing …" : undefined}
      isDirty={typed !== undefined}
      error={problems.rest}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        It starts a run for you, {person.name}, {state === "paused" ? "although the trigger is paused, and " : ""}also
        beside an open run. {isSchedule ? "The present moment is the time of the schedule." : ""}
      </p>
      {!isSchedule && (
        <TextArea
          label="Event"
          hint="As JSON. The condition and the input of the trigger read it."
          isCode
          rows={10}
          value={event}
          onChange={({ target }) => setTyped(target.value)}
          problem={fault ?? problems.of("/event")}
        />
      )}
      {hasCode(fire.error, "offline", "unexpected") && (
        <p className="text-text-2">
          It may have been fired. Press the button again once the service can be reached: it fires once at most.
        </p>
      )}
    </FormDialog>
  );
}
