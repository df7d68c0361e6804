import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { DeliveryDetails } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { DeliveryStatus } from "../ui/delivery-status.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Problem } from "../ui/problem.tsx";
import { Section } from "../ui/section.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Identifier } from "../values/identifier.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { Moment, Until } from "../values/moment.tsx";
import { AttemptsTable } from "./attempts-table.tsx";
import { ResendDialog } from "./resend-dialog.tsx";
import { useResend } from "./use-webhook-changes.ts";
import { deliveryById, webhookById } from "./use-webhooks.ts";

const route = getRouteApi("/signed-in/$environment/webhooks/$webhookId/deliveries/$deliveryId");

/** One event on its way to one webhook: its request, its attempts and their answers. */
export function DeliveryPage(): ReactElement {
  const environment = useEnvironment();
  const { webhookId, deliveryId } = route.useParams();
  const found = useQuery(deliveryById(environment, webhookId, deliveryId));
  const delivery = found.data;
  const mayManage = hasAbility(useSession(), environment, "manage");
  const resend = useResend(environment, webhookId);
  const [isAsking, setAsking] = useState(false);
  const path = ["webhooks", webhookId, "deliveries", deliveryId].map(encodeURIComponent).join("/");
  const repeat = (): void => {
    setAsking(false);
    resend.mutate(deliveryId);
  };
  return (
    <Page
      heading={delivery?.event ?? "Delivery"}
      subtitle={<Identifier what="delivery id" id={deliveryId} />}
      isLoading={found.isPending}
      error={found.error}
      onRetry={() => void found.refetch()}
      actions={
        <>
          <CopyAsCurl request={{ path: `/api/v1/${path}?environment=${environment}` }} />
          {delivery !== undefined && mayManage && (
            <Button
              icon={RotateCw}
              busyLabel={resend.isPending ? "Resending …" : undefined}
              onClick={() => (delivery.status === "delivered" ? setAsking(true) : repeat())}
            >
              {writeLabel("Resend", environment)}
            </Button>
          )}
        </>
      }
    >
      {resend.error !== null && <Problem error={resend.error} />}
      {delivery !== undefined && (
        <>
          <DeliveryFacts webhookId={webhookId} delivery={delivery} />
          <Section title="Attempts">
            <AttemptsTable attempts={delivery.attempts} />
          </Section>
          <Section title="Request">
            <p className="max-w-prose text-text-2">
              Each attempt is a POST of this body as JSON. The header X-Service-Signature has its signature by the
              secret of the webhook.
            </p>
            <JsonView what="Body" value={delivery.envelope as unknown as JsonValue} />
          </Section>
        </>
      )}
      {isAsking && <ResendDialog onClose={() => setAsking(false)} onResend={repeat} />}
    </Page>
  );
}

function DeliveryFacts({
  webhookId,
  delivery,
}: {
  readonly webhookId: string;
  readonly delivery: DeliveryDetails;
}): ReactElement {
  const environment = useEnvironment();
  const webhook = useQuery(webhookById(environment, webhookId));
  const { status, responseCode, url, runId, createdAt, deliveredAt, nextAttemptAt, error } = delivery;
  return (
    <>
      <Facts>
        <Fact name="Status">
          <span role="status">
            <DeliveryStatus status={status} responseCode={responseCode} />
          </span>
        </Fact>
        <Fact name="Webhook">
          <Link to="/$environment/webhooks/$webhookId" params={{ environment, webhookId }} className="underline">
            {webhook.data?.name ?? webhookId}
          </Link>
        </Fact>
        <Fact name="Address">
          <code className="font-mono text-code">{url}</code>
        </Fact>
        <Fact name="Run">
          {runId === undefined ? (
            "None: a test"
          ) : (
            <Link to="/$environment/runs/$runId" params={{ environment, runId }} className="underline">
              {runId}
            </Link>
          )}
        </Fact>
        <Fact name="Event occurred">
          <Moment at={createdAt} />
        </Fact>
        {deliveredAt !== undefined && (
          <Fact name="Delivered">
            <Moment at={deliveredAt} />
          </Fact>
        )}
        {nextAttemptAt !== undefined && (
          <Fact name="Next attempt">
            <Until at={nextAttemptAt} />
          </Fact>
        )}
      </Facts>
      {error !== undefined && <p className="max-w-prose wrap-anywhere">{error}</p>}
    </>
  );
}
