import type { Webhook } from "../api/models.ts";

/** `failing`: its last attempts were not accepted. `inactive`: nothing is sent to it. */
export type WebhookState = "failing" | "inactive" | "active";

/** In the order in which webhooks call for a person. */
const order: readonly WebhookState[] = ["failing", "inactive", "active"];

export function stateOf({ isActive, failingSince }: Pick<Webhook, "isActive" | "failingSince">): WebhookState {
  if (!isActive) return "inactive";
  return failingSince === undefined ? "active" : "failing";
}

/** Failing webhooks first, then inactive ones, each by their names. */
export function inOrder(webhooks: readonly Webhook[]): readonly Webhook[] {
  const rank = (webhook: Webhook): number => order.indexOf(stateOf(webhook));
  return webhooks.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, "en"));
}
