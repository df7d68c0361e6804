import { Plus, Trash2 } from "lucide-react";
import type { ReactElement } from "react";
import { Button, IconButton } from "../ui/button.tsx";
import { SelectField, TextArea, TextField } from "../ui/field.tsx";
import type { FormField } from "./form-field.ts";
import { emptyEntry, type FormEntry } from "./form-value.ts";

interface SchemaFieldProps {
  readonly field: FormField;
  readonly entry: FormEntry;
  readonly onChange: (entry: FormEntry) => void;
  /** Messages by JSON pointer. */
  readonly problems: ReadonlyMap<string, string>;
  readonly path?: string;
}

/** The fields of a JSON Schema, each named by its title or property. */
export function SchemaField({ field, entry, onChange, problems, path = "" }: SchemaFieldProps): ReactElement | null {
  const message = problems.get(path);
  const facts = {
    label: field.label,
    ...(field.hint !== undefined && { hint: field.hint }),
    ...(message !== undefined && { problem: `This field ${message}.` }),
    required: field.isRequired,
  };
  if (field.kind === "object" && entry.kind === "object") {
    return <Members {...{ field, entry, onChange, problems, path }} />;
  }
  if (field.kind === "list" && entry.kind === "list") return <Items {...{ field, entry, onChange, problems, path }} />;
  if (entry.kind === "boolean") {
    const value = entry.isOn === undefined ? "" : String(entry.isOn);
    return (
      <SelectField
        {...facts}
        value={value}
        options={[
          { value: "", label: "Not set" },
          { value: "true", label: "Yes" },
          { value: "false", label: "No" },
        ]}
        onChange={({ target }) =>
          onChange({ kind: "boolean", isOn: target.value === "" ? undefined : target.value === "true" })
        }
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
            { value: "", label: "Choose …" },
            ...field.choices.map((choice) => ({ value: choice, label: choice })),
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
          className="tabular-nums"
          onChange={({ target }) => set(target.value)}
        />
      );
    case "json":
      return (
        <TextArea
          {...facts}
          value={entry.text}
          spellCheck={false}
          className="font-mono"
          onChange={({ target }) => set(target.value)}
        />
      );
    default:
      return (
        <TextField
          {...facts}
          value={entry.text}
          type={inputType(field.kind === "text" ? field.format : undefined)}
          maxLength={field.kind === "text" ? field.maxLength : undefined}
          autoComplete="off"
          onChange={({ target }) => set(target.value)}
        />
      );
  }
}

function inputType(format: string | undefined): "text" | "date" | "email" | "url" {
  if (format === "date" || format === "email") return format;
  return format === "uri" ? "url" : "text";
}

function Members({
  field,
  entry,
  onChange,
  problems,
  path = "",
}: SchemaFieldProps & {
  readonly field: Extract<FormField, { readonly kind: "object" }>;
  readonly entry: Extract<FormEntry, { readonly kind: "object" }>;
}): ReactElement {
  const fields = field.members.map(([name, member]) => (
    <SchemaField
      key={name}
      field={member}
      entry={entry.members[name] ?? emptyEntry(member)}
      onChange={(changed) => onChange({ kind: "object", members: { ...entry.members, [name]: changed } })}
      problems={problems}
      path={`${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`}
    />
  ));
  return (
    <fieldset
      className={path === "" ? "flex flex-col gap-4" : "flex flex-col gap-4 rounded-panel border border-hairline p-3"}
    >
      <legend className={path === "" ? "sr-only" : "px-1 font-medium"}>{field.label}</legend>
      {fields.length === 0 ? <p className="text-text-2">This procedure needs no input.</p> : fields}
    </fieldset>
  );
}

function Items({
  field,
  entry,
  onChange,
  problems,
  path = "",
}: SchemaFieldProps & {
  readonly field: Extract<FormField, { readonly kind: "list" }>;
  readonly entry: Extract<FormEntry, { readonly kind: "list" }>;
}): ReactElement {
  const set = (items: readonly FormEntry[]): void => onChange({ kind: "list", items });
  return (
    <fieldset className="flex flex-col gap-3 rounded-panel border border-hairline p-3">
      <legend className="px-1 font-medium">{field.label}</legend>
      {field.hint !== undefined && <p className="text-small text-text-3">{field.hint}</p>}
      {entry.items.map((item, index) => (
        <div key={index} className="flex items-start gap-2">
          <div className="flex-1">
            <SchemaField
              field={{ ...field.item, label: `${field.label} ${index + 1}` }}
              entry={item}
              onChange={(changed) => set(entry.items.with(index, changed))}
              problems={problems}
              path={`${path}/${index}`}
            />
          </div>
          <IconButton
            icon={Trash2}
            label={`Remove ${field.label} ${index + 1}`}
            onClick={() => set(entry.items.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button icon={Plus} className="self-start" onClick={() => set([...entry.items, emptyEntry(field.item)])}>
        Add {field.label}
      </Button>
    </fieldset>
  );
}
