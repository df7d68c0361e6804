import type { ReactElement } from "react";
import { plainHint } from "../forms/plain-hint.ts";
import { ConcealedField } from "../ui/concealed-field.tsx";
import { TextField } from "../ui/field.tsx";
import type { SecretField } from "./connection-form.ts";
import { plainLabel } from "./plain-label.ts";

/** Secrets that a person reads while they type them: names of users and programs. */
const readable = ["user", "clientId"];

/** Fields for credentials. */
export function SecretFields({
  fields,
  isReplacement = false,
  values,
  problemOf,
  onChange,
}: {
  readonly fields: readonly SecretField[];
  /** Whether an empty field leaves the secret as it is. */
  readonly isReplacement?: boolean;
  readonly values: Readonly<Record<string, string>>;
  readonly problemOf: (name: string) => string | undefined;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}): ReactElement {
  return (
    <>
      {fields.map(({ name, isRequired, description }) => {
        const Control = readable.includes(name) ? TextField : ConcealedField;
        return (
          <Control
            key={name}
            label={plainLabel(name)}
            {...(description !== undefined && { hint: plainHint(description) })}
            note={isRequired || isReplacement ? undefined : "Optional"}
            autoComplete="off"
            value={values[name] ?? ""}
            problem={problemOf(name)}
            onChange={({ target }) => onChange({ ...values, [name]: target.value })}
          />
        );
      })}
    </>
  );
}
