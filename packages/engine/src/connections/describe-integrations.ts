import { privateConnectionIntegration } from "@procedo/contract";
import { noFields } from "../integrations/connection-fields.ts";
import type { InboundEventType } from "../integrations/inbound-integration.ts";
import type { ConnectionFields, Integration } from "../integrations/integration.ts";

/** An integration for which connections can be created. */
export interface DescribedIntegration {
  /** Name by which connections refer to it. */
  readonly name: string;
  /** Name of the integration, for people. */
  readonly title: string;
  /** The purpose of its service; `undefined` where the integration names none. */
  readonly category: string | undefined;
  /**
   * The origin of its actions: `coded` in the program, `documented` in a document of each connection, `private` by
   * clients in a customer's network.
   */
  readonly kind: Integration["kind"] | "private";
  /** Whether procedures need a connection to use it. */
  readonly needsConnection: boolean;
  /** The settings and secrets of a connection. */
  readonly fields: ConnectionFields;
  /** The events that its service sends to a connection's inbound address. Empty: there is no such address. */
  readonly events: readonly InboundEventType[];
  /** Whether its connections are authorized by OAuth. */
  readonly oauth: boolean;
}

/** All integrations of an engine and private connections, by name. */
export function describeIntegrations(integrations: ReadonlyMap<string, Integration>): readonly DescribedIntegration[] {
  const described = [...integrations.values()].map((integration): DescribedIntegration => {
    const { name, title, kind, fields } = integration;
    const isCoded = integration.kind === "coded";
    const needsConnection = !isCoded || integration.needsConnection;
    const events = isCoded ? (integration.inbound?.events ?? []) : [];
    const category = isCoded ? integration.category : undefined;
    const oauth = isCoded && integration.oauth !== undefined;
    return { name, title, category, kind, needsConnection, fields, events: events.toSorted(byType), oauth };
  });
  const privateConnection: DescribedIntegration = {
    name: privateConnectionIntegration,
    title: "Private Connection",
    category: undefined,
    kind: "private",
    needsConnection: true,
    fields: noFields,
    events: [],
    oauth: false,
  };
  return [...described, privateConnection].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function byType(a: InboundEventType, b: InboundEventType): number {
  return a.type < b.type ? -1 : 1;
}
