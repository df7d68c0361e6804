import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { buttonClass } from "../ui/button.tsx";
import { ActionChanges } from "./action-changes.tsx";
import { DocumentProblems } from "./document-problems.tsx";
import { Success } from "./test-result.tsx";
import type { Updated } from "./use-change-connection.ts";

/** What a saved change means for the actions of a connection, and for the procedures that call them. */
export function ChangesSummary({
  updated: { id, changes, problems = [] },
}: {
  readonly updated: Updated;
}): ReactElement {
  const environment = useEnvironment();
  return (
    <>
      <div role="status">
        <Success>The settings were saved.</Success>
      </div>
      {changes !== undefined && <ActionChanges changes={changes} />}
      {problems.length > 0 && <DocumentProblems problems={problems} onOpen={undefined} />}
      <Link
        to="/$environment/connections/$connectionId"
        params={{ environment, connectionId: id }}
        className={buttonClass("primary", "self-start")}
      >
        Open the connection
      </Link>
    </>
  );
}
