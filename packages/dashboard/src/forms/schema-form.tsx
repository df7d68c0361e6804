import { Plus, Trash2 } from "lucide-react";
import type { ReactElement } from "react";
import { Button, IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import type { FormField } from "./form-field.ts";
import { emptyEntry, type FormEntry } from "./form-entry.ts";
import { pointer } from "./form-value.ts";
import { RawField } from "./raw-field.tsx";
import { ScalarField } from "./scalar-field.tsx";
import type { SchemaFieldProps } from "./schema-field-props.ts";

/** The fields of a JSON Schema, each named by its title or property. */
export function SchemaField(props: SchemaFieldProps): ReactElement | null {
  const { field, entry } = props;
  if (entry.kind === "raw") return <RawField {...props} />;
  if (field.kind === "object") return entry.kind === "object" ? <Members {...props} {...{ field, entry }} /> : null;
  if (field.kind === "list") return entry.kind === "list" ? <Items {...props} {...{ field, entry }} /> : null;
  return <ScalarField {...props} />;
}

function Group({
  label,
  hint,
  problem,
  isHidden = false,
  isIndented,
  children,
}: {
  readonly label: string;
  readonly hint: string | undefined;
  readonly problem: string | undefined;
  /** Whether the label is left out of view. */
  readonly isHidden?: boolean;
  /** Whether a line holds the fields together. */
  readonly isIndented: boolean;
  readonly children: React.ReactNode;
}): ReactElement {
  return (
    <fieldset className="min-w-0">
      <legend className={isHidden ? "sr-only" : "pb-1 font-semibold"}>{label}</legend>
      {hint !== undefined && <p className="text-small text-text-3">{hint}</p>}
      <div className={cx("flex flex-col gap-4", isIndented && "border-l-2 border-hairline pl-4")}>{children}</div>
      {problem !== undefined && (
        <p tabIndex={-1} aria-invalid="true" className="text-small font-medium text-failed">
          {label} {problem}
        </p>
      )}
    </fieldset>
  );
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
  const others = entry.others.map(([name]) => name);
  return (
    <Group
      label={field.label}
      hint={path === "" ? undefined : field.hint}
      problem={problems.get(path)}
      isHidden={path === ""}
      isIndented={path !== ""}
    >
      {field.members.length === 0 && others.length === 0 && (
        <p className="text-text-2">This procedure needs no input.</p>
      )}
      {field.members.map(([name, member]) => (
        <SchemaField
          key={name}
          field={member}
          entry={entry.members[name] ?? emptyEntry(member)}
          onChange={(changed) => onChange({ ...entry, members: { ...entry.members, [name]: changed } })}
          problems={problems}
          path={pointer(path, name)}
        />
      ))}
      {others.length > 0 && (
        <p className="flex flex-wrap items-center gap-2 text-small text-text-2">
          Sent as well, though the form has no field for it: {others.join(", ")}.
          <Button variant="quiet" icon={Trash2} onClick={() => onChange({ ...entry, others: [] })}>
            Leave out
          </Button>
        </p>
      )}
    </Group>
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
    <Group label={field.label} hint={field.hint} problem={problems.get(path)} isIndented={entry.items.length > 0}>
      {entry.items.map((item, index) => (
        // Rows have no identity of their own, and their fields keep no state.
        <div key={index} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <SchemaField
              field={{ ...field.item, label: `${field.label} ${index + 1}` }}
              entry={item}
              onChange={(changed) => set(entry.items.with(index, changed))}
              problems={problems}
              path={pointer(path, index)}
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
    </Group>
  );
}
