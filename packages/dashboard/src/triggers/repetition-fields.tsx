import type { ReactElement } from "react";
import { CheckboxField, SelectField, TextField } from "../ui/field.tsx";
import { cronOf, minuteSteps, type Repetition, type RepetitionKind } from "./repetition.ts";

const kinds: Readonly<Record<RepetitionKind, string>> = {
  minutes: "Every few minutes",
  hourly: "Every hour",
  daily: "Every day",
  weekly: "On days of the week",
  monthly: "On a day of the month",
  cron: "By a cron expression",
};

const weekdays: readonly (readonly [day: number, name: string])[] = [
  [1, "Monday"],
  [2, "Tuesday"],
  [3, "Wednesday"],
  [4, "Thursday"],
  [5, "Friday"],
  [6, "Saturday"],
  [0, "Sunday"],
];

const monthDays = [...Array.from({ length: 28 }, (_, index) => String(index + 1)), "L"];

interface RepetitionFieldsProps {
  readonly repetition: Repetition;
  readonly onChange: (repetition: Repetition) => void;
  readonly problem: string | undefined;
}

/** How often a schedule fires: one of the usual repetitions, or a cron expression. */
export function RepetitionFields({ repetition, onChange, problem }: RepetitionFieldsProps): ReactElement {
  const { kind, every, minute, time, days, day, cron } = repetition;
  const set = (changes: Partial<Repetition>): void => onChange({ ...repetition, ...changes });
  return (
    <>
      <SelectField
        label="Repeats"
        value={kind}
        options={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
        onChange={({ target }) => {
          const chosen = target.value as RepetitionKind;
          // The expression begins as the repetition that was chosen before.
          set({ kind: chosen, ...(chosen === "cron" && { cron: cronOf(repetition) }) });
        }}
        problem={kind === "cron" ? undefined : problem}
      />
      {kind === "minutes" && (
        <SelectField
          label="Minutes between"
          value={every}
          options={minuteSteps.map((value) => ({ value, label: value }))}
          onChange={({ target }) => set({ every: target.value })}
        />
      )}
      {kind === "hourly" && (
        <TextField
          label="Minute of the hour"
          type="number"
          required
          min={0}
          max={59}
          value={minute}
          onChange={({ target }) => set({ minute: target.value })}
        />
      )}
      {kind === "monthly" && (
        <SelectField
          label="Day"
          value={day}
          options={monthDays.map((value) => ({ value, label: value === "L" ? "The last day" : value }))}
          onChange={({ target }) => set({ day: target.value })}
        />
      )}
      {(kind === "daily" || kind === "weekly" || kind === "monthly") && (
        <TextField
          label="At"
          type="time"
          required
          value={time}
          onChange={({ target }) => set({ time: target.value })}
        />
      )}
      {kind === "weekly" && (
        <fieldset className="flex flex-wrap gap-x-4 gap-y-1 sm:col-span-2">
          <legend className="mb-1 font-medium">Days</legend>
          {weekdays.map(([number, name]) => (
            <CheckboxField
              key={name}
              label={name}
              checked={days.includes(number)}
              onChange={({ target }) => {
                const others = days.filter((one) => one !== number);
                set({ days: target.checked ? [...others, number] : others });
              }}
            />
          ))}
        </fieldset>
      )}
      {kind === "cron" && (
        <TextField
          label="Cron expression"
          required
          maxLength={256}
          autoComplete="off"
          spellCheck={false}
          hint="Minute, hour, day of the month, month, day of the week. Also names (MON), L, W and #."
          value={cron}
          onChange={({ target }) => set({ cron: target.value })}
          problem={problem}
        />
      )}
    </>
  );
}
