import { useState, type ReactElement } from "react";
import type { Connection } from "../api/models.ts";
import { fieldProblems } from "../api/field-problems.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { CheckboxField } from "../ui/field.tsx";
import { useToast } from "../ui/toasts.tsx";
import type { SecretField } from "./connection-form.ts";
import { plainLabel } from "./plain-label.ts";
import { SecretFields } from "./secret-fields.tsx";
import { useChangeConnection } from "./use-change-connection.ts";

/** Replaces one secret or several. The old ones are not shown, and stay where nothing is entered. */
export function ReplaceSecretsDialog({
  connection: { id, name, secretNames },
  fields,
  onClose,
}: {
  readonly connection: Connection;
  readonly fields: readonly SecretField[];
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const showToast = useToast();
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const change = useChangeConnection({ environment, connectionId: id }, () => {
    showToast(`The secrets of ${name} were replaced.`);
    onClose();
  });
  const given = Object.entries(secrets).filter(([, value]) => value !== "");
  const changes: Record<string, string | null> = {
    ...Object.fromEntries(given),
    ...Object.fromEntries(removed.map((one) => [one, null])),
  };
  const isEmpty = Object.keys(changes).length === 0;
  const places = fields.map((field) => `/secrets/${field.name}`);
  const problems = fieldProblems(change.error, places);
  const submit = (): void => {
    if (!isEmpty) change.mutate({ secrets: changes });
  };
  const [only] = fields;
  const title = fields.length === 1 && only !== undefined ? plainLabel(only.name).toLowerCase() : "secrets";
  const removable = fields.filter((field) => !field.isRequired && secretNames.includes(field.name));
  return (
    <FormDialog
      title={`Replace ${title}`}
      label={writeLabel("Replace", environment)}
      busyLabel={change.isPending ? "Replacing …" : undefined}
      isReady={!isEmpty}
      isDirty={!isEmpty}
      error={problems.rest}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        The next call uses the new value. The current value is deleted immediately.
        {fields.length > 1 && " What you leave empty stays as it is."}
      </p>
      <SecretFields
        fields={fields.filter((field) => !removed.includes(field.name))}
        isReplacement
        values={secrets}
        problemOf={(field) => problems.of(`/secrets/${field}`)}
        onChange={setSecrets}
      />
      {removable.map((field) => (
        <CheckboxField
          key={field.name}
          label={`Remove ${plainLabel(field.name).toLowerCase()}`}
          hint="Calls and events that need it are refused afterwards."
          checked={removed.includes(field.name)}
          onChange={({ target }) =>
            setRemoved(target.checked ? [...removed, field.name] : removed.filter((one) => one !== field.name))
          }
        />
      ))}
    </FormDialog>
  );
}
