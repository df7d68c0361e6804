import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { serviceAddress } from "../api/address.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { hasAbility, useSession } from "../shell/session.ts";
import { buttonClass } from "../ui/button.tsx";
import { Copy } from "../ui/copy.tsx";
import { Empty } from "../ui/empty.tsx";
import { curlCommand, type CurlRequest } from "../values/curl.ts";
import { beginningOf } from "./use-home.ts";

/** The steps to the first run of an environment, each ticked once it is done. */
export function FirstSteps(): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  const { connections, procedures } = beginningOf(environment);
  const hasConnection = (useQuery(connections).data?.data.length ?? 0) > 0;
  const found = useQuery(procedures).data?.data;
  const ready = found?.find(({ defaults }) => defaults[environment] !== undefined);
  // It was tried in sandbox, and need not be published again.
  const tried =
    environment === "live" && ready === undefined
      ? found?.find(({ defaults }) => defaults.sandbox !== undefined)
      : undefined;
  const isBuilder = hasAbility(session, environment, "manage") && hasAbility(session, environment, "run");
  if (!isBuilder) {
    return (
      <Empty title={`No run was started in ${environmentNames[environment]} yet.`}>
        <p>A builder connects a service, publishes a procedure, and starts the first run.</p>
      </Empty>
    );
  }
  const inEnvironment = `?environment=${environment}`;
  const procedureId = ready?.procedureId ?? "vendor-payment";
  return (
    <section aria-label="First steps" className="rounded-panel border border-hairline bg-surface px-5 py-4">
      <h2 className="text-section font-semibold">First steps in {environmentNames[environment]}</h2>
      <ol className="mt-2 divide-y divide-hairline">
        <Step
          isDone={hasConnection}
          title="Connect a service"
          text="Your bank or ledger, by its OpenAPI document."
          curl={{
            method: "POST",
            path: `/api/v1/connections${inEnvironment}`,
            body: JSON.stringify({
              name: "ledger",
              integration: "custom_api",
              environment,
              settings: { spec: { url: "https://ledger.example/openapi.json" } },
            }),
          }}
        >
          <Link to="/$environment/connections/new" params={{ environment }} className={buttonClass()}>
            New connection
          </Link>
        </Step>
        <Step
          isDone={ready !== undefined}
          title={tried === undefined ? "Publish a procedure" : "Promote a procedure to live"}
          text={
            tried === undefined
              ? "Its first version becomes the default."
              : `${tried.name} has a version in sandbox. Its page promotes it.`
          }
          curl={
            tried === undefined
              ? {
                  method: "POST",
                  path: `/api/v1/procedures/vendor-payment/versions${inEnvironment}`,
                  body: '{"version":"1","document":{…}}',
                }
              : {
                  method: "PUT",
                  path: `/api/v1/procedures/${encodeURIComponent(tried.procedureId)}/defaults/live${inEnvironment}`,
                  body: JSON.stringify({ version: tried.defaults.sandbox }),
                }
          }
        >
          {tried === undefined ? (
            <Link to="/$environment/procedures" params={{ environment }} className={buttonClass()}>
              Procedures
            </Link>
          ) : (
            <Link
              to="/$environment/procedures/$procedureId"
              params={{ environment, procedureId: tried.procedureId }}
              className={buttonClass()}
            >
              Open procedure
            </Link>
          )}
        </Step>
        <Step
          isDone={false}
          title={ready === undefined ? "Start a run" : `Start a run of ${ready.name}`}
          text="By the form that its input schema describes."
          curl={{
            method: "POST",
            path: `/api/v1/procedures/${encodeURIComponent(procedureId)}/runs${inEnvironment}`,
            body: '{"data":{…}}',
          }}
        >
          <Link
            to="/$environment/runs/new"
            params={{ environment }}
            search={ready === undefined ? {} : { procedure: ready.procedureId }}
            className={buttonClass(ready === undefined ? "secondary" : "primary")}
          >
            Start run
          </Link>
        </Step>
      </ol>
    </section>
  );
}

function Step({
  isDone,
  title,
  text,
  curl,
  children,
}: {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  readonly curl: CurlRequest;
  /** The page of the step. */
  readonly children?: ReactNode;
}): ReactElement {
  const Icon = isDone ? CircleCheck : CircleDashed;
  const command = curlCommand(location.origin + serviceAddress, curl);
  return (
    <li className="flex items-start gap-3 py-3">
      <Icon aria-hidden size={18} className={`mt-0.5 shrink-0 ${isDone ? "text-completed" : "text-text-3"}`} />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {title}
          {isDone && <span className="ml-2 font-normal text-completed">Done</span>}
        </p>
        {!isDone && (
          <>
            <p className="text-text-2">{text}</p>
            <p className="mt-1 flex items-center gap-1">
              <code className="min-w-0 truncate rounded-control bg-sunken px-2 py-0.5 font-mono text-code">
                {command.replaceAll(" \\\n  ", " ")}
              </code>
              <Copy what={`${title.toLowerCase()} as curl`} text={command} />
            </p>
          </>
        )}
      </div>
      {!isDone && children !== undefined && <span className="shrink-0">{children}</span>}
    </li>
  );
}
