import { useState, type ReactElement } from "react";
import type { Connection } from "../api/models.ts";
import { plainHint } from "../forms/plain-hint.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Section } from "../ui/section.tsx";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { AddSecretDialog } from "./add-secret-dialog.tsx";
import type { ConnectionForm, SecretField } from "./connection-form.ts";
import { plainLabel } from "./plain-label.ts";
import { ReplaceSecretsDialog } from "./replace-secrets-dialog.tsx";

/** Which secrets a connection has. They are replaced, and never shown. */
export function SecretsSection({
  connection,
  fields,
  otherSecrets,
  mayManage,
}: {
  readonly connection: Connection;
  readonly fields: readonly SecretField[];
  /** Those that people name themselves. */
  readonly otherSecrets: ConnectionForm["otherSecrets"];
  readonly mayManage: boolean;
}): ReactElement {
  const environment = useEnvironment();
  const [replaced, setReplaced] = useState<readonly SecretField[]>();
  const [isAdding, setAdding] = useState(false);
  const { secretNames } = connection;
  // Secrets that a person named, and those of a method that the connection no longer uses.
  const others = secretNames.filter((name) => !fields.some((field) => field.name === name));
  const shown = [...fields, ...others.map((name): SecretField => ({ name, isRequired: false }))];
  return (
    <Section title="Secrets">
      {shown.length === 0 && <p className="text-text-2">It needs no secrets.</p>}
      {shown.length > 0 && (
        <Table
          caption="Secrets"
          columns={[{ name: "Secret" }, { name: "State" }, ...(mayManage ? [{ name: "Change" }] : [])]}
        >
          {shown.map((field) => {
            const isSet = secretNames.includes(field.name);
            const label = plainLabel(field.name);
            return (
              <Row key={field.name}>
                <HeadCell>
                  <span className="wrap-anywhere">{label}</span>
                  {field.description !== undefined && (
                    <span className="block text-small font-normal text-text-3">{plainHint(field.description)}</span>
                  )}
                </HeadCell>
                <Cell>
                  <span className={cx("whitespace-nowrap", isSet ? "text-completed" : "text-text-3")}>
                    {isSet ? "Set" : "Not set"}
                  </span>
                </Cell>
                {mayManage && (
                  <Cell>
                    <Button onClick={() => setReplaced([field])}>
                      <span>
                        {writeLabel(isSet ? "Replace" : "Set", environment)}
                        <span className="sr-only"> {label.toLowerCase()}</span>
                      </span>
                    </Button>
                  </Cell>
                )}
              </Row>
            );
          })}
        </Table>
      )}
      {mayManage && (
        <div className="flex flex-wrap gap-2 empty:hidden">
          {otherSecrets !== undefined && (
            <Button onClick={() => setAdding(true)}>{writeLabel("Add a secret", environment)}</Button>
          )}
          {shown.length > 1 && (
            <Button onClick={() => setReplaced(shown)}>{writeLabel("Replace several", environment)}</Button>
          )}
        </div>
      )}
      {isAdding && otherSecrets !== undefined && (
        <AddSecretDialog connection={connection} kind={otherSecrets} onClose={() => setAdding(false)} />
      )}
      {replaced !== undefined && (
        <ReplaceSecretsDialog connection={connection} fields={replaced} onClose={() => setReplaced(undefined)} />
      )}
    </Section>
  );
}
