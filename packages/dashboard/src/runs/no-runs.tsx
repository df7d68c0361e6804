import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import type { ReactElement } from "react";
import { serviceAddress } from "../api/address.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Copy } from "../ui/copy.tsx";
import { curlCommand } from "../values/curl.ts";

/** The list without rows, because of its filters or because nothing ran. */
export function NoRuns({
  isFiltered,
  mayRun,
  onClear,
}: {
  readonly isFiltered: boolean;
  readonly mayRun: boolean;
  readonly onClear: () => void;
}): ReactElement {
  const environment = useEnvironment();
  if (isFiltered) {
    return (
      <Empty title="No runs fit these filters.">
        <Button onClick={onClear}>Clear filters</Button>
      </Empty>
    );
  }
  const command = curlCommand(location.origin + serviceAddress, {
    method: "POST",
    path: `/api/v1/procedures/PROCEDURE_ID/runs?environment=${environment}`,
    body: '{"data":{}}',
  });
  return (
    <Empty title={`Nothing has run in ${environmentNames[environment]} yet`}>
      <p className="max-w-prose text-text-2">
        A run executes one version of a procedure and records each step. Start one by hand or by a request to the API,
        or let a trigger start them: a schedule, an event of a service, or a webhook.
      </p>
      {mayRun && (
        <Link to="/$environment/runs/new" params={{ environment }} className={buttonClass()}>
          <Play aria-hidden size={15} />
          Start the first run
        </Link>
      )}
      {mayRun && (
        <div className="flex max-w-full items-start gap-1 rounded-panel bg-sunken py-2 pr-1 pl-3">
          <pre className="min-w-0 font-mono text-code whitespace-pre-wrap wrap-anywhere">{command}</pre>
          <Copy what="command" text={command} />
        </div>
      )}
    </Empty>
  );
}
