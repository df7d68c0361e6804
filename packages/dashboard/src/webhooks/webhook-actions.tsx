import { KeyRound, Pencil, Power, PowerOff, Send, Trash2 } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { Webhook } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { messageOf } from "../ui/problem.tsx";
import { DeactivateWebhookDialog } from "./deactivate-webhook-dialog.tsx";
import { DeleteWebhookDialog } from "./delete-webhook-dialog.tsx";
import { EditWebhookDialog } from "./edit-webhook-dialog.tsx";
import { RotateSecretDialog, type RotatedSecret } from "./rotate-secret-dialog.tsx";
import { TestEventDialog } from "./test-event-dialog.tsx";
import { useChangeWebhook } from "./use-webhook-changes.ts";

/** What a person may do with a webhook. */
export function WebhookActions({
  webhook,
  onRotated,
}: {
  readonly webhook: Webhook;
  readonly onRotated: (rotated: RotatedSecret) => void;
}): ReactElement {
  const environment = useEnvironment();
  const [open, setOpen] = useState<"edit" | "deactivate" | "rotate" | "delete" | "test">();
  const close = (): void => setOpen(undefined);
  const activate = useChangeWebhook(environment, webhook.id);
  return (
    <>
      <Button icon={Pencil} onClick={() => setOpen("edit")}>
        Edit
      </Button>
      {webhook.isActive ? (
        <Button icon={PowerOff} onClick={() => setOpen("deactivate")}>
          {writeLabel("Deactivate", environment)}
        </Button>
      ) : (
        <Button
          icon={Power}
          busyLabel={activate.isPending ? "Activating …" : undefined}
          onClick={() => activate.mutate({ isActive: true })}
        >
          {writeLabel("Activate", environment)}
        </Button>
      )}
      <Button icon={KeyRound} onClick={() => setOpen("rotate")}>
        {writeLabel("Rotate secret", environment)}
      </Button>
      <Button variant="danger" icon={Trash2} onClick={() => setOpen("delete")}>
        {writeLabel("Delete", environment)}
      </Button>
      <Button variant="primary" icon={Send} onClick={() => setOpen("test")}>
        {writeLabel("Send test event", environment)}
      </Button>
      <span role="status" className="basis-full text-right text-small text-failed empty:hidden">
        {activate.error !== null && `It was not activated. ${messageOf(activate.error)}`}
      </span>
      {open === "edit" && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {open === "deactivate" && <DeactivateWebhookDialog webhook={webhook} onClose={close} />}
      {open === "delete" && <DeleteWebhookDialog webhook={webhook} onClose={close} />}
      {open === "test" && <TestEventDialog webhook={webhook} onClose={close} />}
      {open === "rotate" && (
        <RotateSecretDialog
          webhook={webhook}
          onClose={close}
          onRotated={(rotated) => {
            close();
            onRotated(rotated);
          }}
        />
      )}
    </>
  );
}
