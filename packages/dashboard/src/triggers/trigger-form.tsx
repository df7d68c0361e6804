import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type FormEvent, type ReactElement } from "react";
import { ApiError, type ErrorDetail } from "../api/api-error.ts";
import { fieldProblems } from "../api/field-problems.ts";
import { procedureChoices } from "../api/procedure-choices.ts";
import { versionOf } from "../api/versions.ts";
import { formField, type FormField } from "../forms/form-field.ts";
import { UnsavedGuard } from "../forms/unsaved-guard.tsx";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { Section } from "../ui/section.tsx";
import { isSame } from "../values/is-same.ts";
import type { DraftFieldsProps } from "./draft-fields.ts";
import { MappingFields } from "./mapping-fields.tsx";
import { ProcedureFields } from "./procedure-fields.tsx";
import { RuleFields } from "./rule-fields.tsx";
import { SourceFields } from "./source-fields.tsx";
import { changedMembers, requestMembers, type TriggerDraft } from "./trigger-draft.ts";

interface TriggerFormProps {
  readonly initial: TriggerDraft;
  /** Whether it changes a stored trigger, so that only what was changed is sent. */
  readonly isStored?: boolean;
  readonly submitLabel: string;
  readonly busyLabel: string | undefined;
  readonly error: unknown;
  readonly onSubmit: (members: ReadonlyMap<string, string>) => void;
}

/** All of a trigger: its source, what it starts, the input of the runs, and its limits. */
export function TriggerForm({
  initial: given,
  isStored = false,
  submitLabel,
  busyLabel,
  error,
  onSubmit,
}: TriggerFormProps): ReactElement {
  const environment = useEnvironment();
  const form = useRef<HTMLFormElement>(null);
  const [initial] = useState(given);
  const [draft, setDraft] = useState(given);
  const [faults, setFaults] = useState<readonly ErrorDetail[]>([]);
  const field = useInputField(draft);
  const change = (changes: Partial<TriggerDraft>): void => setDraft((before) => ({ ...before, ...changes }));
  const refusal = useMemo(
    () => (faults.length > 0 ? new ApiError("invalid_input", "The input has a fault.", { details: faults }) : error),
    [faults, error],
  );
  const problems = fieldProblems(refusal, shownPaths);
  useEffect(() => {
    if (refusal instanceof ApiError) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusal]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busyLabel !== undefined) return;
    const request = requestMembers(draft, field);
    setFaults(request.ok ? [] : request.faults.map(({ path, message }) => ({ path, message })));
    if (!request.ok) return;
    const before = isStored ? requestMembers(initial, field) : undefined;
    onSubmit(before?.ok === true ? changedMembers(before.members, request.members) : request.members);
  };
  const fields: DraftFieldsProps = { draft, onChange: change, problemOf: (path) => problems.of(path) };
  return (
    <form ref={form} onSubmit={submit} className="flex max-w-3xl flex-col gap-6">
      <UnsavedGuard isDirty={!isSame(draft, initial)} />
      <ProcedureFields {...fields} />
      <Section title="What starts it">
        <SourceFields {...fields} isStored={isStored} />
      </Section>
      <Section title="Condition and input">
        <MappingFields {...fields} field={field} />
      </Section>
      <Section title="Rules">
        <RuleFields {...fields} />
      </Section>
      {problems.rest !== null && problems.rest !== undefined && <Problem error={problems.rest} />}
      {problems.rest === null && refusal !== null && (
        <p role="alert" className="font-medium text-failed">
          Nothing was saved: some fields need a change.
        </p>
      )}
      {environment === "live" && (
        <p className="font-semibold">Runs start in live by themselves, for you, as soon as this is saved.</p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" busyLabel={busyLabel}>
          {writeLabel(submitLabel, environment)}
        </Button>
        <p className="text-small text-text-3">Its runs start for you: you are the person who changed it last.</p>
      </div>
    </form>
  );
}

const noInput: FormField = formField({ type: "object", properties: {} }, "Input", true);

/** The input of the version that would run; without fields until it is known. */
function useInputField({ procedureId, version }: TriggerDraft): FormField {
  const environment = useEnvironment();
  const procedures = useQuery(procedureChoices(environment)).data;
  const standard = procedures?.find((one) => one.procedureId === procedureId)?.defaults[environment];
  const wanted = version === "" ? standard : version;
  const published = useQuery({
    ...versionOf(environment, procedureId, wanted ?? ""),
    enabled: procedureId !== "" && wanted !== undefined,
  });
  const schema = published.data?.document.input;
  return useMemo(() => (schema === undefined ? noInput : formField(schema, "Input", true)), [schema]);
}

/** The fields of the form. */
const shownPaths: readonly string[] = [
  ...["/name", "/procedureId", "/version", "/when", "/overlap", "/maxOpenRuns", "/pauseAfterFailures"],
  ...["/source/cron", "/source/timeZone", "/source/startsAt", "/source/endsAt", "/source/spread"],
  ...["/source/catchUp", "/source/catchUpWithin", "/source/connection", "/source/events", "/source/name"],
  ...["/source/procedureId", "/source/authentication", "/source/dedupe", "/input"],
];
