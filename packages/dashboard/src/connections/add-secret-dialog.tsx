import { useState, type ReactElement } from "react";
import { fieldProblems } from "../api/field-problems.ts";
import type { Connection } from "../api/models.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { pointer } from "../forms/form-value.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { useToast } from "../ui/toasts.tsx";
import type { ConnectionForm } from "./connection-form.ts";
import { NamedSecretField } from "./named-secret-fields.tsx";
import { useChangeConnection } from "./use-change-connection.ts";

/** Adds a secret that a person names. One of the same name is never replaced by it. */
export function AddSecretDialog({
  connection: { id, secretNames },
  kind,
  onClose,
}: {
  readonly connection: Connection;
  readonly kind: NonNullable<ConnectionForm["otherSecrets"]>;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const showToast = useToast();
  const [secret, setSecret] = useState({ name: "", value: "" });
  const name = `${kind.prefix}${secret.name}`;
  const isTaken = secretNames.includes(name);
  const change = useChangeConnection({ environment, connectionId: id }, () => {
    showToast(`The secret ${name} was added.`);
    onClose();
  });
  const place = pointer("/secrets", name);
  const problems = fieldProblems(change.error, [place]);
  return (
    <FormDialog
      title="Add a secret"
      label={writeLabel("Add", environment)}
      busyLabel={change.isPending ? "Adding …" : undefined}
      isReady={!isTaken}
      isDirty={secret.name !== "" || secret.value !== ""}
      error={problems.rest}
      onSubmit={() => change.mutate({ secrets: { [name]: secret.value } })}
      onClose={onClose}
    >
      <NamedSecretField
        kind={kind}
        secret={secret}
        problem={isTaken ? `There is a secret ${name}. Replace it instead.` : problems.of(place)}
        onChange={(next) => {
          setSecret(next);
          change.reset();
        }}
      />
    </FormDialog>
  );
}
