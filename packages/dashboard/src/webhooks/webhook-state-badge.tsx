import { CircleCheck, CircleSlash, CircleX, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import type { Webhook } from "../api/models.ts";
import { Age } from "../values/moment.tsx";
import { stateOf, type WebhookState } from "./webhook-state.ts";

const looks: Readonly<
  Record<WebhookState, { readonly word: string; readonly icon: LucideIcon; readonly colour: string }>
> = {
  active: { word: "Active", icon: CircleCheck, colour: "text-completed" },
  failing: { word: "Failing", icon: CircleX, colour: "text-failed" },
  inactive: { word: "Inactive", icon: CircleSlash, colour: "text-text-2" },
};

/** The state of a webhook, and since when it is failing or inactive. */
export function WebhookStateBadge({ webhook }: { readonly webhook: Webhook }): ReactElement {
  const state = stateOf(webhook);
  const { word, icon: Icon, colour } = looks[state];
  const since = { active: undefined, failing: webhook.failingSince, inactive: webhook.deactivatedAt }[state];
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <span className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${colour}`}>
        <Icon aria-hidden size={14} className="shrink-0" /> {word}
      </span>
      {since !== undefined && (
        <span className="text-small whitespace-nowrap text-text-3">
          since <Age since={since} />
        </span>
      )}
    </span>
  );
}
