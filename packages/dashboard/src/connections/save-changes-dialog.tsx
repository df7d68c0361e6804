import type { ReactElement } from "react";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { ChangeDialog } from "../ui/change-dialog.tsx";
import { Alert } from "../ui/problem.tsx";
import { ActionChanges } from "./action-changes.tsx";
import type { ChangePreview } from "./use-change-connection.ts";

/** Says what a change means for the procedures that use a connection, before it is saved. */
export function SaveChangesDialog({
  preview: { changes, unconfirmedBaseUrl },
  change,
  onSave,
  onClose,
}: {
  readonly preview: ChangePreview;
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly onSave: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  return (
    <ChangeDialog
      title="Save these changes?"
      isWide
      label={writeLabel("Save", environment)}
      busyLabel="Saving …"
      variant="primary"
      change={change}
      onChange={onSave}
      onClose={onClose}
    >
      {unconfirmedBaseUrl !== undefined && (
        <Alert tone="review">
          The document names another server, {unconfirmedBaseUrl}. Nothing is sent until it is entered as Base URL, and
          saved.
        </Alert>
      )}
      {changes !== undefined && <ActionChanges changes={changes} />}
    </ChangeDialog>
  );
}

/** Whether a change concerns calls that procedures make today. */
export function concernsCalls({ changes, unconfirmedBaseUrl }: ChangePreview): boolean {
  if (unconfirmedBaseUrl !== undefined) return true;
  if (changes === undefined) return false;
  const { changed, deprecated, renamed, removed } = changes;
  return [changed, deprecated, renamed, removed].some((names) => names.length > 0);
}
