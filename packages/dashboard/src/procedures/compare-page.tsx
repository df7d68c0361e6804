import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ArrowRightLeft } from "lucide-react";
import type { ReactElement } from "react";
import type { Procedure } from "../api/models.ts";
import { documentOf, versionOf } from "../api/versions.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { SelectField, type SelectOption } from "../ui/field.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { ChangesList } from "../changes/changes-list.tsx";
import { ComparedTexts } from "./compared-texts.tsx";
import { procedureById, versionsPages } from "./use-procedures.ts";

const route = getRouteApi("/signed-in/$environment/procedures/$procedureId/compare");

/** Two versions of a procedure: what changes from one to the other, and both documents. */
export function ComparePage(): ReactElement {
  const environment = useEnvironment();
  const { procedureId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const procedure = useQuery(procedureById(environment, procedureId));
  const versions = useInfiniteQuery(versionsPages(environment, procedureId));
  const from = search.from || (procedure.data?.defaults.live ?? procedure.data?.versions.at(-1)?.version ?? "");
  const to = search.to || (procedure.data?.defaults.sandbox ?? procedure.data?.versions[0]?.version ?? "");
  const isChosen = from !== "" && to !== "";
  const [before, after] = useQueries({
    queries: [
      { ...versionOf(environment, procedureId, from), enabled: isChosen },
      { ...versionOf(environment, procedureId, to), enabled: isChosen },
    ],
  });
  const known = versions.data?.pages.flatMap(({ data }) => data.map(({ version }) => version)) ?? [];
  const options = [...new Set([...known, ...(isChosen ? [from, to] : [])])].map((version) =>
    optionOf(version, procedure.data),
  );
  const choose = (next: { readonly from: string; readonly to: string }): void => void navigate({ search: next });
  const path = `/api/v1/procedures/${encodeURIComponent(procedureId)}/versions/${encodeURIComponent(to)}`;
  return (
    <Page
      heading="Compare"
      subtitle={procedure.data?.name ?? procedureId}
      isLoading={procedure.isPending || (isChosen && (before.isPending || after.isPending))}
      error={procedure.error ?? before.error ?? after.error}
      onRetry={() => void Promise.all([procedure.refetch(), before.refetch(), after.refetch()])}
      actions={<CopyAsCurl request={{ path: `${path}?environment=${environment}` }} />}
    >
      <div className="flex flex-wrap items-end gap-2">
        <SelectField
          label="From version"
          className="w-56 max-sm:w-full"
          value={from}
          options={options}
          onChange={({ target }) => choose({ from: target.value, to })}
        />
        <SelectField
          label="To version"
          className="w-56 max-sm:w-full"
          value={to}
          options={options}
          onChange={({ target }) => choose({ from, to: target.value })}
        />
        <Button icon={ArrowRightLeft} onClick={() => choose({ from: to, to: from })}>
          Swap
        </Button>
      </div>
      {before.data !== undefined && after.data !== undefined && (
        <>
          <section
            aria-label="Changes"
            className="flex flex-col gap-3 rounded-panel border border-hairline bg-surface p-4"
          >
            <h2 className="text-section font-semibold">Changes</h2>
            <ChangesList before={documentOf(before.data)} after={documentOf(after.data)} />
          </section>
          <ComparedTexts
            left={JSON.stringify(before.data.document, undefined, 2)}
            right={JSON.stringify(after.data.document, undefined, 2)}
            leftName={`Version ${from}`}
            rightName={`Version ${to}`}
          />
        </>
      )}
    </Page>
  );
}

function optionOf(version: string, procedure: Procedure | undefined): SelectOption {
  const uses = [
    procedure?.defaults.sandbox === version ? "sandbox" : undefined,
    procedure?.defaults.live === version ? "live" : undefined,
  ].filter((use) => use !== undefined);
  return { value: version, label: uses.length === 0 ? version : `${version} (default in ${uses.join(" and ")})` };
}
