import type { ProcedureDocument } from "@procedo/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { documentOf, versionOf } from "../../api/versions.ts";
import { ChangesList } from "../../changes/changes-list.tsx";
import { environmentNames, useEnvironment } from "../../shell/environment.ts";
import { Problem } from "../../ui/problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { Comparison } from "./comparisons.ts";

/** The changes from the version that new runs execute now. */
export function PublishedChanges({
  procedureId,
  document,
  comparison: { version, environments },
}: {
  readonly procedureId: string;
  readonly document: ProcedureDocument;
  readonly comparison: Comparison;
}): ReactElement {
  const environment = useEnvironment();
  const before = useQuery({ ...versionOf(environment, procedureId, version ?? ""), enabled: version !== undefined });
  const places = environments.map((one) => environmentNames[one]).join(" and ");
  if (version === undefined) {
    return (
      <p className="text-text-2">
        {places === "" ? "This is the first version. All of it is new." : `All of it is new in ${places}.`}
      </p>
    );
  }
  return (
    <>
      <h3 className="font-semibold">
        Changes since version {version}
        {places !== "" && `, the default in ${places}`}
      </h3>
      {before.error !== null && <Problem error={before.error} onRetry={() => void before.refetch()} />}
      {before.isPending && <Skeleton rows={2} />}
      {before.data !== undefined && <ChangesList before={documentOf(before.data)} after={document} />}
    </>
  );
}
