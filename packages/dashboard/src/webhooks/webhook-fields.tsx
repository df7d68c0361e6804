import type { ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { fieldProblems } from "../api/field-problems.ts";
import { CheckboxField, TextField } from "../ui/field.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { procedureEvents, type EventChoice } from "./event-names.ts";

/** A webhook as its form holds it. */
export interface WebhookDraft extends EventChoice {
  readonly url: string;
  readonly name: string;
}

interface WebhookFieldsProps {
  readonly draft: WebhookDraft;
  readonly onChange: (draft: WebhookDraft) => void;
  /** Whether the name may stay empty. */
  readonly isNew: boolean;
  /** Whether the form was sent without an event. */
  readonly lacksEvents: boolean;
  /** The refusal of the service. */
  readonly error: unknown;
}

/** The fields of a webhook, with the problems that the service found in them. */
export function WebhookFields({ draft, onChange, isNew, lacksEvents, error }: WebhookFieldsProps): ReactElement {
  const isRefused = hasCode(error, "destination_not_allowed");
  const problems = fieldProblems(isRefused ? null : error, ["/url", "/name", "/events"]);
  return (
    <>
      <TextField
        label="Address"
        type="url"
        required
        maxLength={2_048}
        autoComplete="off"
        placeholder="https://erp.example.com/procedo"
        hint="Where the requests are sent. It has to be reachable from the service."
        value={draft.url}
        onChange={({ target }) => onChange({ ...draft, url: target.value })}
        problem={isRefused ? error.message : problems.of("/url")}
      />
      <TextField
        label="Name"
        required={!isNew}
        maxLength={200}
        autoComplete="off"
        {...(isNew && { note: "Optional", hint: "For people. Otherwise the host of the address." })}
        value={draft.name}
        onChange={({ target }) => onChange({ ...draft, name: target.value })}
        problem={problems.of("/name")}
      />
      <fieldset className="rounded-panel border border-hairline px-3 pt-1 pb-3">
        <legend className="px-1 font-medium">Events</legend>
        <div className="flex flex-col gap-2">
          {procedureEvents.map(({ name, hint }) => (
            <CheckboxField
              key={name}
              label={name}
              hint={hint}
              checked={draft.chosen.includes(name)}
              onChange={({ target }) => {
                const others = draft.chosen.filter((one) => one !== name);
                onChange({ ...draft, chosen: target.checked ? [...others, name] : others });
              }}
            />
          ))}
          <TextField
            label="Custom event"
            note="Optional"
            autoComplete="off"
            placeholder="payment_made, refund"
            hint="Names of events that steps emit, with commas between them."
            value={draft.custom}
            onChange={({ target }) => onChange({ ...draft, custom: target.value })}
            problem={problems.of("/events")}
          />
        </div>
      </fieldset>
      {lacksEvents && <Alert>Choose at least one event.</Alert>}
      {problems.rest !== null && <Problem error={problems.rest} />}
    </>
  );
}
