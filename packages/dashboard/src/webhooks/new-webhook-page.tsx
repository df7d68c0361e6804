import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState, type FormEvent, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { components } from "../api/schema.d.ts";
import { UnsavedGuard } from "../forms/unsaved-guard.tsx";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { mayNotManage } from "../shell/why-not.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Alert } from "../ui/problem.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { isSame } from "../values/is-same.ts";
import { ShownOnce } from "../values/shown-once.tsx";
import { eventsOf } from "./event-names.ts";
import { WebhookFields, type WebhookDraft } from "./webhook-fields.tsx";

const route = getRouteApi("/signed-in/$environment/webhooks/new");

type Created = components["schemas"]["CreatedWebhook"];

const emptyDraft: WebhookDraft = { url: "", name: "", chosen: [], custom: "" };

/** Creates a webhook, and shows its signing secret once. */
export function NewWebhookPage(): ReactElement {
  const environment = useEnvironment();
  const mayManage = hasAbility(useSession(), environment, "manage");
  // Another environment begins with an empty form, and without the secret.
  if (mayManage) return <NewWebhook key={environment} />;
  return <Page heading="New webhook">{<Alert tone="review">{mayNotManage("webhooks", environment)}</Alert>}</Page>;
}

function NewWebhook(): ReactElement {
  const environment = useEnvironment();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<WebhookDraft>(emptyDraft);
  const [isSent, setSent] = useState(false);
  const [created, setCreated] = useState<Created>();
  const events = eventsOf(draft);
  const body = { url: draft.url, events, ...(draft.name !== "" && { name: draft.name }) };
  const create = useMutation({
    mutationFn: () => answerOf(api.POST("/api/v1/webhooks", { params: { query: { environment } }, body })),
    onSuccess: (webhook) => {
      setCreated(webhook);
      return queryClient.invalidateQueries({ queryKey: ["webhook", environment] });
    },
    // Nothing keeps the secret but the page.
    gcTime: 0,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setSent(true);
    if (events.length > 0) create.mutate();
  };
  if (created !== undefined) {
    return (
      <Page heading={created.name} subtitle="The webhook was created, and receives events from now on.">
        <p className="max-w-prose">
          The receiver needs this secret to tell the requests of this service from those of others. Each request has its
          signature in the header <code className="font-mono text-code">X-Service-Signature</code>.
        </p>
        <ShownOnce
          what="Signing secret"
          secret={created.secret}
          fileName="webhook-secret.txt"
          onStored={() =>
            void navigate({
              to: "/$environment/webhooks/$webhookId",
              params: { environment, webhookId: created.id },
              replace: true,
              ignoreBlocker: true,
            })
          }
        />
      </Page>
    );
  }
  const request = {
    method: "POST",
    path: `/api/v1/webhooks?environment=${environment}`,
    body: JSON.stringify(body),
  } as const;
  return (
    <Page heading="New webhook" actions={<CopyAsCurl request={request} />}>
      <UnsavedGuard isDirty={!isSame(draft, emptyDraft)} />
      <form onSubmit={submit} className="flex max-w-xl flex-col gap-4">
        <WebhookFields
          draft={draft}
          onChange={setDraft}
          isNew
          lacksEvents={isSent && events.length === 0}
          error={create.error}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Link to="/$environment/webhooks" params={{ environment }} className={buttonClass()}>
            Back
          </Link>
          <Button type="submit" variant="primary" busyLabel={create.isPending ? "Creating …" : undefined}>
            {writeLabel("Create webhook", environment)}
          </Button>
        </div>
      </form>
    </Page>
  );
}
