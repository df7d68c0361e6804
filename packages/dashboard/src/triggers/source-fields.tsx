import { useId, type ReactElement } from "react";
import { EventFields } from "./event-fields.tsx";
import { IntegrationFields } from "./integration-fields.tsx";
import { kindWords, type TriggerKind } from "./kind-words.ts";
import { ScheduleFields } from "./schedule-fields.tsx";
import type { DraftFieldsProps } from "./draft-fields.ts";
import { WebhookFields } from "./webhook-fields.tsx";

const hints: Readonly<Record<TriggerKind, string>> = {
  schedule: "At certain times.",
  integration: "A connected service tells of an event.",
  webhook: "Any other service sends a signed request.",
  event: "A step of another procedure emits an event.",
};

/** The kind of source, which stays once the trigger is stored, and its fields. */
export function SourceFields({ isStored, ...fields }: DraftFieldsProps & { readonly isStored: boolean }): ReactElement {
  const { draft, onChange } = fields;
  const name = useId();
  return (
    <>
      {!isStored && (
        <fieldset className="grid gap-2 sm:grid-cols-2">
          <legend className="sr-only">What starts it</legend>
          {(Object.keys(kindWords) as readonly TriggerKind[]).map((kind) => (
            <label
              key={kind}
              className="flex items-start gap-2 rounded-panel border border-hairline bg-surface px-3 py-2 has-checked:border-accent"
            >
              <input
                type="radio"
                name={name}
                checked={draft.kind === kind}
                onChange={() => onChange({ kind })}
                className="mt-0.5 size-4 shrink-0"
              />
              <span>
                <span className="font-medium">{kindWords[kind]}</span>
                <span className="block text-small text-text-3">{hints[kind]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {draft.kind === "schedule" && <ScheduleFields {...fields} />}
      {draft.kind === "integration" && <IntegrationFields {...fields} />}
      {draft.kind === "webhook" && <WebhookFields {...fields} isStored={isStored} />}
      {draft.kind === "event" && <EventFields {...fields} />}
    </>
  );
}
