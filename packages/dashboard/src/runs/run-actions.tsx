import { useNavigate } from "@tanstack/react-router";
import { OctagonX, RotateCcw } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { Run } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { hasAbility, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { CancelRunDialog } from "./cancel-run-dialog.tsx";
import { RunAsCurl } from "./run-as-curl.tsx";

/** The actions of a run: an open one may be cancelled, and one that has ended may be run again. */
export function RunActions({ run }: { readonly run: Run }): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  const navigate = useNavigate();
  const [isCancelling, setCancelling] = useState(false);
  const isOpen = run.status === "running" || run.status === "awaiting_review";
  const mayRun = hasAbility(session, environment, "run");
  return (
    <div className="flex flex-wrap items-center gap-2" data-print="hide">
      <RunAsCurl run={run} />
      {mayRun && isOpen && (
        <Button variant="danger" icon={OctagonX} onClick={() => setCancelling(true)}>
          {writeLabel("Cancel run", environment)}
        </Button>
      )}
      {mayRun && !isOpen && (
        <Button
          icon={RotateCcw}
          onClick={() =>
            void navigate({
              to: "/$environment/runs/new",
              params: { environment },
              search: { procedure: run.procedureId, from: run.runId },
            })
          }
        >
          Run again
        </Button>
      )}
      {isCancelling && <CancelRunDialog run={run} onClose={() => setCancelling(false)} />}
    </div>
  );
}
