import type { ReactElement } from "react";
import type { Webhook } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { ChangeDialog } from "../ui/change-dialog.tsx";
import { useChangeWebhook } from "./use-webhook-changes.ts";

/** Says what becomes of the events while a webhook is inactive. */
export function DeactivateWebhookDialog({
  webhook,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const change = useChangeWebhook(environment, webhook.id, onClose);
  return (
    <ChangeDialog
      title={`Deactivate ${webhook.name}?`}
      label={writeLabel("Deactivate", environment)}
      busyLabel="Deactivating …"
      variant="danger"
      change={change}
      onChange={() => change.mutate({ isActive: false })}
      onClose={onClose}
    >
      <p>
        Nothing is sent to <span className="wrap-anywhere">{webhook.url}</span> until it is activated again. Events of
        that time are kept as skipped deliveries, which can be resent later.
      </p>
    </ChangeDialog>
  );
}
