import { X } from "lucide-react";
import type { ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { environmentNames, isEnvironment } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { hasFilters, type AuditFilters } from "./audit-filters.ts";
import { changeWords } from "./change-words.ts";

interface AuditFilterBarProps {
  readonly environment: Environment;
  readonly environments: readonly Environment[];
  readonly filters: AuditFilters;
  /** Whether changes of people are shown. */
  readonly withPeople: boolean;
  readonly onChange: (filters: AuditFilters) => void;
}

/** The filters of the list of changes. A text counts once it is left or Enter is pressed. */
export function AuditFilterBar(props: AuditFilterBarProps): ReactElement {
  const { environment, environments, filters, withPeople, onChange } = props;
  const set = (name: keyof AuditFilters, value: string): void => {
    const { [name]: before = "", ...others } = filters;
    const text = value.trim();
    if (text !== before) onChange(text === "" ? others : { ...others, [name]: text });
  };
  const text = (name: "person" | "subject" | "from" | "to") => ({
    // A new value in the address replaces the one in the field.
    key: `${name} ${filters[name] ?? ""}`,
    defaultValue: filters[name] ?? "",
    onBlur: ({ target }: { readonly target: HTMLInputElement }) => set(name, target.value),
    onKeyDown: ({ key, currentTarget }: { readonly key: string; readonly currentTarget: HTMLInputElement }) => {
      if (key === "Enter") set(name, currentTarget.value);
    },
  });
  const actions = Object.entries(changeWords).filter(([action]) => withPeople || !/^(?:person|session)\./.test(action));
  return (
    <search aria-label="Filters" className="grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap" data-print="hide">
      <SelectField
        label="Environment"
        value={environment}
        options={environments.map((one) => ({ value: one, label: environmentNames[one] }))}
        onChange={({ target }) => {
          if (isEnvironment(target.value)) onChange({ ...filters, environment: target.value });
        }}
      />
      <SelectField
        label="Change"
        className="sm:w-40"
        value={filters.action ?? ""}
        options={[
          { value: "", label: "Any change" },
          ...actions.map(([action, words]) => ({ value: action, label: words })),
        ]}
        onChange={({ target }) => set("action", target.value)}
      />
      <TextField label="Person" placeholder="E-mail" className="sm:w-32" {...text("person")} />
      <TextField label="Subject" placeholder="vendor-payment@1" className="sm:w-36" {...text("subject")} />
      <TextField label="From" type="date" className="sm:w-34" {...text("from")} />
      <TextField label="To" type="date" className="sm:w-34" {...text("to")} />
      {hasFilters(filters) && (
        <Button
          variant="quiet"
          icon={X}
          onClick={() => onChange(filters.environment === undefined ? {} : { environment: filters.environment })}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}
