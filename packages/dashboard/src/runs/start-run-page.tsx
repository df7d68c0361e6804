import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useMemo, useState, type FormEvent, type ReactElement } from "react";
import { ApiError } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import { listKey, oneKey } from "../api/query-keys.ts";
import { formField, type FormField } from "../forms/form-field.ts";
import { emptyEntry, entryOf, textOf, type FormEntry } from "../forms/form-value.ts";
import { SchemaField } from "../forms/schema-form.tsx";
import { environmentNames, useEnvironment, writeLabel } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { SelectField, TextArea } from "../ui/field.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Identifier } from "../values/identifier.tsx";
import { inputOfRun } from "./use-runs.ts";
import { randomId } from "../api/random-id.ts";

const route = getRouteApi("/signed-in/$environment/runs/new");

/** Starts a run of a procedure with an input that is entered in a form or as JSON. */
export function StartRunPage(): ReactElement {
  const environment = useEnvironment();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const procedures = useQuery({
    queryKey: listKey("procedure", environment, "to-start"),
    queryFn: () => answerOf(api.GET("/api/v1/procedures", { params: { query: { environment, limit: 100 } } })),
  });
  const startable = procedures.data?.data.filter(({ defaults }) => defaults[environment] !== undefined) ?? [];
  const procedureId = search.procedure ?? startable[0]?.procedureId;
  const chosen = procedures.data?.data.find((one) => one.procedureId === procedureId);
  const version = search.version ?? chosen?.defaults[environment];
  return (
    <Page
      heading="Start run"
      isLoading={procedures.isPending}
      error={procedures.error}
      onRetry={() => void procedures.refetch()}
    >
      {startable.length === 0 && procedures.isSuccess && (
        <Alert tone="review">
          No procedure has a default version in {environmentNames[environment]}. Publish a version, and make it the
          default.
        </Alert>
      )}
      {procedureId !== undefined && (
        <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
          <SelectField
            label="Procedure"
            value={procedureId}
            options={(procedures.data?.data ?? []).map(({ procedureId: value, name }) => ({ value, label: name }))}
            onChange={({ target }) => void navigate({ search: { procedure: target.value } })}
          />
          <VersionField
            procedureId={procedureId}
            version={version}
            onChange={(next) => void navigate({ search: { ...search, procedure: procedureId, version: next } })}
          />
        </div>
      )}
      {procedureId !== undefined && version !== undefined && (
        <RunInput
          key={`${procedureId} ${version} ${search.from ?? ""}`}
          procedureId={procedureId}
          name={chosen?.name ?? procedureId}
          version={version}
          from={search.from}
        />
      )}
    </Page>
  );
}

function VersionField({
  procedureId,
  version,
  onChange,
}: {
  readonly procedureId: string;
  readonly version: string | undefined;
  readonly onChange: (version: string) => void;
}): ReactElement {
  const environment = useEnvironment();
  const { data } = useQuery({
    queryKey: oneKey("procedure", environment, procedureId, "versions"),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/procedures/{procedureId}/versions", {
          params: { path: { procedureId }, query: { environment, limit: 100 } },
        }),
      ),
  });
  const versions = data?.data.map((one) => one.version) ?? [];
  const known = version === undefined || versions.includes(version) ? versions : [version, ...versions];
  return (
    <SelectField
      label="Version"
      value={version ?? ""}
      options={known.map((value) => ({ value, label: value }))}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

interface RunInputProps {
  readonly procedureId: string;
  readonly name: string;
  readonly version: string;
  readonly from: string | undefined;
}

/** Reads the input schema, and the input of an earlier run, before the form is shown. */
function RunInput({ procedureId, name, version, from }: RunInputProps): ReactElement | null {
  const environment = useEnvironment();
  const published = useQuery({
    queryKey: oneKey("procedure", environment, procedureId, "version", version),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/procedures/{procedureId}/versions/{version}", {
          params: { path: { procedureId, version }, query: { environment } },
        }),
      ),
  });
  const earlier = useQuery({ ...inputOfRun(environment, from ?? ""), enabled: from !== undefined });
  const error = published.error ?? earlier.error;
  if (error !== null) return <Problem error={error} />;
  if (published.data === undefined || (from !== undefined && earlier.data === undefined)) return null;
  const field = formField(published.data.document.input ?? { type: "object", properties: {} }, "Input", true);
  return <RunForm {...{ procedureId, name, version, field, initial: earlier.data }} />;
}

type Mode = "form" | "json";

function RunForm({
  procedureId,
  name,
  version,
  field,
  initial,
}: {
  readonly procedureId: string;
  readonly name: string;
  readonly version: string;
  readonly field: FormField;
  readonly initial: unknown;
}): ReactElement {
  const environment = useEnvironment();
  const { person } = useSession();
  const navigate = useNavigate();
  const [mode, setMode] = useState<Mode>(field.kind === "object" ? "form" : "json");
  const [entry, setEntry] = useState<FormEntry>(() =>
    initial === undefined ? emptyEntry(field) : entryOf(field, initial),
  );
  const [json, setJson] = useState(() => JSON.stringify(initial ?? {}, undefined, 2));
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  // The same key for each attempt: a start whose answer was lost is not repeated.
  const [idempotencyKey] = useState(randomId);
  const start = useMutation({
    mutationFn: (data: string) =>
      answerOf(
        api.POST("/api/v1/procedures/{procedureId}/runs", {
          params: {
            path: { procedureId },
            query: { environment },
            header: { "Idempotency-Key": idempotencyKey },
          },
          body: { data: {} },
          bodySerializer: () => requestText(data, version),
        }),
      ),
    onSuccess: ({ runId }) => navigate({ to: "/$environment/runs/$runId", params: { environment, runId } }),
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      setProblems(new Map(error.details.map(({ path, message }) => [path.replace(/^\/data/, ""), message])));
    },
  });
  const formResult = useMemo(() => textOf(field, entry), [field, entry]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (mode === "json") {
      start.mutate(json);
      return;
    }
    setProblems(new Map(formResult.isValid ? [] : formResult.problems.map(({ path, message }) => [path, message])));
    if (formResult.isValid) start.mutate(formResult.text ?? "{}");
  };
  const toJson = (): void => {
    if (formResult.isValid) setJson(formResult.text ?? "{}");
    setMode("json");
  };
  const data = mode === "form" ? ((formResult.isValid ? formResult.text : undefined) ?? "{}") : json;
  const path = `/api/v1/procedures/${procedureId}/runs?environment=${environment}`;
  return (
    <form noValidate onSubmit={submit} className="flex max-w-2xl flex-col gap-4">
      <div className="flex items-center justify-between gap-3">
        <nav aria-label="Input as" className="flex gap-3">
          <ModeButton isPresent={mode === "form"} onClick={() => setMode("form")}>
            Form
          </ModeButton>
          <ModeButton isPresent={mode === "json"} onClick={toJson}>
            JSON
          </ModeButton>
        </nav>
        <CopyAsCurl request={{ method: "POST", path, body: requestText(data, version) }} />
      </div>
      <div className="rounded-panel border border-hairline bg-surface p-4">
        {mode === "form" ? (
          <SchemaField field={field} entry={entry} onChange={setEntry} problems={problems} />
        ) : (
          <TextArea
            label="Input"
            rows={14}
            spellCheck={false}
            className="font-mono"
            value={json}
            onChange={({ target }) => setJson(target.value)}
          />
        )}
      </div>
      {start.error !== null && <Problem error={start.error} />}
      <p className="flex flex-wrap items-center gap-1 text-small text-text-3">
        Idempotency-Key <Identifier what="Idempotency-Key" id={idempotencyKey} />
      </p>
      {environment === "live" && (
        <p className="font-medium">
          Starts {name} {version} in live as {person.name}.
        </p>
      )}
      <Button
        type="submit"
        variant="primary"
        icon={Play}
        className="self-start"
        busyLabel={start.isPending ? "Starting …" : undefined}
      >
        {writeLabel("Start run", environment)}
      </Button>
    </form>
  );
}

/** The digits of the input stay as they were typed. */
function requestText(data: string, version: string): string {
  return `{"data":${data},"metadata":{"procedureVersion":${JSON.stringify(version)}}}`;
}

function ModeButton({
  isPresent,
  onClick,
  children,
}: {
  readonly isPresent: boolean;
  readonly onClick: () => void;
  readonly children: string;
}): ReactElement {
  return (
    <button
      type="button"
      aria-pressed={isPresent}
      onClick={onClick}
      className="border-b-2 border-transparent px-1 py-1 font-medium text-text-2 aria-pressed:border-accent aria-pressed:text-text"
    >
      {children}
    </button>
  );
}
