import type { Storage } from "@procedo/storage";
import type { AuditLog } from "../audit/audit-log.ts";
import type { ConnectionBody, ConnectionPlace } from "../connections/connection-record.ts";
import type { Egress } from "../egress/egress.ts";
import type { Grants } from "../grants/grants.ts";
import type { Integration } from "../integrations/integration.ts";
import type { OAuthClient } from "../integrations/oauth-client.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { StillMayPorts } from "./still-may.ts";

export interface AuthorizationPorts extends Pick<StillMayPorts, "roster"> {
  readonly storage: Pick<Storage, "records" | "runs">;
  readonly workspace: string;
  readonly integrations: ReadonlyMap<string, Integration>;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly egress: Pick<Egress, "fetch" | "connect">;
  readonly grants: Grants;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** A connection that uses OAuth. */
export interface OAuthConnection {
  readonly place: ConnectionPlace;
  readonly body: ConnectionBody;
  readonly client: OAuthClient;
  readonly integration: Integration;
}
