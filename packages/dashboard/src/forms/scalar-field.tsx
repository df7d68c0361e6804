import type { ReactElement } from "react";
import { SelectField, TextArea, TextField } from "../ui/field.tsx";
import type { FormField } from "./form-field.ts";
import { isDate } from "./value-faults.ts";
import type { SchemaFieldProps } from "./schema-field-props.ts";

/** A field for one value. */
export function ScalarField({ field, entry, onChange, problems, path = "" }: SchemaFieldProps): ReactElement | null {
  const facts = fieldFacts(field, problems.get(path));
  if (entry.kind === "boolean") {
    return (
      <SelectField
        {...facts}
        value={entry.isOn === undefined ? "" : String(entry.isOn)}
        options={[
          { value: "", label: field.isRequired ? "Choose …" : "Not set" },
          { value: "true", label: "Yes" },
          { value: "false", label: "No" },
        ]}
        onChange={({ target }) => onChange({ kind: "boolean", isOn: isOnOf(target.value) })}
      />
    );
  }
  if (entry.kind !== "text") return null;
  const set = (text: string): void => onChange({ kind: "text", text });
  switch (field.kind) {
    case "choice":
      return (
        <SelectField
          {...facts}
          value={entry.text}
          options={[
            { value: "", label: field.isRequired ? "Choose …" : "Not set" },
            ...field.choices.map(({ label }) => ({ value: label, label })),
          ]}
          onChange={({ target }) => set(target.value)}
        />
      );
    case "number":
      return (
        <TextField
          {...facts}
          value={entry.text}
          inputMode={field.isInteger ? "numeric" : "decimal"}
          autoComplete="off"
          onChange={({ target }) => set(target.value)}
        />
      );
    case "json":
      return <TextArea {...facts} value={entry.text} isCode rows={2} onChange={({ target }) => set(target.value)} />;
    case "text":
      return isLong(field, entry.text) ? (
        <TextArea {...facts} value={entry.text} rows={3} onChange={({ target }) => set(target.value)} />
      ) : (
        <TextField
          {...facts}
          value={entry.text}
          type={inputType(field.format, entry.text)}
          placeholder={entry.isGiven === true ? "Empty text" : undefined}
          autoComplete="off"
          onChange={({ target }) => set(target.value)}
        />
      );
    default:
      return null;
  }
}

/** Label, hint and problem of a field. */
export function fieldFacts(field: FormField, problem: string | undefined) {
  const hint = hintOf(field);
  return {
    label: field.label,
    required: field.isRequired,
    note: field.isRequired ? undefined : "Optional",
    ...(hint !== undefined && { hint }),
    ...(problem !== undefined && { problem: `${field.label} ${problem.replace(/\.?$/, ".")}` }),
  };
}

function hintOf(field: FormField): string | undefined {
  const parts = [
    field.hint,
    field.kind === "json" ? "Enter this value as JSON." : undefined,
    field.kind === "text" && field.format === "date-time" ? "Such as 2026-11-20T14:30:00+01:00." : undefined,
    field.standard === undefined
      ? undefined
      : `Default: ${typeof field.standard === "string" ? field.standard : JSON.stringify(field.standard)}.`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(" ");
}

/** A text of several lines is edited as such: an input of one line would join them. */
function isLong({ maxLength, format }: Extract<FormField, { readonly kind: "text" }>, text: string): boolean {
  return text.includes("\n") || (format === undefined && maxLength !== undefined && maxLength > 200);
}

/** A date that is none stays visible as text. */
function inputType(format: string | undefined, text: string): "text" | "date" | "email" | "url" {
  if (format === "date") return text === "" || isDate(text) ? "date" : "text";
  if (format === "email") return "email";
  return format === "uri" ? "url" : "text";
}

function isOnOf(value: string): boolean | undefined {
  return value === "" ? undefined : value === "true";
}
