import { useMutation } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Webhook } from "../api/models.ts";
import type { components } from "../api/schema.d.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { ChangeDialog } from "../ui/change-dialog.tsx";
import { RadioGroup } from "../ui/radio-group.tsx";

export type RotatedSecret = components["schemas"]["RotatedWebhookSecret"];

const choices = [
  {
    value: "signs",
    label: "The old secret signs for 24 more hours",
    hint:
      "Each request carries two signatures: X-Service-Signature by the new secret, X-Service-Signature-Old by the old one. " +
      "Give the receiver the new secret within this time, and no event is refused.",
  },
  {
    value: "void",
    label: "The old secret stops working immediately",
    hint: "For a secret that others may know. The receiver refuses requests until it has the new secret; they are sent again.",
  },
] as const;

/** Replaces the signing secret, and explains the time in which both sign. */
export function RotateSecretDialog({
  webhook: { id: webhookId },
  onClose,
  onRotated,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onRotated: (rotated: RotatedSecret) => void;
}): ReactElement {
  const environment = useEnvironment();
  const [keepOldSecret, setKeepOldSecret] = useState(true);
  const rotate = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/webhooks/{webhookId}/rotate", {
          params: { path: { webhookId }, query: { environment } },
          body: { keepOldSecret },
        }),
      ),
    onSuccess: onRotated,
    // Nothing keeps the secret but the page.
    gcTime: 0,
  });
  return (
    <ChangeDialog
      title="Rotate the signing secret?"
      label={writeLabel("Rotate", environment)}
      busyLabel="Rotating …"
      variant="primary"
      change={rotate}
      onChange={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>A new secret signs all requests from now on, and is shown once.</p>
      <RadioGroup
        legend="The old secret"
        isLegendHidden
        value={keepOldSecret ? "signs" : "void"}
        options={choices}
        onChange={(value) => setKeepOldSecret(value === "signs")}
      />
    </ChangeDialog>
  );
}
