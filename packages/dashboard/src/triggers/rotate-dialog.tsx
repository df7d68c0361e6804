import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Trigger } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { ChangeDialog } from "../ui/change-dialog.tsx";
import type { Rotated } from "./rotated-secret.tsx";

/** Replaces the secret of a trigger's address. */
export function RotateDialog({
  trigger: { id: triggerId, name },
  onClose,
  onRotated,
}: {
  readonly trigger: Trigger;
  readonly onClose: () => void;
  readonly onRotated: (rotated: Rotated) => void;
}): ReactElement {
  const environment = useEnvironment();
  const rotate = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/triggers/{triggerId}/rotate", {
          params: { path: { triggerId }, query: { environment } },
          body: {},
        }),
      ),
    onSuccess: onRotated,
    // The answer holds the secret.
    gcTime: 0,
  });
  return (
    <ChangeDialog
      title={`Rotate the secret of ${name}?`}
      label={writeLabel("Rotate secret", environment)}
      busyLabel="Rotating …"
      variant="primary"
      change={rotate}
      onChange={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>
        You get a new secret, which is shown once. The present one is accepted for 24 more hours. Until then, give the
        new one to the service that sends the requests. The address stays.
      </p>
    </ChangeDialog>
  );
}
