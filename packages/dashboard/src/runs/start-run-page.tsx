import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import type { Environment, ProcedureSummary } from "../api/models.ts";
import { isWholeList, procedureChoices, procedureOptions } from "../api/procedure-choices.ts";
import { randomId } from "../api/random-id.ts";
import { earlierRun } from "../api/start-run.ts";
import { newestVersions } from "../api/versions.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { buttonClass } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { SelectField } from "../ui/field.tsx";
import { Alert } from "../ui/problem.tsx";
import { StartRunInput } from "./start-run-input.tsx";
import { useFirst } from "./use-first.ts";

const route = getRouteApi("/signed-in/$environment/runs/new");

/** Starts a run of a procedure with an input that is entered in a form or as JSON. */
export function StartRunPage(): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  const mayRun = hasAbility(session, environment, "run");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const procedures = useQuery({ ...procedureChoices(environment), enabled: mayRun });
  const earlier = useQuery({
    ...earlierRun(environment, search.from ?? ""),
    enabled: mayRun && search.from !== undefined,
  });
  // A start whose answer was lost keeps its key, also when another version is chosen.
  const [idempotencyKey, setIdempotencyKey] = useState(() => randomId());
  const [carried, setCarried] = useState<{ readonly asked: string; readonly text: string }>();
  const all = procedures.data ?? [];
  const isLoading = procedures.isPending || (search.from !== undefined && earlier.isPending);
  const present = presentChoice(all, environment, {
    procedureId: search.procedure ?? earlier.data?.procedureId,
    version: search.version,
  });
  const isWhole = !isLoading && present.procedureId !== undefined && present.version !== undefined;
  // Another default changes nothing in a form that is open.
  const asked = [environment, search.procedure, search.version, search.from].join(" ");
  const [opened, setOpened] = useFirst(asked, isWhole ? present : undefined);
  if (!mayRun) return <MayNotStart />;
  const { procedureId: chosen, version } = opened ?? present;
  const procedure = all.find(({ procedureId }) => procedureId === chosen);
  const standard = procedure?.defaults[environment];
  const isOtherDefault = search.version === undefined && standard !== version;
  const isUnknown = chosen !== undefined && procedure === undefined && isWholeList(procedures.data);
  return (
    <Page
      heading="Start run"
      isLoading={isLoading}
      error={procedures.error ?? earlier.error}
      onRetry={() => void Promise.all([procedures.refetch(), search.from !== undefined && earlier.refetch()])}
    >
      {procedures.isSuccess && all.length === 0 && <NoProcedures />}
      {all.length > 0 && (
        <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
          <SelectField
            label="Procedure"
            value={chosen ?? ""}
            options={[
              ...(procedure === undefined ? [{ value: chosen ?? "", label: chosen ?? "Choose …" }] : []),
              ...procedureOptions(all),
            ]}
            onChange={({ target }) => void navigate({ search: { procedure: target.value } })}
          />
          {chosen !== undefined && !isUnknown && (
            <VersionField
              procedureId={chosen}
              version={version}
              standard={standard}
              onChange={(next) => void navigate({ search: { ...search, procedure: chosen, version: next } })}
            />
          )}
        </div>
      )}
      {isUnknown && (
        <Alert>
          There is no procedure “{chosen}” in {environmentNames[environment]}. Choose another one.
        </Alert>
      )}
      {chosen !== undefined && procedures.isSuccess && !isUnknown && version === undefined && (
        <p>
          {procedure?.name ?? chosen} has no default version in {environmentNames[environment]}. Choose a version.
        </p>
      )}
      {chosen !== undefined &&
        !isUnknown &&
        version !== undefined &&
        !isLoading &&
        (search.from === undefined || earlier.data !== undefined) && (
          <StartRunInput
            key={[chosen, version, search.from].join(" ")}
            procedureId={chosen}
            name={procedure?.name ?? chosen}
            version={version}
            earlier={earlier.data}
            mode={search.as ?? "form"}
            carried={carried?.asked === asked ? carried.text : undefined}
            idempotencyKey={idempotencyKey}
            onNewKey={() => setIdempotencyKey(randomId())}
            newDefault={isOtherDefault ? standard : undefined}
            onNewDefault={(text) => {
              setCarried({ asked, text });
              setOpened({ procedureId: chosen, version: standard });
            }}
          />
        )}
    </Page>
  );
}

interface Choice {
  readonly procedureId: string | undefined;
  readonly version: string | undefined;
}

/** What is chosen now. Without a choice, the first procedure that has a default, and its default. */
function presentChoice(all: readonly ProcedureSummary[], environment: Environment, choice: Choice): Choice {
  const firstStartable = all.find(({ defaults }) => defaults[environment] !== undefined)?.procedureId;
  const procedureId = choice.procedureId ?? firstStartable;
  const standard = all.find((one) => one.procedureId === procedureId)?.defaults[environment];
  return { procedureId, version: choice.version ?? standard };
}

function MayNotStart(): ReactElement {
  const environment = useEnvironment();
  const name = environmentNames[environment];
  return (
    <Page heading="Start run">
      <Empty title={`You may not start runs in ${name}`}>
        <p>Builders and owners start runs. An owner can change your access to {name} under People.</p>
        <Link to="/$environment/runs" params={{ environment }} className={buttonClass()}>
          Go to Runs
        </Link>
      </Empty>
    </Page>
  );
}

function NoProcedures(): ReactElement {
  const environment = useEnvironment();
  return (
    <Empty title="There is no procedure to run">
      <p>A run executes a published version of a procedure. Publish one first.</p>
      <Link to="/$environment/procedures" params={{ environment }} className={buttonClass()}>
        Go to Procedures
      </Link>
    </Empty>
  );
}

interface VersionFieldProps {
  readonly procedureId: string;
  readonly version: string | undefined;
  /** The default in the environment. */
  readonly standard: string | undefined;
  readonly onChange: (version: string) => void;
}

function VersionField({ procedureId, version, standard, onChange }: VersionFieldProps): ReactElement {
  const environment = useEnvironment();
  const { data } = useQuery(newestVersions(environment, procedureId));
  const names = [...new Set([...(data?.data.map((one) => one.version) ?? []), version, standard])];
  return (
    <SelectField
      label="Version"
      value={version ?? ""}
      options={[
        ...(version === undefined ? [{ value: "", label: "Choose …" }] : []),
        ...names.flatMap((value) =>
          value === undefined ? [] : [{ value, label: value === standard ? `${value} (default)` : value }],
        ),
      ]}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
