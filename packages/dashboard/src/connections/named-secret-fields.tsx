import { Plus, Trash2 } from "lucide-react";
import type { ReactElement } from "react";
import { plainHint } from "../forms/plain-hint.ts";
import { pointer } from "../forms/form-value.ts";
import { Button } from "../ui/button.tsx";
import { ConcealedField } from "../ui/concealed-field.tsx";
import { TextField } from "../ui/field.tsx";
import { problemAt, type NamedSecret } from "./connection-draft.ts";
import type { ConnectionForm } from "./connection-form.ts";

type OtherSecrets = NonNullable<ConnectionForm["otherSecrets"]>;

const empty: NamedSecret = { name: "", value: "" };

/** Secrets that people name themselves, as many as there are. */
export function NamedSecretFields({
  kind,
  secrets,
  problems,
  onChange,
}: {
  readonly kind: OtherSecrets;
  readonly secrets: readonly NamedSecret[];
  /** By the pointer of their field in the request's body. */
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (secrets: readonly NamedSecret[]) => void;
}): ReactElement {
  return (
    <div className="flex flex-col gap-4">
      {secrets.map((secret, index) => (
        <fieldset
          key={index}
          className="flex min-w-0 flex-col gap-3 rounded-panel border border-hairline px-4 pt-1 pb-4"
        >
          <legend className="px-1 font-medium wrap-anywhere">{secretTitle(kind, secret)}</legend>
          <NamedSecretField
            kind={kind}
            secret={secret}
            problem={problemAt(
              problems,
              pointer("/secrets", `${kind.prefix}${secret.name}`),
              secretTitle(kind, secret),
            )}
            onChange={(next) => onChange(secrets.with(index, next))}
          />
          <Button icon={Trash2} className="self-start" onClick={() => onChange(secrets.toSpliced(index, 1))}>
            <span>
              Leave out <span className="sr-only">{secretTitle(kind, secret)}</span>
            </span>
          </Button>
        </fieldset>
      ))}
      <Button icon={Plus} className="self-start" onClick={() => onChange([...secrets, empty])}>
        Add a secret {kind.prefix}…
      </Button>
    </div>
  );
}

/** The name and the value of one such secret. */
export function NamedSecretField({
  kind: { prefix, description },
  secret,
  problem,
  onChange,
}: {
  readonly kind: OtherSecrets;
  readonly secret: NamedSecret;
  readonly problem: string | undefined;
  readonly onChange: (secret: NamedSecret) => void;
}): ReactElement {
  return (
    <>
      <TextField
        label={`Name after ${prefix}`}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...(description !== undefined && { hint: plainHint(description) })}
        value={secret.name}
        onChange={({ target }) => onChange({ ...secret, name: target.value.trim() })}
      />
      <ConcealedField
        label="Value"
        required
        value={secret.value}
        problem={problem}
        onChange={({ target }) => onChange({ ...secret, value: target.value })}
      />
    </>
  );
}

/** The whole name of a secret, also while it has none. */
function secretTitle({ prefix }: OtherSecrets, { name }: NamedSecret): string {
  return name === "" ? `New secret ${prefix}…` : `${prefix}${name}`;
}
