/*
 * What connections were granted by authorization servers: their tokens (OAuth 2.0, RFC 6749).
 *
 *   authorization.ts     whether the requests of a connection can be made; authorized-fetch.ts adds its token to them
 *   grant-record.ts      a grant in storage; grant-store.ts reads and replaces it
 *   renew-grant.ts       one request for new tokens of all processes, and its result
 *   end-grant.ts         the end of a grant whose tokens its service refuses
 *   token-endpoint.ts    the protocol
 */
import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import type { AuditFact, AuditLog } from "../audit/audit-log.ts";
import type { Egress } from "../egress/egress.ts";
import { guardedFetch } from "../egress/guarded-fetch.ts";
import type { ServiceAccount } from "../integrations/account-context.ts";
import type { OAuthClient } from "../integrations/oauth-client.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { createRedactor, type Redactor } from "../secrets/redact.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { Authorization, Readiness } from "./authorization.ts";
import { digestOfClient, type Grant, type GrantBody, type GrantPlace, isRemoved } from "./grant-record.ts";
import { endGrant } from "./end-grant.ts";
import { createGrantStore } from "./grant-store.ts";
import { grantedBody, ownGrant, renewGrant, retryAtMs } from "./renew-grant.ts";
import { revokeToken, type TokenAnswer } from "./token-endpoint.ts";

/** A connection's grant, for people. */
export interface ShownGrant {
  /** `not_connected`: it has had no tokens yet. */
  readonly status: GrantBody["status"] | "not_connected";
  /** Whether calls wait because the server gives no token. */
  readonly lacksToken: boolean;
  readonly account?: ServiceAccount;
  readonly scopesAsked: readonly string[];
  readonly scopesGranted: readonly string[];
  readonly connectedAtMs: number;
  readonly connectedBy: string;
  readonly expiresAtMs?: number;
  readonly refreshedAtMs?: number;
  readonly lastFailure?: { readonly atMs: number; readonly message: string };
}

/** A grant that a person gave. */
export interface GivenGrant {
  readonly answer: Extract<TokenAnswer, { readonly status: "granted" }>;
  /** When the request was sent, in milliseconds since the epoch. */
  readonly sentAtMs: number;
  readonly account: ServiceAccount | undefined;
  readonly by: string;
}

/** The grants of connections. */
export interface Grants {
  /** @param secrets the connection's own secrets, for its redactor */
  authorizationOf(place: GrantPlace, client: OAuthClient, secrets: readonly string[]): Authorization;
  /** A grant as it is stored; `undefined` without one of this client. */
  show(place: GrantPlace, client: OAuthClient): Promise<ShownGrant | undefined>;
  /**
   * Stores the grant that a person gave, instead of the one before.
   *
   * @param rules.isAccepted whether the account may replace that of the grant before; judged by the stored one
   * @param rules.fact the entry of the workspace's chain, from the account of the grant before
   * @returns whether it is accepted and stored; if not, the account that is kept
   */
  give(
    place: GrantPlace,
    client: OAuthClient,
    given: GivenGrant,
    rules: {
      readonly isAccepted: (before: ServiceAccount | undefined) => boolean;
      readonly fact: (before: ServiceAccount | undefined) => AuditFact;
    },
  ): Promise<{ readonly isStored: true } | { readonly isStored: false; readonly kept: ServiceAccount | undefined }>;
  /**
   * Removes a grant and asks the server to revoke it. Returns whether there was one.
   *
   * @param fact the entry of the workspace's chain; `undefined` when the connection itself is gone
   */
  drop(place: GrantPlace, client: OAuthClient | undefined, fact: AuditFact | undefined): Promise<boolean>;
  /** Discards what is cached of a grant that may have changed, or of all. */
  forget(connectionId?: string): void;
  /** Waits for requests under way. */
  stop(): Promise<void>;
}

export interface GrantPorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly egress: Pick<Egress, "fetch">;
  readonly clock: Clock;
  readonly log: Log;
  /** Identifies this process. */
  readonly holder: string;
}

/** Bound on a request that revokes tokens. */
const requestLimits = { timeoutMs: 20_000, maxResponseBytes: 256 * 1024 };

const maxTries = 5;

/** Tokens of a connection that are recognized in answers: those of three generations. */
const maxTokensSeen = 6;

interface HeldGrant {
  /** `undefined`: there is none. */
  readonly grant: Grant | undefined;
  /** Whether it may have changed since. */
  readonly isStale: boolean;
}

export function createGrants(ports: GrantPorts): Grants {
  const { clock } = ports;
  const store = createGrantStore(ports);
  const stopping = new AbortController();
  const fetch = guardedFetch(ports.egress, requestLimits);
  const renewPorts = { ...ports, store, stopped: stopping.signal };
  /** By connection, as they were read or written last. */
  const held = new Map<string, HeldGrant>();
  /** By connection, all tokens that this process has seen lately, newest first: calls under way may be answered with them. */
  const seen = new Map<string, readonly string[]>();
  /** The requests under way in this process, which concurrent callers share. */
  const renewing = new Map<string, Promise<Grant | undefined>>();

  /** By connection, the generation whose access token its service refused last. */
  const refused = new Map<string, number>();
  /** How often something was forgotten. */
  let forgotten = 0;

  /** @param began the value of `forgotten` when the grant began to be read or written */
  const keep = ({ connectionId }: GrantPlace, grant: Grant | undefined, began: number): Grant | undefined => {
    const known = held.get(connectionId);
    // A slow read must not bring an older grant back, nor one that was changed meanwhile.
    const isOlder = known?.isStale === false && (known.grant?.revision ?? 0) > (grant?.revision ?? Infinity);
    if (!isOlder) held.set(connectionId, { grant, isStale: began !== forgotten });
    const tokens = new Set([...(grant?.secrets ?? []), ...(seen.get(connectionId) ?? [])]);
    seen.set(connectionId, [...tokens].slice(0, maxTokensSeen));
    return grant;
  };

  const readGrant = async (place: GrantPlace): Promise<Grant | undefined> => {
    const began = forgotten;
    return keep(place, await store.read(place), began);
  };

  const renew = (place: GrantPlace, client: OAuthClient, generation: number): Promise<Grant | undefined> => {
    const key = JSON.stringify([place.connectionId, generation]);
    const under = renewing.get(key);
    if (under !== undefined) return under;
    const began = forgotten;
    const coming = renewGrant(renewPorts, place, client, generation)
      .then((grant) => keep(place, grant, began))
      .finally(() => renewing.delete(key));
    renewing.set(key, coming);
    return coming;
  };

  /** Whether the service refused the newest access token, and another one can be asked for. */
  const isRefused = ({ connectionId }: GrantPlace, grant: Grant, client: OAuthClient): boolean =>
    refused.get(connectionId) === grant.body.generation && isRenewable(grant, client);

  const readinessOf = (place: GrantPlace, grant: Grant | undefined, client: OAuthClient): Readiness => {
    if (grant === undefined) return lost("It is not authorized yet.");
    if (grant.body.status === "needs_authorization") {
      return lost(`The authorization has ended. ${grant.body.failures?.message ?? ""}`);
    }
    const accessToken = isRefused(place, grant, client) ? undefined : tokenAt(grant, clock.now());
    if (accessToken !== undefined) return readyWith(accessToken, grant.body);
    if (!isRenewable(grant, client)) {
      return lost("The access token has ended, and the authorization server gave no refresh token.");
    }
    const { failures } = grant.body;
    const reason = failures === undefined ? "" : ` ${failures.message}`;
    const atMs = Math.max(retryAtMs(grant.body, clock.now()), clock.now() + 1_000);
    return { status: "later", atMs, message: `The authorization server gave no access token.${reason}` };
  };

  const authorizationOf: Grants["authorizationOf"] = (place, client, secrets) => {
    const heldGrant = (): Grant | undefined => ownGrant(held.get(place.connectionId)?.grant, client);
    let known: { readonly tokens: readonly string[]; readonly redactor: Redactor } | undefined;
    const current = (): Redactor => {
      const tokens = seen.get(place.connectionId) ?? [];
      if (known?.tokens !== tokens) known = { tokens, redactor: createRedactor([...secrets, ...tokens]) };
      return known.redactor;
    };
    /** What is known of a grant that needs no request now. */
    const settled = (): Readiness | undefined => {
      const grant = heldGrant();
      if (grant === undefined || held.get(place.connectionId)?.isStale !== false) return undefined;
      const { body } = grant;
      const isGood = isGoodFor(grant, marginMs(body), clock.now()) && !isRefused(place, grant, client);
      const isFresh = body.status === "connected" && isGood;
      const isOver = body.status === "needs_authorization" || !isRenewable(grant, client);
      const cannotRenew = isOver || retryAtMs(body, clock.now()) > clock.now();
      return isFresh || cannotRenew ? readinessOf(place, grant, client) : undefined;
    };
    return {
      grant: client.grant,
      origins: client.origins,
      tokenRefusal: client.tokenRefusal,
      redactor: {
        value: (value) => current().value(value),
        excerpt: (value) => current().excerpt(value),
        text: (text) => current().text(text),
        cut: (text, maxChars) => current().cut(text, maxChars),
        bytes: (bytes) => current().bytes(bytes),
      },
      get account() {
        return heldGrant()?.body.account;
      },
      get accountSinceMs() {
        return heldGrant()?.body.accountSinceMs ?? 0;
      },
      known: settled,
      stored: async () => {
        await readGrant(place);
        return readinessOf(place, heldGrant(), client);
      },
      ready: async () => {
        const before = settled();
        if (before !== undefined) return before;
        if (held.get(place.connectionId)?.isStale !== false) await readGrant(place);
        const read = settled();
        if (read !== undefined) return read;
        return readinessOf(place, await renew(place, client, heldGrant()?.body.generation ?? 0), client);
      },
      renew: async (generation, reason) => {
        if (reason === "refused") refused.set(place.connectionId, generation);
        return readinessOf(place, await renew(place, client, generation), client);
      },
      refusedAgain: async (generation, refusal) => {
        // A second 401 proves nothing: the service may refuse this call alone in that way.
        if (client.grant !== "authorization_code" || refusal === "refused") return undefined;
        const began = forgotten;
        const left = await endGrant(renewPorts, place, client, { generation, reason: endedByService });
        return readinessOf(place, keep(place, left, began), client);
      },
    };
  };

  return {
    authorizationOf,

    show: async (place, client) => {
      const grant = ownGrant(await readGrant(place), client);
      if (grant === undefined) return undefined;
      const readiness = readinessOf(place, grant, client).status;
      const status = grant.tokens === undefined ? "not_connected" : "connected";
      const lacksToken = readiness === "later" && grant.body.failures !== undefined;
      return shown(grant.body, readiness === "needs_authorization" ? readiness : status, lacksToken);
    },

    give: async (place, client, { answer, sentAtMs, account, by }, { isAccepted, fact }) => {
      for (let tries = 0; tries < maxTries; tries++) {
        const before = await store.read(place);
        // Also of a grant of another client: its account is that of the connection.
        const known = before?.body;
        if (!isAccepted(known?.account)) return { isStored: false, kept: known?.account };
        const isSame = known?.account !== undefined && known.account.id === account?.id;
        const first = {
          client: digestOfClient(client),
          status: "connected" as const,
          generation: (before?.body.generation ?? 0) + 1,
          scopes: { asked: client.scopes, granted: [] },
          ...(account !== undefined && { account }),
          accountSinceMs: isSame ? known.accountSinceMs : sentAtMs,
          connectedAtMs: sentAtMs,
          connectedBy: by,
        };
        const stored = await store.replace(
          place,
          before,
          grantedBody(first, client, answer, sentAtMs),
          fact(known?.account),
        );
        if (stored === undefined) continue;
        refused.delete(place.connectionId);
        keep(place, stored, forgotten);
        return { isStored: true };
      }
      throw new ProcedoError("revision_conflict", "The authorization changed at the same time. Try again.");
    },

    drop: async (place, client, fact) => {
      for (let tries = 0; tries < maxTries; tries++) {
        const before = await store.read(place);
        if (before === undefined || (isRemoved(before) && fact !== undefined)) return false;
        if (fact === undefined) {
          if (!(await store.remove(place, before))) continue;
          keep(place, undefined, forgotten);
        } else {
          const left = await store.empty(place, before, clock.now(), fact);
          if (left === undefined) continue;
          keep(place, left, forgotten);
        }
        refused.delete(place.connectionId);
        const token = before.tokens?.refresh ?? before.tokens?.access;
        if (client !== undefined && token !== undefined && ownGrant(before, client) !== undefined) {
          const problem = await revokeToken(fetch, client, token);
          if (problem !== undefined) ports.log.warn("A token could not be revoked.", { ...place, error: problem });
        }
        return true;
      }
      throw new ProcedoError("revision_conflict", "The authorization changed at the same time. Try again.");
    },

    forget: (connectionId) => {
      forgotten += 1;
      for (const [id, { grant }] of held) {
        if (id === (connectionId ?? id)) held.set(id, { grant, isStale: true });
      }
    },

    stop: async () => {
      stopping.abort();
      await Promise.allSettled(renewing.values());
    },
  };
}

/** New tokens are asked for when less than this is left: a tenth of the lifetime, at least a minute, at most half of it. */
function marginMs({ lifetimeMs = 0 }: Pick<GrantBody, "lifetimeMs">): number {
  return Math.min(lifetimeMs / 2, Math.max(60_000, lifetimeMs / 10));
}

/** Whether another token can be asked for. */
function isRenewable({ tokens }: Grant, { grant }: OAuthClient): boolean {
  return grant === "client_credentials" || tokens?.refresh !== undefined;
}

function isGoodFor({ body, tokens }: Grant, leastMs: number, nowMs: number): boolean {
  return tokens !== undefined && (body.expiresAtMs === undefined || body.expiresAtMs - nowMs > leastMs);
}

function tokenAt(grant: Grant, nowMs: number): string | undefined {
  return isGoodFor(grant, 0, nowMs) ? grant.tokens?.access : undefined;
}

const endedByService = "The service answered that it has ended.";

function readyWith(accessToken: string, { generation, accountSinceMs }: GrantBody): Readiness {
  return { status: "ready", accessToken, generation, accountSinceMs };
}

function lost(reason: string): Readiness {
  return {
    status: "needs_authorization",
    message: `${reason} A person has to authorize the connection.`.replace("  ", " "),
  };
}

function shown(body: GrantBody, status: ShownGrant["status"], lacksToken: boolean): ShownGrant {
  const { account, scopes, connectedAtMs, connectedBy, expiresAtMs, obtainedAtMs, failures } = body;
  return {
    status,
    lacksToken,
    ...(account !== undefined && { account }),
    scopesAsked: scopes.asked,
    scopesGranted: scopes.granted,
    connectedAtMs,
    connectedBy,
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(obtainedAtMs !== undefined && obtainedAtMs !== connectedAtMs && { refreshedAtMs: obtainedAtMs }),
    ...(failures !== undefined && { lastFailure: { atMs: failures.atMs, message: failures.message } }),
  };
}
