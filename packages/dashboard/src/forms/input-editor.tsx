import type { ReactElement } from "react";
import { TextArea } from "../ui/field.tsx";
import { Alert } from "../ui/problem.tsx";
import type { FormField } from "./form-field.ts";
import { entriesOf, jsonOf, type InputDraft, type InputMode } from "./input-draft.ts";
import { SchemaField } from "./schema-form.tsx";

interface InputEditorProps {
  readonly field: FormField;
  readonly draft: InputDraft;
  readonly mode: InputMode;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (draft: InputDraft) => void;
}

/** The input of a procedure, in the fields of its schema or as JSON text. */
export function InputEditor({ field, draft, mode, problems, onChange }: InputEditorProps): ReactElement {
  if (mode === "json") {
    const faults = [...problems].map(([path, message]) =>
      [path.slice(1).replaceAll("/", " › "), message].join(" ").trim(),
    );
    return (
      <fieldset className="min-w-0">
        <legend className="sr-only">{field.label}</legend>
        <TextArea
          label="JSON"
          rows={16}
          isCode
          value={jsonOf(field, draft)}
          {...(faults.length > 0 && { problem: faults.join("\n") })}
          onChange={({ target }) => onChange({ source: "json", json: target.value })}
        />
      </fieldset>
    );
  }
  const entry = entriesOf(field, draft);
  if (entry === undefined) {
    return <Alert tone="review">The JSON has a fault. Open JSON and mend it; then the form shows it again.</Alert>;
  }
  if (field.kind !== "object" && entry.kind === "text") {
    return <p className="text-text-2">The input of this procedure cannot be shown as a form. Enter it as JSON.</p>;
  }
  return (
    <SchemaField
      field={field}
      entry={entry}
      onChange={(changed) => onChange({ source: "form", entry: changed })}
      problems={problems}
    />
  );
}
