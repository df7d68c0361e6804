import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Trigger } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { ChangeDialog } from "../ui/change-dialog.tsx";
import { useToast } from "../ui/toasts.tsx";

/** Deletes a trigger, after saying what ends with it. */
export function DeleteTriggerDialog({
  trigger: { id: triggerId, name, source, health },
  onClose,
}: {
  readonly trigger: Trigger;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const showToast = useToast();
  const remove = useMutation({
    mutationFn: () =>
      answerOf(
        api.DELETE("/api/v1/triggers/{triggerId}", {
          params: { path: { triggerId }, query: { environment } },
          body: {},
        }),
      ),
    onSuccess: async () => {
      // The page of the trigger is left before anything of it is read again.
      await navigate({ to: "/$environment/triggers", params: { environment } });
      showToast(`${name} was deleted.`);
      await queryClient.invalidateQueries({ queryKey: listKey("trigger", environment) });
    },
  });
  return (
    <ChangeDialog
      title={`Delete ${name}?`}
      label={writeLabel("Delete", environment)}
      busyLabel="Deleting …"
      variant="danger"
      change={remove}
      onChange={() => remove.mutate()}
      onClose={onClose}
    >
      <p>It starts no runs any more. Runs that have begun go on, and name it in their records.</p>
      {health.waiting > 0 && (
        <p className="font-medium text-review">
          {health.waiting === 1 ? "One firing waits" : `${health.waiting.toLocaleString("en-GB")} firings wait`} and
          would start no run.
        </p>
      )}
      {source.kind === "webhook" && (
        <p>Its address and secret stop working immediately. A new trigger gets new ones.</p>
      )}
    </ChangeDialog>
  );
}
