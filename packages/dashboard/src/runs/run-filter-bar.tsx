import { useQuery } from "@tanstack/react-query";
import { ListFilter, Search, X } from "lucide-react";
import { useId, useMemo, useRef, useState, type ReactElement, type RefObject } from "react";
import type { RunStatus } from "../api/models.ts";
import { procedureChoices, procedureOptions } from "../api/procedure-choices.ts";
import { useEnvironment } from "../shell/environment.ts";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { DelayedText } from "../ui/delayed-text.tsx";
import { SelectField } from "../ui/field.tsx";
import { statusWord } from "../ui/status-word.ts";
import { hasFilters, runStatuses, type RunFilters } from "./run-filters.ts";

interface RunFilterBarProps {
  readonly filters: RunFilters;
  /** People who may be chosen in "Started by". */
  readonly starters: readonly string[];
  /** Whether the button that clears the filters is shown. */
  readonly hasClear: boolean;
  /** The choice is a step back in the history of the browser; each pause while typing is none. */
  readonly onChange: (filters: RunFilters, isTyped: boolean) => void;
}

export function RunFilterBar({ filters, starters, hasClear, onChange }: RunFilterBarProps): ReactElement {
  const environment = useEnvironment();
  const procedures = useQuery(procedureChoices(environment));
  const bar = useRef<HTMLElement>(null);
  // A phone shows two filters, and the others on request or when one of them is set.
  const [isOpen, setOpen] = useState(false);
  const { procedure, startedBy, from, to } = filters;
  const hasMore = isOpen || [procedure, startedBy, from, to].some((value) => value !== undefined);
  const more = hasMore ? "" : "max-sm:hidden";
  const starterListId = useId();
  useFilterShortcuts(bar);
  const set = (name: "procedure" | "startedBy" | "from" | "to" | "q", value: string): void => {
    const { [name]: _, ...others } = filters;
    onChange(value === "" ? others : { ...others, [name]: value }, name === "q" || name === "startedBy");
  };
  const options = procedureOptions(procedures.data ?? []);
  const isListed = procedure === undefined || options.some(({ value }) => value === procedure);
  return (
    <search
      ref={bar}
      aria-label="Filters"
      data-print="hide"
      className="grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap"
    >
      <SelectField
        label="Status"
        className="sm:w-38"
        options={statusOptions(filters)}
        value={statusValue(filters)}
        onChange={({ target }) => onChange(withStatus(filters, target.value), false)}
      />
      <SelectField
        label="Procedure"
        className={cx("sm:w-38", more)}
        options={[
          { value: "", label: "Any procedure" },
          ...(isListed ? [] : [{ value: procedure, label: procedure }]),
          ...options,
        ]}
        value={procedure ?? ""}
        onChange={({ target }) => set("procedure", target.value)}
      />
      <DelayedText
        label="Started by"
        className={cx("max-sm:col-span-2 sm:w-36", more)}
        placeholder="E-mail"
        list={starterListId}
        value={startedBy}
        onReport={(value) => set("startedBy", value)}
      />
      <datalist id={starterListId}>
        {starters.map((starter) => (
          <option key={starter} value={starter} />
        ))}
      </datalist>
      <DelayedText
        label="From"
        type="date"
        className={cx("sm:w-34", more)}
        value={from}
        onReport={(value) => set("from", value)}
      />
      <DelayedText
        label="To"
        type="date"
        className={cx("sm:w-34", more)}
        value={to}
        onReport={(value) => set("to", value)}
      />
      <DelayedText
        label="Search runs"
        type="search"
        icon={Search}
        className="max-sm:order-first max-sm:col-span-2 sm:min-w-32 sm:flex-1"
        placeholder="Run id or reference"
        aria-keyshortcuts="/"
        value={filters.q}
        onReport={(value) => set("q", value)}
      />
      {!hasMore && (
        <Button icon={ListFilter} className="sm:hidden" onClick={() => setOpen(true)}>
          More filters
        </Button>
      )}
      {hasClear && (
        <Button
          variant="quiet"
          icon={X}
          className="max-sm:col-span-2 sm:px-2"
          disabled={!hasFilters(filters)}
          onClick={() => onChange({}, false)}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}

const attention = "attention";

function statusValue({ status, attention: needsAttention }: RunFilters): string {
  return needsAttention === undefined ? (status ?? []).join(",") : attention;
}

/** Each status, and the several ones that an address may name. */
function statusOptions({ status = [] }: RunFilters) {
  const words = status.map((one) => statusWord(one));
  return [
    { value: "", label: "Any status" },
    ...runStatuses.map((one) => ({ value: one, label: statusWord(one) })),
    ...(status.length > 1 ? [{ value: status.join(","), label: words.join(" or ") }] : []),
    { value: attention, label: "Needs attention" },
  ];
}

function withStatus({ status: _status, attention: _attention, ...others }: RunFilters, value: string): RunFilters {
  if (value === "") return others;
  return value === attention
    ? { ...others, attention: "true" }
    : { ...others, status: value.split(",") as RunStatus[] };
}

function useFilterShortcuts(barRef: RefObject<HTMLElement | null>): void {
  const shortcuts = useMemo(
    (): readonly Shortcut[] => [
      { keys: "f", does: "Filter the runs", run: () => barRef.current?.querySelector("select")?.focus() },
      {
        keys: "/",
        does: "Search the runs",
        run: () => barRef.current?.querySelector<HTMLElement>("[type=search]")?.focus(),
      },
    ],
    [barRef],
  );
  useShortcuts(shortcuts);
}
