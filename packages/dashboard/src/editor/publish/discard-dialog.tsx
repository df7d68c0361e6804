import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { hasCode } from "../../api/api-error.ts";
import { answerOf, api } from "../../api/client.ts";
import type { Procedure } from "../../api/models.ts";
import { useEnvironment } from "../../shell/environment.ts";
import { ChangeDialog } from "../../ui/change-dialog.tsx";

/** Asks before the draft is discarded for everyone. */
export function DiscardDialog({
  procedure: { procedureId, versions },
  revision,
  onDiscarded,
  onClose,
}: {
  readonly procedure: Procedure;
  readonly revision: number;
  readonly onDiscarded: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const newest = versions[0]?.version;
  const discard = useMutation({
    mutationFn: async () => {
      try {
        await answerOf(
          api.DELETE("/api/v1/procedures/{procedureId}/draft", {
            params: { path: { procedureId }, query: { environment, revision } },
          }),
        );
      } catch (error) {
        // The answer to an earlier attempt was lost.
        if (!hasCode(error, "procedure_not_found")) throw error;
      }
    },
    onSuccess: async () => {
      onDiscarded();
      await queryClient.invalidateQueries({ queryKey: ["procedure"] });
    },
  });
  return (
    <ChangeDialog
      title="Discard draft?"
      label="Discard draft"
      busyLabel="Discarding …"
      variant="danger"
      change={discard}
      onChange={() => discard.mutate()}
      onClose={onClose}
    >
      <p>
        {newest === undefined
          ? "The procedure has no version, so that it disappears with its draft, for everyone."
          : `The changes since version ${newest} are gone then, for everyone. Versions stay.`}
      </p>
    </ChangeDialog>
  );
}
