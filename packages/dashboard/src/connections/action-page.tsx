import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { connectionById } from "../api/connections.ts";
import type { Action } from "../api/models.ts";
import { SchemaTable } from "../forms/schema-table.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Section } from "../ui/section.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { EffectBadge, effectMeanings } from "./effect-badge.tsx";
import { actionByName } from "./use-connections.ts";

const route = getRouteApi("/signed-in/$environment/connections/$connectionId/actions/$name");

/** An action: what it does at the service, and the arguments that it takes. */
export function ActionPage(): ReactElement {
  const environment = useEnvironment();
  const { connectionId, name } = route.useParams();
  const found = useQuery(actionByName(environment, connectionId, name));
  const connection = useQuery(connectionById(environment, connectionId));
  const action = found.data;
  const path = `/api/v1/connections/${encodeURIComponent(connectionId)}/actions/${encodeURIComponent(name)}`;
  return (
    <Page
      heading={action?.name ?? name}
      subtitle={
        <>
          Action of{" "}
          <Link
            to="/$environment/connections/$connectionId"
            params={{ environment, connectionId }}
            className="wrap-anywhere"
          >
            {connection.data?.name ?? "the connection"}
          </Link>
        </>
      }
      isLoading={found.isPending}
      error={found.error}
      onRetry={() => void found.refetch()}
      actions={<CopyAsCurl request={{ path: `${path}?environment=${environment}` }} />}
    >
      {action !== undefined && <Content action={action} />}
    </Page>
  );
}

function Content({ action }: { readonly action: Action }): ReactElement {
  const { effect, description, operation, requiresReview, deprecated, formerNames, input, output } = action;
  return (
    <>
      <Facts>
        <Fact name="Effect">
          <EffectBadge effect={effect} />
        </Fact>
        {operation !== undefined && (
          <Fact name="Operation">
            <code className="font-mono text-code">
              {operation.method} {operation.path}
            </code>
          </Fact>
        )}
        {requiresReview === true && <Fact name="Review">A person approves each call</Fact>}
        {deprecated === true && <Fact name="State">Deprecated by the service</Fact>}
        {formerNames !== undefined && <Fact name="Former names">{formerNames.join(", ")}</Fact>}
      </Facts>
      <p className="text-text-2">{effectMeanings[effect]}</p>
      {description !== undefined && <p className="max-w-prose wrap-anywhere whitespace-pre-line">{description}</p>}
      <Section title="Input">
        <SchemaTable caption="Input" schema={input}>
          It takes no arguments.
        </SchemaTable>
      </Section>
      {output !== undefined && (
        <Section title="Output">
          <SchemaTable caption="Output" schema={output}>
            Its result has no named fields.
          </SchemaTable>
        </Section>
      )}
    </>
  );
}
