import { environments, ProcedoError } from "@procedo/contract";
import { LruCache } from "@procedo/contract/syntax";
import type { RecordRow, Storage } from "@procedo/storage";
import { connectionBody, connectionKind, isStale, type StaleConnection } from "../connections/connection-record.ts";
import type { Clock } from "../ports/clock.ts";
import { digestOfToken, hasFormOfToken } from "../connections/private/client-token.ts";
import type { KnownManifest } from "../connections/private/known-manifest.ts";
import type { Manifests } from "../connections/private/manifests.ts";
import type { PrivateClient } from "./private-client.ts";

/** The clients with valid tokens. Each is kept until its connection changes, and {@link keptForMs} at most. */
export interface Clients {
  authenticate(token: string): Promise<PrivateClient | undefined>;
  /** @throws ProcedoError `unauthorized` when the token was revoked */
  check(client: PrivateClient): Promise<void>;
  /**
   * The names of the functions that the client serves, by the digest of its manifest.
   *
   * @throws ProcedoError `unauthorized` when the token was revoked, `manifest_required` for a manifest that is not
   *   stored
   */
  functionsOf(client: PrivateClient, manifest: string): Promise<readonly string[]>;
  /** Discards the cached clients of a connection that may have changed, or all when it is left out. */
  forget(stale?: StaleConnection): void;
}

interface Known {
  readonly client: PrivateClient;
  /** Expiry, in monotonic milliseconds. */
  readonly untilMs: number;
  /** Read on first use. */
  manifests?: Promise<readonly KnownManifest[]>;
}

const keptForMs = 10_000;

/** Number of cached clients. */
const maxKept = 10_000;

export function createClients({
  storage,
  workspace,
  clock,
  manifests,
}: {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly clock: Pick<Clock, "monotonic">;
  readonly manifests: Pick<Manifests, "list" | "read">;
}): Clients {
  let kept = new LruCache<string, Known>(maxKept);

  const find = async (tokenDigest: string): Promise<Known | undefined> => {
    const known = kept.get(tokenDigest);
    if (known !== undefined && clock.monotonic() < known.untilMs) return known;
    // After a `forget` during the read, the entry goes into a discarded cache.
    const into = kept;
    const row = await storage.records.find({ kind: connectionKind, uniqueKey: tokenDigest });
    const untilMs = clock.monotonic() + keptForMs;
    const client = row?.workspace === workspace ? clientOf(row, tokenDigest) : undefined;
    if (row === undefined || client === undefined) return undefined;
    const found: Known = { client, untilMs };
    into.set(tokenDigest, found);
    return found;
  };

  const known = async ({ tokenDigest }: PrivateClient): Promise<Known> => {
    const found = await find(tokenDigest);
    if (found !== undefined) return found;
    throw deadToken();
  };

  const listOf = (its: Known): Promise<readonly KnownManifest[]> => {
    its.manifests ??= manifests.list(its.client).then(
      (list) => list.manifests,
      (error: unknown) => {
        // The next caller tries again.
        delete its.manifests;
        throw error;
      },
    );
    return its.manifests;
  };

  const readManifest = async (client: PrivateClient, digest: string) => {
    const registered = await listOf(await known(client));
    return registered.some((one) => one.digest === digest) ? await manifests.read(client, digest) : undefined;
  };

  return {
    authenticate: async (token) => (hasFormOfToken(token) ? (await find(digestOfToken(token)))?.client : undefined),
    check: async (client) => void (await known(client)),
    functionsOf: async (client, manifest) => {
      let functions = await readManifest(client, manifest);
      if (functions === undefined) {
        // Another node may have registered it just now.
        kept.delete(client.tokenDigest);
        functions = await readManifest(client, manifest);
      }
      if (functions !== undefined) return [...functions.keys()];
      const message = "The service does not know the functions of this client. Register them again.";
      throw new ProcedoError("manifest_required", message);
    },
    forget: (stale) => {
      const before = kept;
      kept = new LruCache(maxKept);
      if (stale === undefined) return;
      for (const [digest, its] of before) if (!isStale(its.client, stale)) kept.set(digest, its);
    },
  };
}

export function deadToken(): ProcedoError {
  return new ProcedoError(
    "unauthorized",
    "The token is not that of a private connection, or was revoked. Configure the connection's current token, or regenerate it.",
  );
}

function clientOf(row: RecordRow, tokenDigest: string): PrivateClient | undefined {
  const { tokens } = connectionBody(row);
  const environment = environments.find((one) => tokens?.[one] === tokenDigest);
  return environment && Object.freeze({ connectionId: row.id, environment, tokenDigest });
}
