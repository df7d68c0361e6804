import { Link } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import type { Environment, Procedure } from "../api/models.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { Age } from "../values/moment.tsx";

/** The draft, and the version that runs in each environment. */
export function DefaultLanes({ procedure }: { readonly procedure: Procedure }): ReactElement {
  const { draft } = procedure;
  return (
    <dl className="grid divide-hairline rounded-panel border border-hairline bg-surface max-sm:divide-y sm:grid-cols-3 sm:divide-x">
      <Lane
        name="Draft"
        detail={
          draft !== undefined && (
            <>
              saved by {draft.by}, <Age since={draft.updatedAt} />
              {draft.basedOn !== undefined && `, from version ${draft.basedOn}`}
            </>
          )
        }
      >
        {draft === undefined ? <None /> : `Revision ${draft.revision}`}
      </Lane>
      {(["sandbox", "live"] as const).map((environment) => (
        <DefaultLane key={environment} lane={environment} procedure={procedure} />
      ))}
    </dl>
  );
}

function DefaultLane({
  lane,
  procedure: { procedureId, defaults, versions },
}: {
  readonly lane: Environment;
  readonly procedure: Procedure;
}): ReactElement {
  const environment = useEnvironment();
  const version = defaults[lane];
  const published = versions.find((one) => one.version === version);
  return (
    <Lane
      name={environmentNames[lane]}
      detail={
        published !== undefined && (
          <>
            published by {published.publishedBy}, <Age since={published.publishedAt} />
          </>
        )
      }
    >
      {version === undefined ? (
        <None />
      ) : (
        <Link
          to="/$environment/procedures/$procedureId/versions/$version"
          params={{ environment, procedureId, version }}
        >
          Version {version}
        </Link>
      )}
    </Lane>
  );
}

function Lane({
  name,
  detail,
  children,
}: {
  readonly name: string;
  readonly detail: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="min-w-0 px-4 py-3">
      <dt className="text-small text-text-3">{name}</dt>
      <dd className="wrap-anywhere">
        <span className="text-section font-semibold">{children}</span>
        {detail !== false && <span className="block text-small text-text-2">{detail}</span>}
      </dd>
    </div>
  );
}

function None(): ReactElement {
  return <span className="font-normal text-text-3">None</span>;
}
