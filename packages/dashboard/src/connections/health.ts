/* The health of a connection, in words. */
import type { ListedConnection } from "../api/models.ts";

export type Health = ListedConnection["health"];
type Status = Health["status"];

export const healthWords: Readonly<Record<Status, string>> = {
  ok: "Healthy",
  failing: "Failing",
  unconfirmed: "Address not confirmed",
  needs_authorization: "Needs authorization",
  unknown: "Not used yet",
};

/** The way out of a state in which no calls are made; `undefined` where nothing is to be done. */
export const remedies: Readonly<Record<Status, string | undefined>> = {
  ok: undefined,
  failing: "Open it, read the reason, and test it again.",
  unconfirmed: "Open it, and confirm the address.",
  needs_authorization: "Open it, and authorize it at the service.",
  unknown: undefined,
};

/** Whether nothing is sent over a connection until a person does something. */
export function needsPerson({ status }: Health): boolean {
  return remedies[status] !== undefined;
}

/** The connections whose name or integration contains a text, those first that need a person, then by name. */
export function shownConnections<C extends Pick<ListedConnection, "name" | "integration" | "health">>(
  connections: readonly C[],
  { text, titleOf }: { readonly text: string; readonly titleOf: (integration: string) => string },
): readonly C[] {
  const wanted = text.trim().toLowerCase();
  return connections
    .filter(({ name, integration }) =>
      [name, titleOf(integration)].some((shown) => shown.toLowerCase().includes(wanted)),
    )
    .toSorted((a, b) => urgency(a.health) - urgency(b.health) || a.name.localeCompare(b.name, "en"));
}

function urgency(health: Health): number {
  return needsPerson(health) ? 0 : 1;
}
