import { environments, ProcedoError } from "@procedo/contract";
import type { RecordRow, Storage } from "@procedo/storage";
import { connectionBody, connectionKind, type ConnectionBody } from "../connections/connection-record.ts";
import type { Clock } from "../ports/clock.ts";
import { digestOfToken, hasFormOfToken } from "./client-token.ts";
import type { PrivateClient } from "./private-connections.ts";

/** Whose tokens are good, remembered until anything managed changes, and for seconds where nobody tells of that. */
export interface Clients {
  authenticate(token: string): Promise<PrivateClient | undefined>;
  /** The client's connection. @throws ProcedoError `unauthorized` when its token is dead */
  connectionOf(client: PrivateClient): Promise<ConnectionBody>;
  /** The same, as storage has it now. */
  rereadConnectionOf(client: PrivateClient): Promise<ConnectionBody>;
  forget(): void;
}

interface Known {
  readonly client: PrivateClient;
  readonly body: ConnectionBody;
  /** In monotonic time. */
  readonly untilMs: number;
}

const keptForMs = 10_000;

/** The one remembered first goes first. */
const maxKept = 10_000;

export function createClients({
  storage,
  workspace,
  clock,
}: {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly clock: Pick<Clock, "monotonic">;
}): Clients {
  let kept = new Map<string, Known>();

  const find = async (tokenDigest: string): Promise<Known | undefined> => {
    const known = kept.get(tokenDigest);
    if (known !== undefined && clock.monotonic() < known.untilMs) return known;
    // What is forgotten while storage answers stays forgotten.
    const into = kept;
    const row = await storage.records.find({ kind: connectionKind, uniqueKey: tokenDigest });
    const untilMs = clock.monotonic() + keptForMs;
    const found = row?.workspace === workspace ? knownOf(row, tokenDigest, untilMs) : undefined;
    if (found === undefined) return undefined;
    const [oldest] = into.keys();
    if (into.size >= maxKept && oldest !== undefined) into.delete(oldest);
    into.set(tokenDigest, found);
    return found;
  };

  const connectionOf: Clients["connectionOf"] = async ({ tokenDigest }) => {
    const known = await find(tokenDigest);
    if (known !== undefined) return known.body;
    throw deadToken();
  };

  return {
    authenticate: async (token) => (hasFormOfToken(token) ? (await find(digestOfToken(token)))?.client : undefined),
    connectionOf,
    rereadConnectionOf: (client) => {
      kept.delete(client.tokenDigest);
      return connectionOf(client);
    },
    forget: () => {
      kept = new Map();
    },
  };
}

export function deadToken(): ProcedoError {
  return new ProcedoError("unauthorized", "The token is not, or no longer, that of a private connection.");
}

function knownOf(row: RecordRow, tokenDigest: string, untilMs: number): Known | undefined {
  const body = connectionBody(row);
  const environment = environments.find((one) => body.tokens?.[one] === tokenDigest);
  if (environment === undefined) return undefined;
  return { body, untilMs, client: Object.freeze({ connectionId: row.id, environment, tokenDigest }) };
}
