import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useEffect, useRef, useState, type FormEvent, type ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { startBody, type EarlierRun } from "../api/start-run.ts";
import type { FormField } from "../forms/form-field.ts";
import { draftOf, entriesOf, inputText, jsonOf, type InputDraft, type InputMode } from "../forms/input-draft.ts";
import { InputEditor } from "../forms/input-editor.tsx";
import { problemsByField } from "../forms/form-value.ts";
import { inputProblems } from "../forms/input-problems.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Identifier } from "../values/identifier.tsx";
import { useStartRun } from "./use-start-run.ts";

export interface StartRunFormProps {
  readonly procedureId: string;
  readonly name: string;
  readonly version: string;
  readonly field: FormField;
  readonly earlier: EarlierRun | undefined;
  readonly mode: InputMode;
  /** JSON text that was typed for another version. */
  readonly carried: string | undefined;
  readonly idempotencyKey: string;
  readonly onNewKey: () => void;
  /** The default of the environment, if it became another one while the form was open. */
  readonly newDefault: string | undefined;
  /** Takes the new default, with the text that was typed. */
  readonly onNewDefault: (typed: string) => void;
}

export function StartRunForm({
  procedureId,
  name,
  version,
  field,
  earlier,
  mode: wanted,
  carried,
  idempotencyKey,
  onNewKey,
  newDefault,
  onNewDefault,
}: StartRunFormProps): ReactElement {
  const environment = useEnvironment();
  const form = useRef<HTMLFormElement>(null);
  const mode: InputMode = field.kind === "object" ? wanted : "json";
  const [draft, setDraft] = useState<InputDraft>(() =>
    carried === undefined ? draftOf(field, earlier?.input) : { source: "json", json: carried },
  );
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const start = useStartRun(environment);
  useEffect(() => {
    if (problems.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (start.isPending) return;
    const result = inputText(field, draft, mode);
    setProblems(problemsByField(result.isValid ? [] : result.problems));
    if (!result.isValid) return;
    start.mutate(
      { procedureId, version, data: result.text, idempotencyKey },
      { onError: (error) => setProblems(inputProblems(error)) },
    );
  };
  const entry = entriesOf(field, draft);
  const data = entry === undefined ? "{}" : jsonOf(field, draft);
  const path = `/api/v1/procedures/${encodeURIComponent(procedureId)}/runs?environment=${environment}`;
  const isRefused = hasCode(start.error, "invalid_input", "inexact_number") && problems.size > 0;
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex max-w-2xl flex-col gap-4">
      {earlier !== undefined && (
        <p className="text-text-2">
          The input is that of{" "}
          <Link
            to="/$environment/runs/$runId"
            params={{ environment, runId: earlier.runId }}
            className="font-mono text-code"
          >
            {earlier.runId}
          </Link>
          , which ran version {earlier.version}. Change what should differ.
        </p>
      )}
      {newDefault !== undefined && (
        <Alert tone="review">
          <p>The default is version {newDefault} now.</p>
          <p className="font-normal text-text">This form still starts version {version}.</p>
          <Button className="mt-2" disabled={start.isPending} onClick={() => onNewDefault(jsonOf(field, draft))}>
            Use version {newDefault}
          </Button>
        </Alert>
      )}
      <div className="rounded-panel border border-hairline bg-surface">
        <div className="flex items-center justify-between gap-3 border-b border-hairline pr-1 pl-4">
          <nav aria-label="Input as" className="flex gap-4">
            <ModeLink mode="form" />
            <ModeLink mode="json" />
          </nav>
          <CopyAsCurl
            request={{
              method: "POST",
              path,
              headers: { "Idempotency-Key": idempotencyKey },
              body: startBody({ version, data }),
            }}
          />
        </div>
        <div className="p-4">
          {field.kind !== "object" && wanted === "form" && (
            <p className="pb-3 text-text-2">This input has no fixed fields. Enter it as JSON.</p>
          )}
          <InputEditor {...{ field, draft, mode, problems }} onChange={setDraft} />
        </div>
      </div>
      {isRefused && <Refusal {...{ field, problems, mode }} />}
      {start.error !== null && !isRefused && <Problem error={start.error} />}
      {hasCode(start.error, "offline", "unexpected") && (
        <p className="text-text-2">
          The run may have started. Press the button again once the service can be reached: the same Idempotency-Key is
          sent, so at most one run starts.
        </p>
      )}
      {hasCode(start.error, "idempotency_conflict") && (
        <p className="flex flex-wrap items-center gap-2 text-text-2">
          The first attempt did start a run, with the input of that time. Look at Runs before you start another one.
          <Button
            onClick={() => {
              onNewKey();
              start.reset();
            }}
          >
            Use a new key
          </Button>
        </p>
      )}
      {environment === "live" && (
        <p className="font-semibold">
          Starts {name} {version} in live as you.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" variant="primary" icon={Play} busyLabel={start.isPending ? "Starting …" : undefined}>
          {writeLabel("Start run", environment)}
        </Button>
        <p
          className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-small text-text-3"
          title="A repeated request with this key starts no second run."
        >
          Idempotency-Key <Identifier what="Idempotency-Key" id={idempotencyKey} />
        </p>
      </div>
    </form>
  );
}

/** Says how many fields the service refused, and names what has no field. */
function Refusal({
  field,
  problems,
  mode,
}: {
  readonly field: FormField;
  readonly problems: ReadonlyMap<string, string>;
  readonly mode: InputMode;
}): ReactElement {
  const names = new Set(field.kind === "object" ? field.members.map(([name]) => `/${name}`) : []);
  const elsewhere = [...problems].filter(([path]) => !names.has(`/${path.split("/")[1] ?? ""}`));
  return (
    <Alert>
      <p>The run was not started: the input does not fit the procedure.</p>
      {mode === "form" &&
        elsewhere.map(([path, message]) => <p key={path}>{`${path.slice(1) || "The input"} ${message}`}</p>)}
    </Alert>
  );
}

const modeNames: Readonly<Record<InputMode, string>> = { form: "Form", json: "JSON" };

function ModeLink({ mode }: { readonly mode: InputMode }): ReactElement {
  return (
    <Link
      from="/$environment/runs/new"
      to="."
      search={({ as: _, ...others }) => (mode === "json" ? { ...others, as: "json" as const } : others)}
      replace
      activeOptions={{ exact: true }}
      className="-mb-px border-b-2 border-transparent py-2 font-medium text-text-2 no-underline hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
    >
      {modeNames[mode]}
    </Link>
  );
}
