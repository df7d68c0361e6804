import type { Environment } from "../api/models.ts";

/** Lists whose objects exist in one environment only. */
const ofOneEnvironment: ReadonlySet<string> = new Set(["runs", "reviews", "webhooks", "triggers"]);

/**
 * The address in another environment that shows the same: the same page, or its list if it shows an object that exists in
 * one environment only. A page of the workspace leads to the environment's home, and the audit to its part of the audit.
 */
export function addressIn(
  environment: Environment,
  { pathname, search }: { pathname: string; search: string },
): string {
  const [present, list, id, ...rest] = pathname.split("/").slice(1);
  if (present === "audit") return `/audit${withEnvironment(search, environment)}`;
  if (present !== "sandbox" && present !== "live") return `/${environment}`;
  if (list === undefined || list === "") return `/${environment}`;
  if (id !== undefined && id !== "" && ofOneEnvironment.has(list)) {
    return id === "new" ? `/${environment}/${list}/new${withoutRun(search)}` : `/${environment}/${list}`;
  }
  return `/${[environment, list, ...(id === undefined ? [] : [id]), ...rest].join("/")}${search}`;
}

/** Without the run whose input is started again: it exists in the other environment only. */
function withoutRun(search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.delete("from");
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

function withEnvironment(search: string, environment: Environment): string {
  const parameters = new URLSearchParams(search);
  parameters.set("environment", environment);
  return `?${parameters.toString()}`;
}
