import { Search, X } from "lucide-react";
import type { ReactElement } from "react";
import type { ProcedureSummary } from "../api/models.ts";
import { procedureOptions } from "../api/procedure-choices.ts";
import { Button } from "../ui/button.tsx";
import { DelayedText } from "../ui/delayed-text.tsx";
import { SelectField } from "../ui/field.tsx";
import { kindWords } from "./kind-words.ts";
import { hasFilters, type TriggerFilters } from "./trigger-filters.ts";
import { stateWords, triggerStates } from "./trigger-state.ts";

interface TriggerFilterBarProps {
  readonly filters: TriggerFilters;
  readonly procedures: readonly ProcedureSummary[];
  /** The choice is a step back in the history of the browser; each pause while typing is none. */
  readonly onChange: (filters: TriggerFilters, isTyped: boolean) => void;
}

export function TriggerFilterBar({ filters, procedures, onChange }: TriggerFilterBarProps): ReactElement {
  const { state = "", kind = "", procedure = "", q } = filters;
  const set = (name: keyof TriggerFilters, value: string): void => {
    const { [name]: _, ...others } = filters;
    onChange(value === "" ? others : { ...others, [name]: value }, name === "q");
  };
  const options = procedureOptions(procedures);
  const isListed = procedure === "" || options.some(({ value }) => value === procedure);
  return (
    <search aria-label="Filters" data-print="hide" className="grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap">
      <SelectField
        label="State"
        className="sm:w-38"
        value={state}
        options={[
          { value: "", label: "Any state" },
          ...triggerStates.map((one) => ({ value: one, label: stateWords[one] })),
        ]}
        onChange={({ target }) => set("state", target.value)}
      />
      <SelectField
        label="Started by"
        className="sm:w-46"
        value={kind}
        options={[
          { value: "", label: "Anything" },
          ...Object.entries(kindWords).map(([value, label]) => ({ value, label })),
        ]}
        onChange={({ target }) => set("kind", target.value)}
      />
      <SelectField
        label="Procedure"
        className="max-sm:col-span-2 sm:w-46"
        value={procedure}
        options={[
          { value: "", label: "Any procedure" },
          ...(isListed ? [] : [{ value: procedure, label: procedure }]),
          ...options,
        ]}
        onChange={({ target }) => set("procedure", target.value)}
      />
      <DelayedText
        label="Search triggers"
        type="search"
        icon={Search}
        className="max-sm:order-first max-sm:col-span-2 sm:min-w-32 sm:flex-1"
        placeholder="Name"
        value={q}
        onReport={(value) => set("q", value)}
      />
      {hasFilters(filters) && (
        <Button variant="quiet" icon={X} className="max-sm:col-span-2 sm:px-2" onClick={() => onChange({}, false)}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
