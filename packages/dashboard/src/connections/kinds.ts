/* The kinds of connection that a person chooses among. */
import type { Integration } from "../api/models.ts";
import type { RadioOption } from "../ui/radio-group.tsx";

const general: readonly { readonly kind: Integration["kind"]; readonly hint: string }[] = [
  { kind: "documented", hint: "Any service with an OpenAPI document." },
  { kind: "private", hint: "A service that can be reached from your own network only." },
];

/** The kinds that fit a text, those for any service first. The chosen one stays in the list. */
export function kindOptions(
  integrations: readonly Integration[],
  { text, chosen }: { readonly text: string; readonly chosen: string },
): readonly RadioOption[] {
  const wanted = text.trim().toLowerCase();
  const rank = ({ kind }: Integration): number => {
    const at = general.findIndex((one) => one.kind === kind);
    return at === -1 ? general.length : at;
  };
  return integrations
    .filter(({ needsConnection }) => needsConnection)
    .map((integration) => ({ integration, hint: hintOf(integration) }))
    .filter(
      ({ integration: { id, title }, hint }) => id === chosen || `${title} ${hint}`.toLowerCase().includes(wanted),
    )
    .toSorted(
      (a, b) =>
        rank(a.integration) - rank(b.integration) || a.integration.title.localeCompare(b.integration.title, "en"),
    )
    .map(({ integration: { id, title }, hint }) => ({ value: id, label: title, ...(hint !== "" && { hint }) }));
}

/** The purpose of a service, and how a connection to it is proved. */
function hintOf({ kind, category, oauth }: Integration): string {
  const ofKind = general.find((one) => one.kind === kind);
  if (ofKind !== undefined) return ofKind.hint;
  const purpose = category === undefined ? "" : `${category.charAt(0).toUpperCase()}${category.slice(1)}.`;
  return `${purpose}${oauth ? " Authorized in a browser." : ""}`.trim();
}
