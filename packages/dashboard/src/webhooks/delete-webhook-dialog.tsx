import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Webhook } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { ChangeDialog } from "../ui/change-dialog.tsx";
import { useToast } from "../ui/toasts.tsx";

/** Says what ends with a webhook before it is deleted. */
export function DeleteWebhookDialog({
  webhook: { id: webhookId, name, url, isActive },
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const remove = useMutation({
    mutationFn: () =>
      answerOf(api.DELETE("/api/v1/webhooks/{webhookId}", { params: { path: { webhookId }, query: { environment } } })),
    onSuccess: async () => {
      showToast(`${name} was deleted.`);
      // The secret that the page may show is void.
      await navigate({ to: "/$environment/webhooks", params: { environment }, ignoreBlocker: true });
      await queryClient.invalidateQueries({ queryKey: listKey("webhook", environment) });
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
      <p>
        Nothing is sent to <span className="wrap-anywhere">{url}</span> any more, and events that wait for another
        attempt are lost to it. The page with its past deliveries is gone, and its secret is void. This cannot be
        undone.
      </p>
      {isActive && <p>To stop it for a while and keep its events, deactivate it instead.</p>}
    </ChangeDialog>
  );
}
