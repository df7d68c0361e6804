import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import { oneKey } from "../api/query-keys.ts";
import { useEnvironment } from "../shell/environment.ts";
import { shortId } from "../values/identifier.tsx";
import { useTimeZone } from "../values/preferences.ts";
import { triggerLine, type RunTrigger } from "./run-trigger.ts";

/** What started a run, by the name of the trigger. A deleted trigger has only its id. */
export function RunTriggerFact({ trigger }: { readonly trigger: RunTrigger }): ReactElement {
  const { triggerId } = trigger;
  const { data } = useQuery({ ...oneTrigger(useEnvironment(), triggerId ?? ""), enabled: triggerId !== undefined });
  const name = data?.name ?? (triggerId === undefined ? undefined : shortId(triggerId));
  return <span title={triggerId}>{triggerLine(trigger, name, useTimeZone())}</span>;
}

function oneTrigger(environment: Environment, triggerId: string) {
  return queryOptions({
    queryKey: oneKey("trigger", environment, triggerId),
    queryFn: () =>
      answerOf(api.GET("/api/v1/triggers/{triggerId}", { params: { path: { triggerId }, query: { environment } } })),
  });
}
