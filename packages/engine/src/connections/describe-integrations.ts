import { privateConnectionIntegration } from "@procedo/contract";
import { noFields } from "../integrations/connection-fields.ts";
import type { ConnectionFields, Integration } from "../integrations/integration.ts";

/** An integration for which connections can be created. */
export interface DescribedIntegration {
  /** Name by which connections refer to it. */
  readonly name: string;
  /** Name of the integration, for people. */
  readonly title: string;
  /**
   * The origin of its actions: `coded` in the program, `documented` in a document of each connection, `private` by
   * clients in a customer's network.
   */
  readonly kind: Integration["kind"] | "private";
  /** Whether procedures need a connection to use it. */
  readonly needsConnection: boolean;
  /** The settings and secrets of a connection. */
  readonly fields: ConnectionFields;
}

/** All integrations of an engine and private connections, by name. */
export function describeIntegrations(integrations: ReadonlyMap<string, Integration>): readonly DescribedIntegration[] {
  const described = [...integrations.values()].map((integration): DescribedIntegration => {
    const { name, title, kind, fields } = integration;
    return { name, title, kind, needsConnection: kind === "documented" || integration.needsConnection, fields };
  });
  const privateConnection: DescribedIntegration = {
    name: privateConnectionIntegration,
    title: "Private Connection",
    kind: "private",
    needsConnection: true,
    fields: noFields,
  };
  return [...described, privateConnection].sort((a, b) => (a.name < b.name ? -1 : 1));
}
