import { hash } from "node:crypto";
import type { Environment } from "@procedo/contract";
import type { NewRecord, RecordRow } from "@procedo/storage";
import type { ServiceAccount } from "../integrations/account-context.ts";
import type { OAuthClient } from "../integrations/oauth-client.ts";
import type { SecretBox } from "../secrets/secret-box.ts";

export const grantKind = "grant";

/** The connection that a grant belongs to. The grant has its id. */
export interface GrantPlace {
  /** Environment of the connection. */
  readonly environment: Environment;
  /** Identifier of the connection. */
  readonly connectionId: string;
}

/** A grant as it is stored. Each write replaces the record of an exact revision. */
export interface GrantBody {
  /**
   * Digest of the client: the tokens of a grant are of no use to another one, and are never sent to its server. Empty after
   * the grant was removed.
   */
  readonly client: string;
  /** `needs_authorization`: the server or the service ended the grant, and a person has to authorize the connection again. */
  readonly status: "connected" | "needs_authorization";
  /** Number of the newest tokens, from 1. It never becomes smaller. */
  readonly generation: number;
  /** Encrypted: those of this generation, unless they are still asked for, and the former ones, which are to be recognized. */
  readonly tokens: readonly SealedTokens[];
  /** End of the access token, in milliseconds since the epoch; left out if the server named none. */
  readonly expiresAtMs?: number;
  /** Lifetime of the access token, in milliseconds. */
  readonly lifetimeMs?: number;
  readonly scopes: { readonly asked: readonly string[]; readonly granted: readonly string[] };
  /** Left out where the integration cannot name it. */
  readonly account?: ServiceAccount;
  /** Since when it is this account; of an account without a name, since it was authorized last. */
  readonly accountSinceMs: number;
  /** When, and by whom, the connection was authorized. */
  readonly connectedAtMs: number;
  readonly connectedBy: string;
  /** When the newest tokens were asked for. */
  readonly obtainedAtMs?: number;
  /** The request for new tokens that is under way, or whose sender has died. */
  readonly attempt?: { readonly holder: string; readonly atMs: number };
  /** The failed attempts since the newest tokens. */
  readonly failures?: { readonly count: number; readonly atMs: number; readonly message: string };
}

/** The encrypted tokens of a generation. */
export interface SealedTokens {
  readonly generation: number;
  readonly access: string;
  readonly refresh?: string;
}

/** Tokens in the clear. */
export interface Tokens {
  readonly access: string;
  readonly refresh?: string;
}

/** A stored grant with its newest tokens in the clear. */
export interface Grant {
  readonly revision: number;
  readonly body: GrantBody;
  /** The tokens of its generation; `undefined` before the first ones. */
  readonly tokens: Tokens | undefined;
  /** Every token that is still to be recognized. */
  readonly secrets: readonly string[];
}

/** Encrypts and decrypts the tokens of one grant. */
export interface GrantSecrets {
  seal(generation: number, tokens: Tokens): SealedTokens;
  /** @throws ProcedoError `decryption_failed` */
  open(sealed: SealedTokens): Tokens;
}

export function grantSecrets(
  box: SecretBox,
  workspaceId: string,
  { environment, connectionId }: GrantPlace,
): GrantSecrets {
  const place = (token: string, generation: number) => {
    return { workspaceId, environment, kind: grantKind, id: connectionId, field: `${token}.${generation}` };
  };
  return {
    seal: (generation, { access, refresh }) => ({
      generation,
      access: box.seal(access, place("access", generation)),
      ...(refresh !== undefined && { refresh: box.seal(refresh, place("refresh", generation)) }),
    }),
    open: ({ generation, access, refresh }) => ({
      access: box.open(access, place("access", generation)),
      ...(refresh !== undefined && { refresh: box.open(refresh, place("refresh", generation)) }),
    }),
  };
}

export function openedGrant(row: RecordRow, secrets: GrantSecrets): Grant {
  const body = JSON.parse(row.body) as GrantBody;
  const opened = body.tokens.map((sealed) => ({ ...secrets.open(sealed), generation: sealed.generation }));
  const texts = opened.flatMap(({ access, refresh }) => [access, refresh]);
  return {
    revision: row.revision,
    body,
    tokens: opened.find(({ generation }) => generation === body.generation),
    secrets: texts.filter((text) => text !== undefined),
  };
}

export function grantRecord(workspace: string, { environment, connectionId }: GrantPlace, body: GrantBody): NewRecord {
  const text = JSON.stringify(body);
  return { workspace, environment, kind: grantKind, id: connectionId, body: text, uniqueKeys: [], keys: [] };
}

/**
 * What is left of a grant that was removed: its revision and generation go on, so that the answer to a request for tokens
 * which was under way is not stored over a later grant.
 */
export function removedBody({ generation }: GrantBody, nowMs: number): GrantBody {
  const scopes = { asked: [], granted: [] };
  const whose = { accountSinceMs: nowMs, connectedAtMs: nowMs, connectedBy: "" };
  return { client: "", status: "needs_authorization", generation, tokens: [], scopes, ...whose };
}

/** Whether a grant was removed. */
export function isRemoved({ body }: Pick<Grant, "body">): boolean {
  return body.client === "";
}

/** Identifies a client and its server: the tokens of another client or server are not this one's. */
export function digestOfClient(client: OAuthClient): string {
  const { grant, tokenUrl, revocationUrl, clientId, scopes, parameters = {} } = client;
  const own = grant === "client_credentials" ? [scopes, Object.entries(parameters).sort()] : [revocationUrl ?? null];
  return hash("sha256", JSON.stringify([grant, tokenUrl, clientId, ...own]), "base64url");
}
