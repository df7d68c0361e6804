import type { JsonObject } from "@procedo/contract";
import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type FormEvent, type ReactElement } from "react";
import { hasCode } from "../../api/api-error.ts";
import { randomId } from "../../api/random-id.ts";
import { earlierRun } from "../../api/start-run.ts";
import { formField, type FormField } from "../../forms/form-field.ts";
import { problemsByField } from "../../forms/form-value.ts";
import { draftOf, inputText, jsonOf, type InputDraft } from "../../forms/input-draft.ts";
import { InputEditor } from "../../forms/input-editor.tsx";
import { inputProblems } from "../../forms/input-problems.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Alert, Problem } from "../../ui/problem.tsx";
import { useTimeZone } from "../../values/preferences.ts";
import { sameJson } from "../draft/same-json.ts";
import { pastRuns, runLabel } from "./past-runs.ts";
import type { TryPlan } from "./try-plan.ts";
import { useTry } from "./use-try.ts";

interface TryFormProps {
  readonly procedureId: string;
  /** The input schema of the draft. */
  readonly input: JsonObject;
  readonly plan: TryPlan;
}

/** What a person typed, with the schema for which they did. */
interface Typed {
  readonly schema: JsonObject;
  readonly field: FormField;
  readonly draft: InputDraft;
}

/** The input of the run to try: that of a past run, or a new one. */
export function TryForm({ procedureId, input, plan }: TryFormProps): ReactElement {
  const zone = useTimeZone();
  const form = useRef<HTMLFormElement>(null);
  const [from, setFrom] = useState("");
  const [asJson, setAsJson] = useState(false);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const field = useMemo((): FormField => ({ ...formField(input, "Input", true), label: "Input" }), [input]);
  const [typed, setTyped] = useState<Typed>(() => ({ schema: input, field, draft: draftOf(field) }));
  // The typed input stays when the schema changes meanwhile: it is shown as JSON, which fits any schema.
  const draft = sameJson(typed.schema, input)
    ? typed.draft
    : ({ source: "json", json: jsonOf(typed.field, typed.draft) } as const);
  const set = (next: InputDraft): void => setTyped({ schema: input, field, draft: next });
  const runs = useQuery(pastRuns("sandbox", procedureId));
  const earlier = useQuery({ ...earlierRun("sandbox", from), enabled: from !== "" });
  const [filledFrom, setFilledFrom] = useState("");
  if (from !== filledFrom && (from === "" || earlier.data !== undefined)) {
    setFilledFrom(from);
    set(draftOf(field, from === "" ? undefined : earlier.data?.input));
    setProblems(new Map());
  }
  const attempt = useTry(procedureId);
  // A start whose answer was lost is repeated with its key, as long as it is the same one.
  const sent = useRef({ start: "", key: "" });
  useEffect(() => {
    if (problems.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const mode = asJson || field.kind !== "object" ? "json" : "form";
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (plan.kind === "wait" || attempt.isPending) return;
    const result = inputText(field, draft, mode);
    setProblems(problemsByField(result.isValid ? [] : result.problems));
    if (!result.isValid) return;
    const start = JSON.stringify([plan.version, result.text]);
    if (sent.current.start !== start) sent.current = { start, key: randomId() };
    attempt.mutate(
      { plan, data: result.text, idempotencyKey: sent.current.key },
      { onError: (error) => setProblems(inputProblems(error)) },
    );
  };
  const isRefused = hasCode(attempt.error, "invalid_input", "inexact_number") && problems.size > 0;
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <SelectField
        label="Begin with"
        value={from}
        options={[
          { value: "", label: "A new input" },
          ...(runs.data ?? []).map((run) => ({ value: run.runId, label: runLabel(run, zone) })),
        ]}
        hint={
          runs.data?.length === 0
            ? "No run of this procedure has begun in the sandbox yet."
            : "Or the input of a past run, to be changed."
        }
        onChange={({ target }) => setFrom(target.value)}
      />
      {earlier.error !== null && <Problem error={earlier.error} onRetry={() => void earlier.refetch()} />}
      <div className="flex flex-col gap-3 rounded-panel border border-hairline bg-surface p-4">
        {field.kind === "object" && (
          <Button className="self-end" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
            As JSON
          </Button>
        )}
        <InputEditor {...{ field, draft, mode, problems }} onChange={set} />
        {field.kind === "object" && field.members.length === 0 && mode === "form" && (
          <p className="text-text-2">A run needs no input.</p>
        )}
      </div>
      {isRefused && <Alert>The run was not started: the input does not fit the procedure.</Alert>}
      {attempt.error !== null && !isRefused && <Problem error={attempt.error} />}
      {plan.kind === "wait" && <Alert tone="review">{plan.reason}</Alert>}
      <Button
        type="submit"
        variant="primary"
        icon={Play}
        className="self-start"
        disabled={plan.kind === "wait" || (from !== "" && earlier.isPending)}
        busyLabel={attempt.isPending ? "Starting …" : undefined}
      >
        {plan.kind === "publish" ? "Publish and try in sandbox" : "Try in sandbox"}
      </Button>
    </form>
  );
}
