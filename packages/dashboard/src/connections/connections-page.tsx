import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus, Search } from "lucide-react";
import { useState, type ReactElement } from "react";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { useRowShortcuts } from "../shell/use-row-shortcuts.ts";
import { mayNotManage } from "../shell/why-not.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { DelayedText } from "../ui/delayed-text.tsx";
import { Empty } from "../ui/empty.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { ConnectionsTable } from "./connections-table.tsx";
import { shownConnections } from "./health.ts";
import { allConnections, allIntegrations } from "./use-connections.ts";

const route = getRouteApi("/signed-in/$environment/connections");
const rowsAtOnce = 100;

/** The services that procedures of the environment call. */
export function ConnectionsPage(): ReactElement {
  const environment = useEnvironment();
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const mayManage = hasAbility(useSession(), environment, "manage");
  const connections = useQuery(allConnections(environment));
  const integrations = useQuery(allIntegrations(environment));
  const [rowCount, setRowCount] = useState(rowsAtOnce);
  const titles = new Map(integrations.data?.map(({ id, title }) => [id, title]));
  const titleOf = (integration: string): string => titles.get(integration) ?? integration;
  const found = shownConnections(connections.data ?? [], { text: q, titleOf });
  useRowShortcuts("Connections", "connection");
  const search = (text: string): void => void navigate({ search: text === "" ? {} : { q: text }, replace: true });
  return (
    <Page
      heading="Connections"
      subtitle={`Services that procedures of ${environmentNames[environment]} call`}
      isLoading={connections.isPending}
      error={connections.error}
      onRetry={() => void connections.refetch()}
      actions={
        <>
          <CopyAsCurl request={{ path: `/api/v1/connections?environment=${environment}` }} />
          {mayManage && <NewConnectionLink />}
        </>
      }
    >
      {!mayManage && <p className="text-text-2">{mayNotManage("connections", environment)}</p>}
      {((connections.data?.length ?? 0) > 0 || q !== "") && (
        <search aria-label="Filters" data-print="hide">
          <DelayedText
            label="Search connections"
            type="search"
            icon={Search}
            className="max-w-sm"
            placeholder="Name or integration"
            value={q}
            onReport={search}
          />
        </search>
      )}
      {found.length > 0 && <ConnectionsTable connections={found.slice(0, rowCount)} titleOf={titleOf} />}
      {found.length > rowCount && (
        <Button className="self-center" onClick={() => setRowCount(rowCount + rowsAtOnce)}>
          Show more
        </Button>
      )}
      {connections.isSuccess && found.length === 0 && <NoConnections search={q} onClear={() => search("")} />}
    </Page>
  );
}

function NewConnectionLink(): ReactElement {
  const environment = useEnvironment();
  return (
    <Link to="/$environment/connections/new" params={{ environment }} className={buttonClass("primary")}>
      <Plus aria-hidden size={15} />
      New connection
    </Link>
  );
}

function NoConnections({ search, onClear }: { readonly search: string; readonly onClear: () => void }): ReactElement {
  const environment = useEnvironment();
  if (search !== "") {
    return (
      <Empty title="No connections fit this search.">
        <Button onClick={onClear}>Clear search</Button>
      </Empty>
    );
  }
  return (
    <Empty title={`${environmentNames[environment]} has no connections yet.`}>
      <p className="max-w-prose">
        A connection lets the steps of procedures call a service: a bank, a ledger, a screening list. It holds the
        credentials, encrypted, so that no procedure contains them.
      </p>
      <ul className="flex max-w-prose list-disc flex-col gap-1 pl-5">
        <li>Choose the service by its name, if it is listed.</li>
        <li>
          Choose <strong>Custom API</strong> for any other service that has an OpenAPI document.
        </li>
        <li>
          Choose <strong>Private Connection</strong> if the service can be reached from your own network only. A small
          program there asks for work, and nothing has to be opened to the outside.
        </li>
      </ul>
    </Empty>
  );
}
