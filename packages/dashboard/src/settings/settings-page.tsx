import { useQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";
import { serviceAddress } from "../api/address.ts";
import type { components } from "../api/schema.d.ts";
import { Page } from "../shell/page.tsx";
import { isAdministrator, useSession } from "../shell/session.ts";
import { Denied } from "../ui/denied.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Identifier } from "../values/identifier.tsx";
import { formatBytes, formatMs } from "./sizes.ts";
import { serviceFacts } from "./use-settings.ts";

type Facts = components["schemas"]["ServiceFacts"];

/** How the service is set up: read here, changed by its operator. */
export function SettingsPage(): ReactElement {
  const isAllowed = isAdministrator(useSession());
  return isAllowed ? <Settings /> : <Page heading="Settings">{<Denied what="the settings of the service" />}</Page>;
}

function Settings(): ReactElement {
  const facts = useQuery(serviceFacts);
  return (
    <Page
      heading="Settings"
      subtitle="How the service is set up. Its operator changes it, and restarts the service."
      isLoading={facts.isPending}
      error={facts.error}
      onRetry={() => void facts.refetch()}
      actions={<CopyAsCurl request={{ path: "/api/v1/service" }} />}
    >
      {facts.data !== undefined && (
        <div className="gap-4 lg:columns-2 *:mb-4 *:break-inside-avoid">
          <Service facts={facts.data} />
          <Addresses addresses={facts.data.addresses} />
          <Limits limits={facts.data.limits} />
          {facts.data.deployment !== undefined && <Deployment deployment={facts.data.deployment} />}
          <Documents />
        </div>
      )}
    </Page>
  );
}

function Service({ facts: { version, models, timeZone } }: { readonly facts: Facts }): ReactElement {
  return (
    <Section title="Service">
      <Fact name="Version">{version}</Fact>
      <Fact name="Language models">{models.length === 0 ? "None" : models.join(", ")}</Fact>
      <Fact name="Time zone of its days">{timeZone}</Fact>
    </Section>
  );
}

function Addresses({ addresses }: { readonly addresses: Facts["addresses"] }): ReactElement {
  return (
    <Section title="Addresses">
      <Fact name="Runner API" hint="Programs start runs here.">
        <Identifier what="Runner API address" id={addresses.runnerUrl} />
      </Fact>
      <Fact name="Application" hint="The dashboard and its API.">
        <Identifier what="application address" id={addresses.appUrl} />
      </Fact>
      <Fact name="Private connections" hint="Their clients poll here.">
        <Identifier what="private connections address" id={addresses.sdkUrl} />
      </Fact>
    </Section>
  );
}

function Limits({ limits }: { readonly limits: Facts["limits"] }): ReactElement {
  const { requestsPerSecond, maxRequestBytes, maxConnectionRequestBytes, maxJsonDepth } = limits;
  return (
    <Section title="Limits">
      <Fact name="Requests per second" hint="Of each API key, person and private connection.">
        {requestsPerSecond === undefined ? "No limit" : requestsPerSecond.toLocaleString("en")}
      </Fact>
      <Fact name="Request body">{formatBytes(maxRequestBytes)}</Fact>
      <Fact name="Request body of a connection" hint="It may hold an OpenAPI document.">
        {formatBytes(maxConnectionRequestBytes)}
      </Fact>
      <Fact name="Nesting of JSON">{`${maxJsonDepth.toLocaleString("en")} levels`}</Fact>
    </Section>
  );
}

const roles: Readonly<Record<NonNullable<Facts["deployment"]>["role"], string>> = {
  all: "Serves HTTP and executes runs",
  http: "Serves HTTP only",
  execute: "Executes runs only",
};

function Deployment({ deployment }: { readonly deployment: NonNullable<Facts["deployment"]> }): ReactElement {
  const { node, storage, schemaVersion, role, drainMs, allowNetworks } = deployment;
  return (
    <Section title="Process that answered">
      <Fact name="Node.js">{node}</Fact>
      <Fact name="Storage">{storage === "sqlite" ? "SQLite" : "Postgres"}</Fact>
      <Fact name="Schema version">{schemaVersion}</Fact>
      <Fact name="Role">{roles[role]}</Fact>
      <Fact name="Wait for calls when it stops">{formatMs(drainMs)}</Fact>
      <Fact name="Allowed private networks" hint="Outgoing requests may reach these beside the public internet.">
        {allowNetworks.length === 0 ? "None" : allowNetworks.join(", ")}
      </Fact>
    </Section>
  );
}

const documents: readonly { readonly name: string; readonly path: string }[] = [
  { name: "HTTP API (OpenAPI)", path: "/api/v1/openapi.json" },
  { name: "Schema of procedures", path: "/api/v1/procedure.schema.json" },
  { name: "Public key of records", path: "/api/v1/audit/public-key" },
];

function Documents(): ReactElement {
  return (
    <section aria-label="Documents" className="rounded-panel border border-hairline bg-surface p-4">
      <h2 className="text-section font-semibold">Documents</h2>
      <ul className="mt-2 flex flex-col gap-1">
        {documents.map(({ name, path }) => (
          <li key={path}>
            <a href={`${serviceAddress}${path}`} className="text-accent underline">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={title} className="rounded-panel border border-hairline bg-surface p-4">
      <h2 className="text-section font-semibold">{title}</h2>
      <dl className="mt-2 flex flex-col divide-y divide-hairline">{children}</dl>
    </section>
  );
}

function Fact({
  name,
  hint,
  children,
}: {
  readonly name: string;
  readonly hint?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="grid gap-x-4 py-1.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <dt className="text-text-2">{name}</dt>
      <dd className="wrap-anywhere">
        {children}
        {hint !== undefined && <span className="block text-small text-text-3">{hint}</span>}
      </dd>
    </div>
  );
}
