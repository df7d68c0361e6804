import type { ReactElement } from "react";
import { SelectField, TextField } from "../ui/field.tsx";
import { durationOptions } from "./duration-words.ts";
import { RepetitionFields } from "./repetition-fields.tsx";
import { SchedulePreview } from "./schedule-preview.tsx";
import { catchUpWords } from "./source-words.ts";
import type { ScheduleDraft } from "./trigger-draft.ts";
import type { DraftFieldsProps } from "./draft-fields.ts";

const zones: readonly string[] = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

/** The times of a schedule, and those that follow from them. */
export function ScheduleFields({ draft, onChange, problemOf }: DraftFieldsProps): ReactElement {
  const { schedule } = draft;
  const { timeZone, startsAt, endsAt, spread, catchUp, catchUpWithin } = schedule;
  const set = (changes: Partial<ScheduleDraft>): void => onChange({ schedule: { ...schedule, ...changes } });
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <RepetitionFields
          repetition={schedule.repetition}
          onChange={(repetition) => set({ repetition })}
          problem={problemOf("/source/cron")}
        />
        <SelectField
          label="Time zone"
          value={timeZone}
          options={(zones.includes(timeZone) ? zones : [timeZone, ...zones]).map((value) => ({ value, label: value }))}
          onChange={({ target }) => set({ timeZone: target.value })}
          problem={problemOf("/source/timeZone")}
        />
      </div>
      <SchedulePreview draft={draft} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          label="Times that pass while the service is down"
          value={catchUp}
          options={[
            { value: "latest", label: `${catchUpWords.latest} of them` },
            { value: "all", label: `${catchUpWords.all}, oldest first` },
            { value: "none", label: catchUpWords.none },
          ]}
          onChange={({ target }) => set({ catchUp: target.value as ScheduleDraft["catchUp"] })}
          problem={problemOf("/source/catchUp")}
        />
        {catchUp !== "none" && (
          <SelectField
            label="If they are no older than"
            value={catchUpWithin}
            options={durationOptions(["PT1H", "PT6H", "PT24H", "P3D", "P7D", "P31D"], catchUpWithin)}
            onChange={({ target }) => set({ catchUpWithin: target.value })}
            problem={problemOf("/source/catchUpWithin")}
          />
        )}
      </div>
      <details className="rounded-panel border border-hairline bg-surface px-4 py-2" open={hasBounds(schedule)}>
        <summary className="font-medium">Beginning, end and spread</summary>
        <div className="mt-3 grid items-start gap-4 pb-2 sm:grid-cols-2">
          <TextField
            label="Begins"
            note="Optional"
            type="datetime-local"
            hint={`No time before it, in ${timeZone}.`}
            value={startsAt}
            onChange={({ target }) => set({ startsAt: target.value })}
            problem={problemOf("/source/startsAt")}
          />
          <TextField
            label="Ends"
            note="Optional"
            type="datetime-local"
            hint="No time from it on."
            value={endsAt}
            onChange={({ target }) => set({ endsAt: target.value })}
            problem={problemOf("/source/endsAt")}
          />
          <SelectField
            label="Spread"
            hint="Delays each time by a fixed part of this, so that many triggers of one time do not start together."
            value={spread}
            options={durationOptions(["PT0S", "PT1M", "PT5M", "PT15M", "PT1H"], spread, "None")}
            onChange={({ target }) => set({ spread: target.value })}
            problem={problemOf("/source/spread")}
          />
        </div>
      </details>
    </>
  );
}

function hasBounds({ startsAt, endsAt, spread }: ScheduleDraft): boolean {
  return startsAt !== "" || endsAt !== "" || spread !== "PT0S";
}
