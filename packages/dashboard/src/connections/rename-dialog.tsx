import { useState, type ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { fieldProblems } from "../api/field-problems.ts";
import type { Connection } from "../api/models.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { CheckboxField, TextField } from "../ui/field.tsx";
import { useToast } from "../ui/toasts.tsx";
import { InUse } from "./in-use.tsx";
import { useChangeConnection } from "./use-change-connection.ts";
import { UsesList } from "./uses-list.tsx";

/** Renames a connection. Procedures find it by its name: those that use it are named first. */
export function RenameDialog({
  connection: { id, name, usedBy },
  onClose,
}: {
  readonly connection: Connection;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const showToast = useToast();
  const [given, setGiven] = useState(name);
  const [force, setForce] = useState(false);
  const change = useChangeConnection({ environment, connectionId: id }, () => {
    showToast(`The connection is named ${given} now.`);
    onClose();
  });
  const inUse = hasCode(change.error, "connection_in_use") ? change.error : undefined;
  const problems = fieldProblems(change.error, ["/name"]);
  const isUsed = usedBy.length > 0 || inUse !== undefined;
  return (
    <FormDialog
      title={`Rename ${name}`}
      label={writeLabel("Rename", environment)}
      busyLabel={change.isPending ? "Renaming …" : undefined}
      isReady={given.trim() !== name && (!isUsed || force)}
      isDirty={given !== name}
      error={inUse === undefined ? problems.rest : null}
      onSubmit={() => change.mutate({ name: given.trim(), force })}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={128}
        autoComplete="off"
        hint="Steps of procedures name the connection by it."
        value={given}
        onChange={({ target }) => setGiven(target.value)}
        problem={problems.of("/name")}
      />
      {usedBy.length > 0 && (
        <>
          <p className="font-medium">These procedures look for {name}, and find nothing after the change:</p>
          <UsesList uses={usedBy} />
        </>
      )}
      {inUse !== undefined && <InUse error={inUse} />}
      {isUsed && (
        <CheckboxField
          label="Rename it although it is used"
          hint="Calls of these procedures fail until they name it anew."
          checked={force}
          onChange={({ target }) => setForce(target.checked)}
        />
      )}
    </FormDialog>
  );
}
