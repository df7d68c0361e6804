import { X } from "lucide-react";
import { useEffect, useState, type ReactElement } from "react";
import type { RunStatus } from "../api/models.ts";
import { Button } from "../ui/button.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { statusWord } from "../ui/status-word.ts";
import { hasFilters, runStatuses, type RunFilters } from "./run-filters.ts";

interface RunFilterBarProps {
  readonly filters: RunFilters;
  readonly onChange: (filters: RunFilters) => void;
}

const statusOptions = [
  { value: "", label: "Any status" },
  ...runStatuses.map((status) => ({ value: status, label: statusWord(status) })),
];

export function RunFilterBar({ filters, onChange }: RunFilterBarProps): ReactElement {
  const set = (name: keyof RunFilters, value: string): void => {
    const { [name]: _, ...others } = filters;
    if (value === "") onChange(others);
    else onChange({ ...others, [name]: name === "status" ? [value as RunStatus] : value });
  };
  return (
    <search aria-label="Filters" className="flex flex-wrap items-end gap-2" data-print="hide">
      <SelectField
        label="Status"
        options={statusOptions}
        value={filters.status?.[0] ?? ""}
        onChange={(event) => set("status", event.target.value)}
      />
      <DelayedText label="Procedure" value={filters.procedure} onChange={(value) => set("procedure", value)} />
      <DelayedText label="From" type="date" value={filters.from} onChange={(value) => set("from", value)} />
      <DelayedText label="To" type="date" value={filters.to} onChange={(value) => set("to", value)} />
      <DelayedText label="Search runs" type="search" value={filters.q} onChange={(value) => set("q", value)} />
      {hasFilters(filters) && (
        <Button variant="quiet" icon={X} onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

const pauseMs = 300;

/** A text field that reports its value once the person pauses. */
function DelayedText({
  label,
  type = "text",
  value = "",
  onChange,
}: {
  readonly label: string;
  readonly type?: "text" | "search" | "date";
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}): ReactElement {
  const [text, setText] = useState(value);
  const [shownValue, setShownValue] = useState(value);
  // The address changed by other means, such as the back button.
  if (value !== shownValue) {
    setShownValue(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return <TextField label={label} type={type} value={text} onChange={(event) => setText(event.target.value)} />;
}
