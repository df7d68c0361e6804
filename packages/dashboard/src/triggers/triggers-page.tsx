import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState, type ReactElement } from "react";
import { procedureChoices } from "../api/procedure-choices.ts";
import { allTriggers } from "../api/triggers.ts";
import { environmentNames, useEnvironment, writeLabel } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { useRowShortcuts } from "../shell/use-row-shortcuts.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { hasFilters, shownTriggers, type TriggerFilters } from "./trigger-filters.ts";
import { TriggerFilterBar } from "./trigger-filter-bar.tsx";
import { TriggerTable } from "./trigger-table.tsx";
import { useAbilities } from "./use-abilities.ts";

const route = getRouteApi("/signed-in/$environment/triggers");
const rowsAtOnce = 100;

/** Everything that starts runs of the environment by itself. */
export function TriggersPage(): ReactElement {
  const environment = useEnvironment();
  const { mayChange } = useAbilities();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const triggers = useQuery(allTriggers(environment));
  const procedures = useQuery(procedureChoices(environment));
  const [rowCount, setRowCount] = useState(rowsAtOnce);
  const fitting = shownTriggers(triggers.data ?? [], filters);
  useRowShortcuts("Triggers", "trigger");
  const setFilters = (next: TriggerFilters, isTyped = false): void => void navigate({ search: next, replace: isTyped });
  const isFiltered = hasFilters(filters);
  return (
    <Page
      heading="Triggers"
      isLoading={triggers.isPending}
      error={triggers.error}
      onRetry={() => void triggers.refetch()}
      actions={
        <>
          <CopyAsCurl request={{ path: `/api/v1/triggers?environment=${environment}` }} />
          {mayChange && <NewTrigger />}
        </>
      }
    >
      {((triggers.data?.length ?? 0) > 0 || isFiltered) && (
        <TriggerFilterBar filters={filters} procedures={procedures.data ?? []} onChange={setFilters} />
      )}
      {fitting.length > 0 && <TriggerTable triggers={fitting.slice(0, rowCount)} procedures={procedures.data ?? []} />}
      {fitting.length > rowCount && (
        <Button className="self-center" onClick={() => setRowCount(rowCount + rowsAtOnce)}>
          Show more
        </Button>
      )}
      {triggers.isSuccess && fitting.length === 0 && (
        <NoTriggers isFiltered={isFiltered} mayChange={mayChange} onClear={() => setFilters({})} />
      )}
    </Page>
  );
}

function NewTrigger(): ReactElement {
  const environment = useEnvironment();
  return (
    <Link to="/$environment/triggers/new" params={{ environment }} className={buttonClass("primary")}>
      <Plus aria-hidden size={15} />
      {writeLabel("New trigger", environment)}
    </Link>
  );
}

function NoTriggers({
  isFiltered,
  mayChange,
  onClear,
}: {
  readonly isFiltered: boolean;
  readonly mayChange: boolean;
  readonly onClear: () => void;
}): ReactElement {
  const environment = useEnvironment();
  if (isFiltered) {
    return (
      <Empty title="No triggers fit these filters.">
        <Button onClick={onClear}>Clear filters</Button>
      </Empty>
    );
  }
  return (
    <Empty title={`Nothing starts runs in ${environmentNames[environment]} by itself`}>
      <p className="max-w-prose">
        A trigger starts runs of a procedure at the times of a schedule, when a connected service sends an event, when
        another service sends a signed request, or when a procedure emits an event. Each occurrence is on record, also
        one that starts no run.
      </p>
      {mayChange ? <NewTrigger /> : <p className="text-text-2">Builders and owners create triggers.</p>}
    </Empty>
  );
}
