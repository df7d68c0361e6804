import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { answerOf, api } from "../api/client.ts";
import { listKey } from "../api/query-keys.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { buttonClass } from "../ui/button.tsx";

/** The steps to the first run of an environment, each ticked once it is done. */
export function FirstSteps(): ReactElement {
  const environment = useEnvironment();
  const query = { environment, limit: 1 } as const;
  const connections = useQuery({
    queryKey: listKey("connection", environment, "first"),
    queryFn: () => answerOf(api.GET("/api/v1/connections", { params: { query } })),
  });
  const procedures = useQuery({
    queryKey: listKey("procedure", environment, "first"),
    queryFn: () => answerOf(api.GET("/api/v1/procedures", { params: { query } })),
  });
  const hasProcedure = procedures.data?.data.some(({ defaults }) => defaults[environment] !== undefined) ?? false;
  return (
    <section aria-label="First steps" className="rounded-panel border border-hairline bg-surface p-5">
      <h2 className="text-section font-semibold">First steps in {environmentNames[environment]}</h2>
      <ol className="mt-3 flex flex-col gap-3">
        <Step isDone={(connections.data?.data.length ?? 0) > 0} title="Connect a service">
          <code className="font-mono text-code">procedo connections create</code>
        </Step>
        <Step isDone={hasProcedure} title="Publish a procedure, and make a version the default">
          <Link to="/$environment/procedures" params={{ environment }} className={buttonClass()}>
            Procedures
          </Link>
        </Step>
        <Step isDone={false} title="Start a run">
          {hasProcedure && (
            <Link to="/$environment/runs/new" params={{ environment }} className={buttonClass("primary")}>
              Start run
            </Link>
          )}
        </Step>
      </ol>
    </section>
  );
}

function Step({
  isDone,
  title,
  children,
}: {
  readonly isDone: boolean;
  readonly title: string;
  readonly children: ReactNode;
}): ReactElement {
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <li className="flex flex-wrap items-center gap-3">
      <Icon aria-hidden size={18} className={isDone ? "text-completed" : "text-text-3"} />
      <span className="font-medium">
        {title}
        {isDone && <span className="sr-only">, done</span>}
      </span>
      {!isDone && children}
    </li>
  );
}
