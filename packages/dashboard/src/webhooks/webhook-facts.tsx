import type { ReactElement, ReactNode } from "react";
import type { Webhook } from "../api/models.ts";
import { Alert } from "../ui/problem.tsx";
import { Identifier } from "../values/identifier.tsx";
import { Moment } from "../values/moment.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { WebhookStateBadge } from "./webhook-state-badge.tsx";

/** What a webhook is, and what a person has to do about it. */
export function WebhookFacts({ webhook }: { readonly webhook: Webhook }): ReactElement {
  const { url, events, createdBy, createdAt } = webhook;
  return (
    <>
      <Facts>
        <Fact name="State">
          <WebhookStateBadge webhook={webhook} />
        </Fact>
        <Fact name="Address">
          <Identifier what="address" id={url} />
        </Fact>
        <Fact name="Events">{events.join(", ")}</Fact>
        <Fact name="Created">
          <Moment at={createdAt} />
        </Fact>
        <Fact name="Created by">{createdBy}</Fact>
      </Facts>
      <Attention webhook={webhook} />
    </>
  );
}

function Attention({
  webhook: { isActive, deactivatedAt, deactivatedBecause, failingSince },
}: {
  readonly webhook: Webhook;
}): ReactNode {
  if (!isActive) {
    return (
      <Alert tone="review">
        Inactive
        {deactivatedAt !== undefined && (
          <>
            {" "}
            since <Moment at={deactivatedAt} />
          </>
        )}
        . {deactivatedBecause} Events are kept as skipped deliveries. Activate the webhook, then choose Resend failed.
      </Alert>
    );
  }
  if (failingSince === undefined) return null;
  return (
    <Alert>
      No request was accepted since <Moment at={failingSince} />. The service goes on with its attempts. Once the
      receiver works again, send a test event, and resend the deliveries that failed.
    </Alert>
  );
}
