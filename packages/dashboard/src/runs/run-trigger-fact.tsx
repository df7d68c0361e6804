import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { triggerById } from "../api/triggers.ts";
import { useEnvironment } from "../shell/environment.ts";
import { shortId } from "../values/identifier.tsx";
import { useTimeZone } from "../values/preferences.ts";
import { triggerLine, type RunTrigger } from "./run-trigger.ts";

/** What started a run, by the name of the trigger. A deleted trigger has only its id. */
export function RunTriggerFact({ trigger }: { readonly trigger: RunTrigger }): ReactElement {
  const environment = useEnvironment();
  const { triggerId } = trigger;
  const { data } = useQuery({
    ...triggerById(environment, triggerId ?? ""),
    enabled: triggerId !== undefined,
    // The name is all that is shown.
    refetchInterval: false,
  });
  const name = data?.name ?? (triggerId === undefined ? undefined : shortId(triggerId));
  const line = triggerLine(trigger, name, useTimeZone());
  if (data === undefined) return <span title={triggerId}>{line}</span>;
  return (
    <Link
      to="/$environment/triggers/$triggerId"
      params={{ environment, triggerId: data.id }}
      className="underline decoration-control underline-offset-2 hover:decoration-current"
    >
      {line}
    </Link>
  );
}
