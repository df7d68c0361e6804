import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Connection } from "../api/models.ts";
import { procedureChoices } from "../api/procedure-choices.ts";
import { useEnvironment } from "../shell/environment.ts";

type Use = Connection["usedBy"][number];

/** Procedures that name a connection, with the steps that call it. */
export function UsesList({ uses }: { readonly uses: readonly Use[] }): ReactElement {
  const environment = useEnvironment();
  const { data: procedures } = useQuery(procedureChoices(environment));
  const nameOf = (id: string): string => procedures?.find(({ procedureId }) => procedureId === id)?.name ?? id;
  return (
    <ul className="divide-y divide-hairline rounded-panel border border-hairline bg-surface">
      {uses.map(({ procedureId, version, nodeIds }) => (
        <li
          key={`${procedureId} ${version ?? ""}`}
          className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 px-3 py-1.5"
        >
          <span className="min-w-0 wrap-anywhere">
            <Link
              to="/$environment/procedures/$procedureId"
              params={{ environment, procedureId }}
              className="font-medium"
            >
              {nameOf(procedureId)}
            </Link>{" "}
            <span className="text-text-2">{version === undefined ? "Draft" : `Version ${version}`}</span>
          </span>
          <span className="text-small wrap-anywhere text-text-3">
            {nodeIds.length === 1 ? "Step" : "Steps"} {nodeIds.join(", ")}
          </span>
        </li>
      ))}
    </ul>
  );
}
