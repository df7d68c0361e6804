import { useQueries } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { versionOf } from "../api/versions.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { SelectField } from "../ui/field.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { ChangesList } from "./changes-list.tsx";
import { procedureById } from "./use-procedures.ts";

const route = getRouteApi("/signed-in/$environment/procedures/$procedureId/compare");

/** Two versions of a procedure, and what changes from one to the other. */
export function ComparePage(): ReactElement {
  const environment = useEnvironment();
  const { procedureId } = route.useParams();
  const { from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const procedure = useQuery(procedureById(environment, procedureId));
  const [before, after] = useQueries({
    queries: [versionOf(environment, procedureId, from), versionOf(environment, procedureId, to)],
  });
  const options = (procedure.data?.versions ?? []).map(({ version }) => ({ value: version, label: version }));
  return (
    <Page
      heading="Compare"
      subtitle={procedure.data?.name ?? procedureId}
      isLoading={procedure.isPending || before.isPending || after.isPending}
      error={procedure.error ?? before.error ?? after.error}
    >
      <div className="grid max-w-md grid-cols-2 gap-4">
        <SelectField
          label="From version"
          value={from}
          options={options}
          onChange={({ target }) => void navigate({ search: { from: target.value, to } })}
        />
        <SelectField
          label="To version"
          value={to}
          options={options}
          onChange={({ target }) => void navigate({ search: { from, to: target.value } })}
        />
      </div>
      {before.data !== undefined && after.data !== undefined && (
        <>
          <section
            aria-label="Changes"
            className="flex flex-col gap-2 rounded-panel border border-hairline bg-surface p-4"
          >
            <h2 className="text-section font-semibold">Changes</h2>
            <ChangesList before={before.data} after={after.data} />
          </section>
          <div className="grid gap-4 lg:grid-cols-2">
            <JsonView what={`Version ${from}`} value={before.data.document as unknown as JsonValue} />
            <JsonView what={`Version ${to}`} value={after.data.document as unknown as JsonValue} />
          </div>
        </>
      )}
    </Page>
  );
}
