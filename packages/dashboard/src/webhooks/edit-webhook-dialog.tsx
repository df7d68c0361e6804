import { useState, type ReactElement } from "react";
import type { Webhook } from "../api/models.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { isSame } from "../values/is-same.ts";
import { choiceOf, eventsOf } from "./event-names.ts";
import { useChangeWebhook } from "./use-webhook-changes.ts";
import { WebhookFields, type WebhookDraft } from "./webhook-fields.tsx";

/** Changes the address, the name and the events of a webhook. */
export function EditWebhookDialog({
  webhook,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  // The webhook as the form began with it: fields that stay as they were are left out of the request.
  const [before] = useState(webhook);
  const [initial] = useState<WebhookDraft>({ url: before.url, name: before.name, ...choiceOf(before.events) });
  const [draft, setDraft] = useState(initial);
  const [isSent, setSent] = useState(false);
  const change = useChangeWebhook(environment, before.id, onClose);
  const events = eventsOf(draft);
  const keepsEvents = events.length === before.events.length && events.every((event) => before.events.includes(event));
  const submit = (): void => {
    setSent(true);
    if (events.length === 0) return;
    change.mutate({
      ...(draft.url !== before.url && { url: draft.url }),
      ...(draft.name !== before.name && { name: draft.name }),
      ...(!keepsEvents && { events }),
    });
  };
  return (
    <FormDialog
      title={`Edit ${before.name}`}
      isWide
      label={writeLabel("Save", environment)}
      busyLabel={change.isPending ? "Saving …" : undefined}
      isDirty={!isSame(draft, initial)}
      error={null}
      onSubmit={submit}
      onClose={onClose}
    >
      <WebhookFields
        draft={draft}
        onChange={setDraft}
        isNew={false}
        lacksEvents={isSent && events.length === 0}
        error={change.error}
      />
      <p className="text-text-2">Events that already wait for another attempt go to the new address too.</p>
    </FormDialog>
  );
}
