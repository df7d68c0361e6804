import { useQuery } from "@tanstack/react-query";
import { useMatchRoute } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Run } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { deliveriesOfRun } from "./use-run-deliveries.ts";

/** Copies the request of the view that is open. Its deliveries are read from each webhook by a request of its own. */
export function RunAsCurl({ run }: { readonly run: Run }): ReactElement {
  const environment = useEnvironment();
  const matches = useMatchRoute();
  const isRecord = matches({ to: "/$environment/runs/$runId/record" }) !== false;
  const isDeliveries = matches({ to: "/$environment/runs/$runId/deliveries" }) !== false;
  const deliveries = useQuery({ ...deliveriesOfRun(environment, run), enabled: isDeliveries });
  if (isDeliveries) {
    const webhooks = { path: `/api/v1/webhooks?environment=${environment}` };
    return <CopyAsCurl request={[webhooks, ...(deliveries.data?.requests ?? [])]} />;
  }
  const path = `/api/v1/runs/${run.runId}`;
  const query = `?environment=${environment}`;
  return <CopyAsCurl request={{ path: isRecord ? `${path}/audit${query}` : `${path}${query}&include=timeline` }} />;
}
