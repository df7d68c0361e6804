import type { ReactElement } from "react";
import type { Trigger } from "../api/models.ts";
import { SelectField, TextField } from "../ui/field.tsx";
import { overlapWords } from "./source-words.ts";
import { overlapOf } from "./trigger-draft.ts";
import type { DraftFieldsProps } from "./draft-fields.ts";

/** What happens beside open runs, and after failures. */
export function RuleFields({ draft, onChange, problemOf }: DraftFieldsProps): ReactElement {
  const overlap = overlapOf(draft);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <SelectField
        label="While a run of it is open"
        hint="A run that waits for a review is open."
        value={overlap}
        options={Object.entries(overlapWords).map(([value, label]) => ({ value, label }))}
        onChange={({ target }) => onChange({ overlap: target.value as Trigger["overlap"] })}
        problem={problemOf("/overlap")}
      />
      {overlap === "allow" && (
        <TextField
          label="Most open runs"
          note="Optional"
          hint="Others wait. Empty: no limit."
          type="number"
          min={1}
          max={10_000}
          value={draft.maxOpenRuns}
          onChange={({ target }) => onChange({ maxOpenRuns: target.value })}
          problem={problemOf("/maxOpenRuns")}
        />
      )}
      <TextField
        label="Pause after failures in a row"
        note="Optional"
        hint="Empty: it goes on."
        type="number"
        min={1}
        max={100}
        value={draft.pauseAfterFailures}
        onChange={({ target }) => onChange({ pauseAfterFailures: target.value })}
        problem={problemOf("/pauseAfterFailures")}
      />
    </div>
  );
}
