import type { ReactElement, ReactNode } from "react";
import { emptyEntry } from "../forms/form-entry.ts";
import { SchemaField } from "../forms/schema-form.tsx";
import { SelectField } from "../ui/field.tsx";
import {
  authenticationAt,
  chosenMethod,
  problemAt,
  problemsBelow,
  secretFields,
  type ConnectionDraft,
} from "./connection-draft.ts";
import type { ConnectionForm } from "./connection-form.ts";
import { DocumentField } from "./document-field.tsx";
import { methodWords } from "./method-words.ts";
import { NamedSecretFields } from "./named-secret-fields.tsx";
import { SecretFields } from "./secret-fields.tsx";

/** The fields of a connection's settings, and of its secrets where they are asked for. */
export function ConnectionFields({
  form,
  draft,
  problems,
  isNew,
  asksForSecrets,
  onChange,
}: {
  readonly form: ConnectionForm;
  readonly draft: ConnectionDraft;
  /** By the pointer of their field in the request's body. */
  readonly problems: ReadonlyMap<string, string>;
  readonly isNew: boolean;
  readonly asksForSecrets: boolean;
  readonly onChange: (draft: ConnectionDraft) => void;
}): ReactElement {
  const method = chosenMethod(form, draft);
  const ofSettings = problemsBelow(problems, "/settings");
  const hasMoreProblems = form.moreSettings.members.some(([name]) => ofSettings.has(`/${name}`));
  const secrets = asksForSecrets ? secretFields(form, draft) : [];
  return (
    <>
      {form.hasDocument && (
        <DocumentField
          document={draft.document}
          problem={problemAt(problems, "/settings/spec", "The document")}
          isNew={isNew}
          onChange={(document) => onChange({ ...draft, document })}
        />
      )}
      {form.settings.members.length > 0 && (
        <SchemaField
          field={form.settings}
          entry={draft.settings}
          problems={ofSettings}
          onChange={(settings) => onChange({ ...draft, settings })}
        />
      )}
      {form.methods.length > 0 && (
        <SelectField
          label="Authentication"
          hint="How the service knows who sends the requests."
          value={draft.method}
          options={form.methods.map((one) => ({ value: one.method, label: methodWords(one.method) }))}
          onChange={({ target }) => onChange({ ...draft, method: target.value })}
        />
      )}
      {method !== undefined && method.settings.members.length > 0 && (
        <SchemaField
          field={method.settings}
          entry={draft.authentication[method.method] ?? emptyEntry(method.settings)}
          problems={problemsBelow(problems, authenticationAt)}
          onChange={(entry) =>
            onChange({ ...draft, authentication: { ...draft.authentication, [method.method]: entry } })
          }
        />
      )}
      {secrets.length > 0 && (
        <SecretFields
          fields={secrets}
          values={draft.secrets}
          problemOf={(name) => problemAt(problems, `/secrets/${name}`)}
          onChange={(values) => onChange({ ...draft, secrets: values })}
        />
      )}
      {asksForSecrets && form.otherSecrets !== undefined && (
        <NamedSecretFields
          kind={form.otherSecrets}
          secrets={draft.namedSecrets}
          problems={problems}
          onChange={(namedSecrets) => onChange({ ...draft, namedSecrets })}
        />
      )}
      {form.moreSettings.members.length > 0 && (
        <More isOpen={hasMoreProblems}>
          <SchemaField
            field={form.moreSettings}
            entry={draft.moreSettings}
            problems={ofSettings}
            onChange={(moreSettings) => onChange({ ...draft, moreSettings })}
          />
        </More>
      )}
    </>
  );
}

/** Settings that few connections need. */
function More({ isOpen, children }: { readonly isOpen: boolean; readonly children: ReactNode }): ReactElement {
  return (
    <details {...(isOpen && { open: true })} className="rounded-panel border border-hairline bg-surface px-4 py-3">
      <summary className="w-fit cursor-pointer font-medium text-accent">More settings</summary>
      <div className="pt-3">{children}</div>
    </details>
  );
}
