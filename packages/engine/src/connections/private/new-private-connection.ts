import { privateConnectionIntegration, ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { actor, authorize, managedBy } from "../../access/principal.ts";
import { undone, writeShownOnce, type ShownOnce } from "../../audit/shown-once.ts";
import type { AuditLog } from "../../audit/audit-log.ts";
import {
  checkConnectionName,
  connectionKind,
  connectionRecord,
  nameTaken,
  shownConnection,
  type ConnectionBody,
  type EnvironmentTokens,
  type SavedConnection,
} from "../connection-record.ts";
import type { NewConnection } from "../new-connection.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Random } from "../../ports/random.ts";
import { digestOfToken, newToken } from "./client-token.ts";

/**
 * Creates a private connection with a name, and with a token for each environment in which its creator may manage. A token for
 * the other environment is created there, by `PrivateConnections.regenerateToken`.
 *
 * @throws ProcedoError `permission_denied`, `name_taken`; `invalid_input` for an environment, settings or secrets
 */
export async function newPrivateConnection(
  ports: {
    readonly storage: Pick<Storage, "records">;
    readonly workspace: string;
    readonly audit: AuditLog;
    readonly ids: Ids;
    readonly random: Pick<Random, "bytes">;
    readonly clock: Pick<Clock, "now">;
  },
  { name, environment, settings = {}, secrets = {}, by }: NewConnection,
  answer: ShownOnce,
): Promise<SavedConnection> {
  authorize(by, "manage");
  checkConnectionName(name);
  refuseGiven("environment", environment === undefined);
  refuseGiven("settings", Object.keys(settings).length === 0);
  refuseGiven("secrets", Object.keys(secrets).length === 0);
  const reach = managedBy(by);
  const tokens = Object.fromEntries(reach.map((one) => [one, newToken(one, ports.random)])) as EnvironmentTokens;
  const body: ConnectionBody = {
    name,
    integration: privateConnectionIntegration,
    settings: {},
    secrets: {},
    createdBy: actor(by).by,
    createdAtMs: ports.clock.now(),
    tokens: Object.fromEntries(Object.entries(tokens).map(([one, token]) => [one, digestOfToken(token)])),
  };
  const connectionId = ports.ids("con");
  const record = connectionRecord(ports.workspace, undefined, connectionId, body);
  const fact = {
    ...actor(by),
    action: "connection.created",
    subject: `private/${name}`,
    details: { tokensIn: [...reach] },
  };
  const { records } = ports.storage;
  await writeShownOnce(answer, {
    write: async () => {
      const result = await ports.audit.record(fact, (audit) => records.put({ record, ifRevision: 0, audit }));
      if (result.status !== "stored") throw nameTaken(reach, name);
    },
    undo: () =>
      ports.audit.record(undone(fact, "connection.removed"), (audit) =>
        records.remove({ workspace: ports.workspace, kind: connectionKind, id: connectionId, audit }),
      ),
  });
  return {
    ...shownConnection(connectionId, undefined, body, {
      inbound: undefined,
      oauth: undefined,
      tokenFailure: undefined,
    }),
    problems: [],
    tokens,
  };
}

function refuseGiven(field: string, isFree: boolean): void {
  if (isFree) return;
  const message = `A private connection is created with its name only; leave "${field}" out.`;
  throw new ProcedoError("invalid_input", message, { details: [{ path: `/${field}`, message: "must be left out" }] });
}
