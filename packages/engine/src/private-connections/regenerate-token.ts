import { ProcedoError, type Environment } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import { undone, writeShownOnce, type ShownOnce } from "../audit/shown-once.ts";
import type { AuditFact, AuditLog } from "../audit/audit-log.ts";
import {
  connectionRecord,
  nameTaken,
  type ConnectionBody,
  type ConnectionPlace,
} from "../connections/connection-record.ts";
import type { Random } from "../ports/random.ts";
import { digestOfToken, newToken } from "../connections/private/client-token.ts";

interface FoundConnection {
  readonly revision: number;
  readonly body: ConnectionBody;
  readonly tokens: NonNullable<ConnectionBody["tokens"]>;
}

export interface RegenerateTokenPorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly audit: AuditLog;
  readonly random: Pick<Random, "bytes">;
  /** @throws ProcedoError `connection_not_found` */
  readonly find: (place: ConnectionPlace) => Promise<FoundConnection>;
  /** Called after the connection has changed. */
  readonly forget: (place: ConnectionPlace) => void;
}

/** Attempts against concurrent changes of the connection. */
const maxTries = 5;

/**
 * Replaces the token of one environment of a private connection.
 *
 * @throws ProcedoError as `PrivateConnections.regenerateToken`
 */
export async function regenerateToken(
  ports: RegenerateTokenPorts,
  { environment, connectionId, by }: ConnectionPlace & { readonly by: Principal },
  answer: ShownOnce,
): Promise<{ readonly environment: Environment; readonly token: string }> {
  authorize(by, "manage", environment);
  const token = newToken(environment, ports.random);
  const digest = digestOfToken(token);
  const fact: AuditFact = {
    ...actor(by),
    action: "connection.token_regenerated",
    subject: `${environment}/${connectionId}`,
  };

  /** Returns the digest that was replaced. */
  const put = async (
    fact: AuditFact,
    changed: (before: string | undefined) => string | undefined,
  ): Promise<string | undefined> => {
    for (let tries = 0; tries < maxTries; tries++) {
      const { revision, body, tokens } = await ports.find({ environment, connectionId });
      const { [environment]: before, ...others } = tokens;
      const now = changed(before);
      if (now === before) return before;
      const next = now === undefined ? others : { ...others, [environment]: now };
      const record = connectionRecord(ports.workspace, undefined, connectionId, { ...body, tokens: next });
      const result = await ports.audit.record(fact, (audit) =>
        ports.storage.records.put({ record, ifRevision: revision, audit }),
      );
      if (result.status === "taken")
        throw nameTaken(
          [environment],
          body.name,
          `Use that connection, or rename it before this one gets a token in ${environment}.`,
        );
      if (result.status !== "stored") continue;
      ports.forget({ environment, connectionId });
      return before;
    }
    const message = "Other requests changed this connection at the same time. Try again.";
    throw new ProcedoError("revision_conflict", message);
  };

  let before: string | undefined;
  await writeShownOnce(answer, {
    write: async () => {
      before = await put(fact, () => digest);
    },
    // A token that was created since then stays.
    undo: () => put(undone(fact, "connection.token_restored"), (current) => (current === digest ? before : current)),
  });
  return { environment, token };
}
