import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { procedureChoices, procedureOptions } from "../api/procedure-choices.ts";
import { useEnvironment } from "../shell/environment.ts";
import { SelectField, TextField } from "../ui/field.tsx";
import type { DraftFieldsProps } from "./draft-fields.ts";

/** An event that a step of a procedure emits. */
export function EventFields({ draft: { event }, onChange, problemOf }: DraftFieldsProps): ReactElement {
  const environment = useEnvironment();
  const options = procedureOptions(useQuery(procedureChoices(environment)).data ?? []);
  const isListed = event.procedureId === "" || options.some(({ value }) => value === event.procedureId);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        label="Event"
        hint="The name that the step emits, such as payment_sent."
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
        value={event.name}
        onChange={({ target }) => onChange({ event: { ...event, name: target.value } })}
        problem={problemOf("/source/name")}
      />
      <SelectField
        label="Emitted by"
        value={event.procedureId}
        options={[
          { value: "", label: "Any procedure" },
          ...(isListed ? [] : [{ value: event.procedureId, label: event.procedureId }]),
          ...options,
        ]}
        onChange={({ target }) => onChange({ event: { ...event, procedureId: target.value } })}
        problem={problemOf("/source/procedureId")}
      />
    </div>
  );
}
