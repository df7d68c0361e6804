import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState, type ReactElement } from "react";
import { connectionById } from "../api/connections.ts";
import type { Connection, Integration } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { mayNotManage } from "../shell/why-not.ts";
import { Section } from "../ui/section.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Identifier } from "../values/identifier.tsx";
import { ActionsSection } from "./actions-section.tsx";
import { AuthorizationSection } from "./authorization-section.tsx";
import { ConnectionActions } from "./connection-actions.tsx";
import { draftOf, secretFields } from "./connection-draft.ts";
import { ConnectionFacts } from "./connection-facts.tsx";
import { connectionForm } from "./connection-form.ts";
import { InboundSection } from "./inbound-section.tsx";
import { PrivateSections } from "./private-sections.tsx";
import { SecretsSection } from "./secrets-section.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { Success, TestResult } from "./test-result.tsx";
import { useTestConnection } from "./use-change-connection.ts";
import { allIntegrations } from "./use-connections.ts";
import { UsesList } from "./uses-list.tsx";

const route = getRouteApi("/signed-in/$environment/connections/$connectionId");

/** A connection: whether it works, what it may do, and who uses it. */
export function ConnectionPage(): ReactElement {
  const environment = useEnvironment();
  const { connectionId } = route.useParams();
  return <OneConnection key={`${environment} ${connectionId}`} connectionId={connectionId} />;
}

function OneConnection({ connectionId }: { readonly connectionId: string }): ReactElement {
  const environment = useEnvironment();
  const mayManage = hasAbility(useSession(), environment, "manage");
  const found = useQuery(connectionById(environment, connectionId));
  const integrations = useQuery(allIntegrations(environment));
  const test = useTestConnection(environment, connectionId);
  const connection = found.data;
  const path = `/api/v1/connections/${encodeURIComponent(connectionId)}?environment=${environment}`;
  return (
    <Page
      heading={connection?.name ?? "Connection"}
      subtitle={<Identifier what="connection id" id={connectionId} />}
      isLoading={found.isPending || integrations.isPending}
      error={found.error ?? integrations.error}
      onRetry={() => void Promise.all([found.refetch(), integrations.refetch()])}
      actions={
        <>
          <CopyAsCurl request={{ path }} />
          {connection !== undefined && mayManage && <ConnectionActions connection={connection} test={test} />}
        </>
      }
    >
      <TestResult test={test} />
      {connection !== undefined && (
        <Content
          connection={connection}
          integration={integrations.data?.find(({ id }) => id === connection.integration)}
          mayManage={mayManage}
          hasFailedTest={test.data?.ok === false}
        />
      )}
    </Page>
  );
}

function Content({
  connection,
  integration,
  mayManage,
  hasFailedTest,
}: {
  readonly connection: Connection;
  /** `undefined` for one that the service does not have any more. */
  readonly integration: Integration | undefined;
  readonly mayManage: boolean;
  readonly hasFailedTest: boolean;
}): ReactElement {
  const environment = useEnvironment();
  const returned = useReturn();
  const { id, oauth, inbound, usedBy } = connection;
  const form = integration && connectionForm(integration);
  const isPrivate = integration?.kind === "private";
  return (
    <>
      <div role="status" aria-label="Authorization result" className="empty:hidden">
        {returned.isShown && oauth?.status === "connected" && (
          <Success>{`The connection is authorized${oauth.account === undefined ? "" : ` as ${oauth.account.name}`}. Runs that waited for it go on.`}</Success>
        )}
      </div>
      <ConnectionFacts
        connection={connection}
        title={integration?.title ?? connection.integration}
        isReasonShown={hasFailedTest}
      />
      {!mayManage && <p className="text-text-2">{mayNotManage("connections", environment)}</p>}
      {oauth !== undefined && (
        <AuthorizationSection connectionId={id} oauth={oauth} mayManage={mayManage} onLeave={returned.hide} />
      )}
      {isPrivate && <PrivateSections connection={connection} />}
      {!isPrivate && <SettingsSection connection={connection} mayManage={mayManage && form !== undefined} />}
      {form !== undefined && !isPrivate && (
        <SecretsSection
          connection={connection}
          fields={secretFields(form, draftOf(form, connection))}
          otherSecrets={form.otherSecrets}
          mayManage={mayManage}
        />
      )}
      {inbound !== undefined && <InboundSection inbound={inbound} />}
      <Section title="Used by">
        {usedBy.length === 0 ? (
          <p className="text-text-2">No default version and no draft calls it in this environment.</p>
        ) : (
          <UsesList uses={usedBy} />
        )}
      </Section>
      <ActionsSection
        connectionId={id}
        title={isPrivate ? "Functions" : "Actions"}
        empty={isPrivate ? "No client has registered a function in this environment." : "It has no actions."}
      />
    </>
  );
}

/** Whether the person has just come back from the service. The address forgets it, so that it is said once. */
function useReturn(): { readonly isShown: boolean; readonly hide: () => void } {
  const { authorized } = route.useSearch();
  const navigate = route.useNavigate();
  const [isShown, setShown] = useState(authorized !== undefined);
  useEffect(() => {
    if (authorized !== undefined) void navigate({ search: ({ q }) => (q === undefined ? {} : { q }), replace: true });
  }, [authorized, navigate]);
  return { isShown, hide: () => setShown(false) };
}
