import type { Environment } from "@procedo/contract";
import type { Integration } from "../integrations/integration.ts";
import { shownConnection, type Connection, type ConnectionBody } from "./connection-record.ts";
import type { Grants } from "../grants/grants.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { shownOAuth } from "./connection-oauth.ts";
import { oauthClientOf } from "./oauth-client-of.ts";
import type { InboundTraffic } from "./inbound-traffic.ts";

/** Shows connections to callers: without their secrets, and with the traffic of their inbound addresses. */
export type ShowConnections = (
  environment: Environment,
  stored: readonly StoredConnection[],
) => Promise<readonly Connection[]>;

export interface StoredConnection {
  readonly connectionId: string;
  readonly body: ConnectionBody;
}

export function createShowConnections(ports: {
  readonly workspace: string;
  readonly integrations: ReadonlyMap<string, Integration>;
  readonly secretBox: SecretBox;
  readonly grants: Pick<Grants, "show">;
  readonly traffic: Pick<InboundTraffic, "of">;
}): ShowConnections {
  return async (environment, stored) => {
    const addressed = stored.filter(({ body }) => body.inboundAddress !== undefined);
    const traffic = await ports.traffic.of(addressed.map(({ connectionId }) => connectionId));
    const showing = stored.map(async ({ connectionId, body }) => {
      const place = { environment, connectionId };
      const client = oauthClientOf(ports, place, body);
      const granted = client === undefined ? undefined : await ports.grants.show(place, client);
      const oauth = client === undefined ? undefined : shownOAuth(client, granted);
      const tokenFailure = granted?.lacksToken === true ? granted.lastFailure : undefined;
      const facts = traffic.get(connectionId);
      const inbound =
        body.inboundAddress === undefined || facts === undefined
          ? undefined
          : { address: body.inboundAddress, events: eventsOf(ports.integrations.get(body.integration)), ...facts };
      return shownConnection(connectionId, environment, body, { inbound, oauth, tokenFailure });
    });
    return await Promise.all(showing);
  };
}

/** The types of event of an integration; none of one that the engine was not given. */
function eventsOf(integration: Integration | undefined): readonly string[] {
  return integration?.kind === "coded" ? (integration.inbound?.events.map(({ type }) => type) ?? []) : [];
}
