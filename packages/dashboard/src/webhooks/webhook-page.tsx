import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import type { Webhook } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { mayNotManage } from "../shell/why-not.ts";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Identifier } from "../values/identifier.tsx";
import { Moment } from "../values/moment.tsx";
import { ShownOnce } from "../values/shown-once.tsx";
import { Deliveries } from "./deliveries.tsx";
import type { RotatedSecret } from "./rotate-secret-dialog.tsx";
import { SignatureTryOut } from "./signature-try-out.tsx";
import { webhookById } from "./use-webhooks.ts";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookFacts } from "./webhook-facts.tsx";

const route = getRouteApi("/signed-in/$environment/webhooks/$webhookId");

/** A webhook: its state, its deliveries, and a place to try its signatures. */
export function WebhookPage(): ReactElement {
  const environment = useEnvironment();
  const { webhookId } = route.useParams();
  const found = useQuery(webhookById(environment, webhookId));
  const webhook = found.data;
  const path = `/api/v1/webhooks/${encodeURIComponent(webhookId)}?environment=${environment}`;
  const [rotated, setRotated] = useState<RotatedSecret>();
  const mayManage = hasAbility(useSession(), environment, "manage");
  // A secret belongs to the webhook of the address.
  const shown = rotated?.id === webhookId ? rotated : undefined;
  return (
    <Page
      heading={webhook?.name ?? "Webhook"}
      subtitle={<Identifier what="webhook id" id={webhookId} />}
      isLoading={found.isPending}
      error={found.error}
      onRetry={() => void found.refetch()}
      actions={
        <>
          <CopyAsCurl request={{ path }} />
          {webhook !== undefined && mayManage && <WebhookActions webhook={webhook} onRotated={setRotated} />}
        </>
      }
    >
      {shown !== undefined && <NewSecret rotated={shown} onStored={() => setRotated(undefined)} />}
      {webhook !== undefined && <Content key={webhookId} webhook={webhook} />}
    </Page>
  );
}

function Content({ webhook }: { readonly webhook: Webhook }): ReactElement {
  const environment = useEnvironment();
  const mayManage = hasAbility(useSession(), environment, "manage");
  return (
    <>
      <WebhookFacts webhook={webhook} />
      {!mayManage && <p className="text-text-2">{mayNotManage("webhooks", environment)}</p>}
      <Deliveries webhook={webhook} mayManage={mayManage} />
      <SignatureTryOut />
    </>
  );
}

function NewSecret({
  rotated: { secret, oldSecretExpiresAt },
  onStored,
}: {
  readonly rotated: RotatedSecret;
  readonly onStored: () => void;
}): ReactElement {
  return (
    <>
      <p className="max-w-prose">
        {oldSecretExpiresAt === undefined ? (
          "The old secret is void. The receiver refuses requests until it has this secret."
        ) : (
          <>
            Give the receiver this secret before <Moment at={oldSecretExpiresAt} />. Until then the old secret signs
            too, in the header X-Service-Signature-Old.
          </>
        )}
      </p>
      <ShownOnce what="Signing secret" secret={secret} fileName="webhook-secret.txt" onStored={onStored} />
    </>
  );
}
