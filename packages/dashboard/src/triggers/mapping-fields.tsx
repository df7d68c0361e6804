import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { FormField } from "../forms/form-field.ts";
import { useEnvironment } from "../shell/environment.ts";
import { TextArea, TextField } from "../ui/field.tsx";
import { InputTemplate } from "./input-template.tsx";
import { mappingText } from "./mapping-draft.ts";
import { MappingTest, type TriggerTest } from "./mapping-test.tsx";
import { sampleExpressions, scheduleExpressions } from "./sample-expressions.ts";
import { jsonText, sampleEvent } from "./sample-event.ts";
import { sourceOf } from "./trigger-draft.ts";
import type { DraftFieldsProps } from "./draft-fields.ts";
import { useEventTypes } from "./use-event-types.ts";

/** The condition, the input of the runs, and a test of both while they are edited. */
export function MappingFields({
  draft,
  onChange,
  problemOf,
  field,
}: DraftFieldsProps & { readonly field: FormField }): ReactElement {
  const environment = useEnvironment();
  const source = sourceOf(draft);
  const isSchedule = draft.kind === "schedule";
  const typesOf = useEventTypes(draft.kind === "integration");
  const [typed, setTyped] = useState<{ readonly of: string; readonly text: string }>();
  // A sample that was typed belongs to the source for which it was.
  const of =
    draft.kind === "integration" ? `${draft.integration.connection} ${draft.integration.events[0] ?? ""}` : draft.kind;
  const event = typed?.of === of ? typed.text : jsonText(sampleEvent(source, typesOf));
  const mapping = mappingText(draft.mapping, field);
  const test = async (given: string | undefined): Promise<TriggerTest> => {
    if (!mapping.ok) {
      const problems = mapping.faults.map(({ path, message }) => ({ path: `/input${path}`, message }));
      return { matches: true, problems };
    }
    const members = [
      `"procedureId":${JSON.stringify(draft.procedureId)}`,
      `"version":${JSON.stringify(draft.version === "" ? null : draft.version)}`,
      `"when":${JSON.stringify(draft.when.trim() === "" ? null : draft.when.trim())}`,
      `"input":${mapping.json}`,
      ...(given === undefined ? [] : [`"event":${given}`]),
    ];
    const preview = await answerOf(
      api.POST("/api/v1/triggers/preview", {
        params: { query: { environment } },
        body: { source },
        bodySerializer: () => `{"source":${JSON.stringify(source)},"mapping":{${members.join(",")}}}`,
      }),
    );
    return preview.test ?? { matches: false, problems: [] };
  };
  return (
    <>
      {isSchedule ? (
        <TextField
          label="Condition"
          note="Optional"
          hint="A run starts only if it is true. Empty: each time starts a run."
          autoComplete="off"
          spellCheck={false}
          value={draft.when}
          onChange={({ target }) => onChange({ when: target.value })}
          problem={problemOf("/when")}
        />
      ) : (
        <TextArea
          label="Condition"
          note="Optional"
          hint="A run starts only if it is true, such as event.amount > 100. Empty: each event starts a run."
          isCode
          rows={2}
          value={draft.when}
          onChange={({ target }) => onChange({ when: target.value })}
          problem={problemOf("/when")}
        />
      )}
      <InputTemplate
        field={field}
        draft={draft.mapping}
        onChange={(changed) => onChange({ mapping: changed })}
        expressions={isSchedule ? scheduleExpressions : sampleExpressions(parsed(event))}
        problemOf={problemOf}
      />
      {draft.procedureId !== "" && (
        <MappingTest event={isSchedule ? undefined : event} onEvent={(text) => setTyped({ of, text })} test={test} />
      )}
    </>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
