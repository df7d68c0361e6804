import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { ChangeDialog } from "../ui/change-dialog.tsx";
import { Alert } from "../ui/problem.tsx";
import { useToast } from "../ui/toasts.tsx";
import { Age } from "../values/moment.tsx";
import type { ApiKey } from "./use-api-keys.ts";

/** Says what stops working before a key is deleted. */
export function DeleteApiKeyDialog({
  apiKey: { id, name, lastUsedAt, lastUsedFrom },
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const remove = useMutation({
    mutationFn: () =>
      answerOf(api.DELETE("/api/v1/api-keys/{id}", { params: { path: { id }, query: { environment } } })),
    onSuccess: () => {
      showToast(`${name} was deleted.`);
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["key"] }),
  });
  return (
    <ChangeDialog
      title="Delete API key?"
      label={writeLabel("Delete", environment)}
      busyLabel="Deleting …"
      variant="danger"
      change={remove}
      onChange={() => remove.mutate()}
      onClose={onClose}
    >
      {lastUsedAt === undefined ? (
        <p>
          No program has used <strong className="wrap-anywhere">{name}</strong> so far.
        </p>
      ) : (
        <Alert tone="review">
          {name} was used <Age since={lastUsedAt} />
          {lastUsedFrom !== undefined && ` from ${lastUsedFrom}`}. The program that uses it stops working.
        </Alert>
      )}
      <p>
        Requests with the key are refused from now on, also those that wait for a run. The runs go on. This cannot be
        undone.
      </p>
    </ChangeDialog>
  );
}
