import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { connectionById } from "../api/connections.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { mayNotManage } from "../shell/why-not.ts";
import { Alert } from "../ui/problem.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { ChangesSummary } from "./changes-summary.tsx";
import { EditConnectionForm } from "./edit-connection-form.tsx";
import type { Updated } from "./use-change-connection.ts";
import { allIntegrations } from "./use-connections.ts";

const route = getRouteApi("/signed-in/$environment/connections/$connectionId/edit");

/** Changes the settings of a connection, and says what that means for the procedures that use it. */
export function EditConnectionPage(): ReactElement {
  const environment = useEnvironment();
  const { connectionId } = route.useParams();
  return <EditConnection key={`${environment} ${connectionId}`} connectionId={connectionId} />;
}

function EditConnection({ connectionId }: { readonly connectionId: string }): ReactElement {
  const environment = useEnvironment();
  const mayManage = hasAbility(useSession(), environment, "manage");
  const found = useQuery(connectionById(environment, connectionId));
  const integrations = useQuery(allIntegrations(environment));
  const [updated, setUpdated] = useState<Updated>();
  const connection = found.data;
  const integration = integrations.data?.find(({ id }) => id === connection?.integration);
  const path = `/api/v1/connections/${encodeURIComponent(connectionId)}`;
  return (
    <Page
      heading={connection === undefined ? "Edit settings" : `Edit ${connection.name}`}
      isLoading={found.isPending || integrations.isPending}
      error={found.error ?? integrations.error}
      onRetry={() => void Promise.all([found.refetch(), integrations.refetch()])}
      actions={<CopyAsCurl request={{ path: `${path}?environment=${environment}&include=spec` }} />}
    >
      {!mayManage && <Alert tone="review">{mayNotManage("connections", environment)}</Alert>}
      {updated !== undefined && <ChangesSummary updated={updated} />}
      {mayManage && updated === undefined && connection !== undefined && integration !== undefined && (
        <EditConnectionForm connection={connection} integration={integration} onDone={setUpdated} />
      )}
    </Page>
  );
}
