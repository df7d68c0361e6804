import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import type { components } from "../api/schema.d.ts";
import type { Version } from "../api/models.ts";
import { Alert } from "../ui/problem.tsx";
import { usedConnections } from "./promotion.ts";
import { firstConnections } from "./use-procedures.ts";

type FoundProblem = components["schemas"]["Problem"];

interface ConnectionsInLiveProps {
  readonly version: Version;
  /** Of the version, as live finds them. */
  readonly problems: readonly FoundProblem[];
}

/** The connections that a version will use in live, and whether they are there and healthy. */
export function ConnectionsInLive({ version, problems }: ConnectionsInLiveProps): ReactElement {
  const used = usedConnections(version);
  const { data: known } = useQuery(firstConnections("live"));
  const { data: inSandbox } = useQuery(firstConnections("sandbox"));
  const errors = problems.filter(({ severity }) => severity === "error");
  const missing = new Set(
    problems
      .filter(({ code }) => code === "unknown_connection")
      .map(({ nodeId }) => version.document.nodes.find(({ id }) => id === nodeId))
      .flatMap((node) => (node?.kind === "tool_call" ? [node.connection] : [])),
  );
  return (
    <section aria-label="Connections in live" className="flex flex-col gap-2">
      <h3 className="font-semibold">Connections in live</h3>
      {used.length === 0 && <p className="text-text-2">This version calls no connection.</p>}
      {used.length > 0 && (
        <ul className="divide-y divide-hairline rounded-panel border border-hairline">
          {used.map(({ name, steps }) => {
            const health = known?.find((one) => one.name === name)?.health;
            return (
              <li key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 px-3 py-1.5">
                <span className="min-w-0">
                  <span className="font-medium wrap-anywhere">{name}</span>
                  <span className="block text-small wrap-anywhere text-text-3">{steps.join(", ")}</span>
                </span>
                {missing.has(name) ? (
                  <span className="flex flex-wrap items-baseline gap-x-3">
                    <State icon="failed">Missing in live</State>
                    <WayToConnect name={name} inSandbox={inSandbox?.find((one) => one.name === name)} />
                  </span>
                ) : health !== undefined && health.status !== "ok" && health.status !== "unknown" ? (
                  <State icon="warning">{health.message ?? "Failing"}</State>
                ) : (
                  <State icon="ok">{health?.status === "ok" ? "Healthy" : "Available"}</State>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {errors.length > 0 && (
        <Alert>
          <p>This version cannot be the default of live:</p>
          <ul className="list-disc pl-4">
            {errors.map(({ path, message }) => (
              <li key={`${path} ${message}`}>{message}</li>
            ))}
          </ul>
        </Alert>
      )}
    </section>
  );
}

/** Leads to where a connection that live lacks is made, as the one of the same name in sandbox. */
function WayToConnect({
  name,
  inSandbox,
}: {
  readonly name: string;
  readonly inSandbox: components["schemas"]["ListedConnection"] | undefined;
}): ReactElement {
  const look = "inline-flex min-h-6 items-center text-accent";
  // A private connection is in both environments, and has a token for each.
  if (inSandbox?.tokenEnvironments !== undefined) {
    return (
      <Link
        to="/$environment/connections/$connectionId"
        params={{ environment: "sandbox", connectionId: inSandbox.id }}
        className={look}
      >
        Create its live token
      </Link>
    );
  }
  return (
    <Link
      to="/$environment/connections/new"
      params={{ environment: "live" }}
      search={inSandbox === undefined ? { name } : { kind: inSandbox.integration, name }}
      className={look}
    >
      Create {name} in live
    </Link>
  );
}

const states = {
  ok: { icon: CircleCheck, text: "text-completed" },
  warning: { icon: TriangleAlert, text: "text-review" },
  failed: { icon: CircleX, text: "text-failed" },
} as const;

function State({ icon, children }: { readonly icon: keyof typeof states; readonly children: string }): ReactElement {
  const { icon: Icon, text } = states[icon];
  return (
    <span className={`inline-flex items-center gap-1.5 text-small font-medium ${text}`}>
      <Icon aria-hidden size={14} />
      {children}
    </span>
  );
}
