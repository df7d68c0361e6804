import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import type { Connection } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { CheckboxField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { useToast } from "../ui/toasts.tsx";
import { InUse } from "./in-use.tsx";
import { UsesList } from "./uses-list.tsx";

/** Names the procedures that break before a connection is deleted. */
export function DeleteConnectionDialog({
  connection: { id: connectionId, name, environment: own, usedBy, inbound },
  onClose,
}: {
  readonly connection: Connection;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const [force, setForce] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      answerOf(
        api.DELETE("/api/v1/connections/{connectionId}", {
          params: { path: { connectionId }, query: { environment, ...(force && { force: "true" }) } },
        }),
      ),
    onSuccess: async () => {
      showToast(`${name} was deleted.`);
      // A token that the page may show is void.
      await navigate({ to: "/$environment/connections", params: { environment }, ignoreBlocker: true });
      await queryClient.invalidateQueries({ queryKey: listKey("connection", environment) });
    },
  });
  const inUse = hasCode(remove.error, "connection_in_use") ? remove.error : undefined;
  const isUsed = usedBy.length > 0 || inUse !== undefined;
  return (
    <Dialog
      title={`Delete ${name}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button
            variant="danger"
            disabled={isUsed && !force}
            busyLabel={remove.isPending ? "Deleting …" : undefined}
            onClick={() => remove.mutate()}
          >
            {writeLabel("Delete", environment)}
          </Button>
        </>
      }
    >
      {usedBy.length > 0 && (
        <>
          <p className="font-medium">These procedures call it, and their calls fail afterwards:</p>
          <UsesList uses={usedBy} />
        </>
      )}
      {inUse !== undefined && <InUse error={inUse} />}
      <p>
        Its settings and secrets are gone{inbound !== undefined && ", and its inbound address accepts nothing any more"}
        .{own === undefined && " It is deleted from Sandbox and Live, and clients with its tokens end."} This cannot be
        undone.
      </p>
      {isUsed && (
        <CheckboxField
          label="Delete it although it is used"
          hint="Runs that reach one of these steps fail."
          checked={force}
          onChange={({ target }) => setForce(target.checked)}
        />
      )}
      {remove.error !== null && inUse === undefined && <Problem error={remove.error} />}
    </Dialog>
  );
}
