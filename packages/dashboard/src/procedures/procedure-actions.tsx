import { Link } from "@tanstack/react-router";
import { ArrowUpFromLine, GitCompare, Pencil, Play } from "lucide-react";
import { useId, useState, type ReactElement } from "react";
import type { Procedure } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { hasAbility, useSession } from "../shell/session.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { PromoteDialog } from "./promote-dialog.tsx";
import { whyNotPromoted } from "./promotion.ts";

/** The ways on from a procedure. A promotion that is not possible says why. */
export function ProcedureActions({ procedure }: { readonly procedure: Procedure }): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  const [isPromoting, setPromoting] = useState(false);
  const reasonId = useId();
  const { procedureId, defaults, versions } = procedure;
  const whyNot = whyNotPromoted(defaults, hasAbility(session, "live", "manage"));
  const path = `/api/v1/procedures/${encodeURIComponent(procedureId)}?environment=${environment}`;
  return (
    <>
      <CopyAsCurl request={{ path }} />
      {versions.length > 0 && (
        <Link
          to="/$environment/procedures/$procedureId/compare"
          params={{ environment, procedureId }}
          search={{
            from: defaults.live ?? versions.at(-1)?.version ?? "",
            to: defaults.sandbox ?? versions[0]?.version ?? "",
          }}
          className={buttonClass()}
        >
          <GitCompare aria-hidden size={15} />
          Compare
        </Link>
      )}
      {hasAbility(session, environment, "manage") && (
        <Link
          to="/$environment/procedures/$procedureId/edit"
          params={{ environment, procedureId }}
          className={buttonClass()}
        >
          <Pencil aria-hidden size={15} />
          Edit
        </Link>
      )}
      {versions.length > 0 && (
        <Button
          icon={ArrowUpFromLine}
          disabled={whyNot !== undefined}
          title={whyNot}
          aria-describedby={whyNot === undefined ? undefined : reasonId}
          onClick={() => setPromoting(true)}
        >
          Promote to live
        </Button>
      )}
      {defaults[environment] !== undefined && hasAbility(session, environment, "run") && (
        <Link
          to="/$environment/runs/new"
          params={{ environment }}
          search={{ procedure: procedureId }}
          className={buttonClass("primary")}
        >
          <Play aria-hidden size={15} />
          {writeLabel("Start run", environment)}
        </Link>
      )}
      {whyNot !== undefined && versions.length > 0 && (
        <p id={reasonId} className="w-full text-right text-small text-text-3 max-md:text-left">
          {whyNot}
        </p>
      )}
      {isPromoting && <PromoteDialog procedure={procedure} onClose={() => setPromoting(false)} />}
    </>
  );
}
