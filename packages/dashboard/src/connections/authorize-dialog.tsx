import { useState, type ReactElement } from "react";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { ChangeDialog } from "../ui/change-dialog.tsx";
import { CheckboxField } from "../ui/field.tsx";
import type { useStartAuthorization } from "./use-authorization.ts";

/** Asks before an authorization takes the place of the one before, which may be of another account. */
export function AuthorizeDialog({
  account,
  start,
  onClose,
}: {
  /** Name of the account of the authorization before. */
  readonly account: string;
  readonly start: ReturnType<typeof useStartAuthorization>;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const [replace, setReplace] = useState(false);
  return (
    <ChangeDialog
      title="Authorize again?"
      label={writeLabel("Authorize", environment)}
      busyLabel="Opening the service …"
      variant="primary"
      change={start}
      onChange={() => start.mutate({ replace })}
      onClose={onClose}
    >
      <p>
        The page of the service opens. Sign in there as <strong className="wrap-anywhere">{account}</strong>, and agree.
        Until then, the authorization from before stays.
      </p>
      <CheckboxField
        label="Accept another account"
        hint="All procedures then act on the account that you sign in as. Without this choice, another account is refused, and nothing changes."
        checked={replace}
        onChange={({ target }) => setReplace(target.checked)}
      />
    </ChangeDialog>
  );
}
