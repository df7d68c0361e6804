import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";

const viewClass =
  "border-b-2 border-transparent px-1 py-1.5 font-medium whitespace-nowrap text-text-2 no-underline hover:text-text " +
  "aria-[current=page]:border-accent aria-[current=page]:text-text pointer-coarse:py-3";

/** The views of a run, each with an address of its own. */
export function RunViews({ runId }: { readonly runId: string }): ReactElement {
  const environment = useEnvironment();
  const view = {
    params: { environment, runId },
    className: viewClass,
    activeProps: { "aria-current": "page" },
  } as const;
  return (
    <nav aria-label="Run views" className="flex gap-4 overflow-x-auto border-b border-hairline">
      <Link to="/$environment/runs/$runId" {...view} activeOptions={{ exact: true, includeSearch: false }}>
        Timeline
      </Link>
      <Link to="/$environment/runs/$runId/flowchart" {...view}>
        Flowchart
      </Link>
      <Link to="/$environment/runs/$runId/data" {...view}>
        Data
      </Link>
      <Link to="/$environment/runs/$runId/deliveries" {...view}>
        Deliveries
      </Link>
      <Link to="/$environment/runs/$runId/record" {...view} activeOptions={{ includeSearch: false }}>
        Record
      </Link>
    </nav>
  );
}
