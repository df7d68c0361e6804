import { ProcedoError } from "@procedo/contract";
import type { AuditFact } from "../audit/audit-log.ts";
import type { Egress } from "../egress/egress.ts";
import { guardedFetch } from "../egress/guarded-fetch.ts";
import type { OAuthClient } from "../integrations/oauth-client.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import { digestOfClient, type Grant, type GrantBody, type GrantPlace, type Tokens } from "./grant-record.ts";
import type { GrantStore, NewGrant } from "./grant-store.ts";
import { askForTokens, type TokenAnswer, type TokenRequest } from "./token-endpoint.ts";

export interface RenewPorts {
  readonly store: GrantStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly egress: Pick<Egress, "fetch">;
  /** Identifies this process among those that renew grants. */
  readonly holder: string;
  /** Aborted when the engine stops. */
  readonly stopped: AbortSignal;
}

/**
 * How long the sender of a request for tokens keeps others away, in milliseconds. Another process measures it from its first
 * look at the attempt, with its own clock, so that clocks need not agree. The request itself ends before.
 */
export const attemptMs = 30_000;

/** How long after its attempt began to be written a request is sent, in milliseconds. It ends 20 s later at most. */
const sendWithinMs = 5_000;

const requestLimits = { timeoutMs: 20_000, maxResponseBytes: 256 * 1024 };

/** Between two looks at the attempt of another process, in milliseconds. */
const lookMs = 200;

/** Delays of the attempts after failed ones, in milliseconds. */
const minDelayMs = 1_000;
const maxDelayMs = 60_000;

/**
 * Gets newer tokens than those of a generation, by one request of all processes: the attempt is written before the request,
 * and its result replaces that revision only. A process that dies in between leaves an attempt that others take over.
 *
 * A server may have replaced the refresh token and the process died before it stored the new one. The next attempt then sends
 * the former one, which some servers accept for a while. No client can do better.
 *
 * @returns the grant with newer tokens, or as it is when there can be none now; `undefined` without a grant
 * @throws ProcedoError `storage_unavailable`, before anything was sent
 */
export async function renewGrant(
  ports: RenewPorts,
  place: GrantPlace,
  client: OAuthClient,
  generation: number,
): Promise<Grant | undefined> {
  const { store, clock, stopped } = ports;
  let watched: { readonly revision: number; readonly sinceMs: number } | undefined;
  while (!stopped.aborted) {
    const grant = ownGrant(await store.read(place), client);
    if (grant === undefined && client.grant === "authorization_code") return undefined;
    if (grant !== undefined && !canRenew(grant, generation, clock.now())) return grant;
    if (grant?.body.attempt !== undefined) {
      if (watched?.revision !== grant.revision) watched = { revision: grant.revision, sinceMs: clock.monotonic() };
      if (clock.monotonic() - watched.sinceMs < attemptMs) {
        await sleep(clock, lookMs, stopped);
        continue;
      }
    }
    const renewed = await attempt(ports, place, client, grant);
    if (renewed !== undefined) return renewed;
  }
  throw new ProcedoError("shutting_down", "The engine was stopped while the connection was authorized.");
}

/** A grant of another client is none: its tokens are not sent to this client's server. */
export function ownGrant(grant: Grant | undefined, client: OAuthClient): Grant | undefined {
  return grant?.body.client === digestOfClient(client) ? grant : undefined;
}

/** When the next attempt may be made, after failed ones. A failure in the future is of a clock that was wrong. */
export function retryAtMs({ failures }: Pick<GrantBody, "failures">, nowMs: number): number {
  if (failures === undefined || failures.atMs > nowMs) return 0;
  return failures.atMs + Math.min(maxDelayMs, minDelayMs * 2 ** Math.min(failures.count - 1, 10));
}

function canRenew({ body, tokens }: Grant, generation: number, nowMs: number): boolean {
  const isNewer = tokens !== undefined && body.generation > generation;
  return body.status === "connected" && !isNewer && retryAtMs(body, nowMs) <= nowMs;
}

/** One attempt; `undefined` when another write of the grant came first. */
async function attempt(
  ports: RenewPorts,
  place: GrantPlace,
  client: OAuthClient,
  grant: Grant | undefined,
): Promise<Grant | undefined> {
  const { store, clock, holder } = ports;
  // Without a grant of this client there may be one of the client that the connection had before.
  const stored = grant ?? (await store.read(place));
  const before = grant?.body ?? firstBody(client, stored, clock.now());
  const request = requestOf(client, grant);
  // Nothing can be asked for: the tokens are as good as they are.
  if (request === undefined) return grant;
  const beganMs = clock.monotonic();
  const leased = await store.replace(place, stored, { body: { ...before, attempt: { holder, atMs: clock.now() } } });
  if (leased === undefined) return undefined;
  const sentAtMs = clock.now();
  // Storage may have answered late, or this process have stood still: another one may send by now.
  const beforeSend = () =>
    clock.monotonic() - beganMs > sendWithinMs ? "The request for tokens was too late." : undefined;
  const answer = await askForTokens(guardedFetch(ports.egress, { ...requestLimits, beforeSend }), client, request);
  return await storeAnswer(ports, place, leased, afterAnswer(leased, client, answer, sentAtMs, clock.now()));
}

/** Stores the answer, however long storage is not available: the server may have replaced the tokens. */
async function storeAnswer(
  { store, clock, log, holder, stopped }: RenewPorts,
  place: GrantPlace,
  leased: Grant,
  grant: NewGrant,
): Promise<Grant | undefined> {
  const { status, failures } = grant.body;
  const fact = status === "connected" ? undefined : endFact(place, holder, failures?.message ?? "");
  for (let delayMs = 50; ; delayMs = Math.min(5_000, delayMs * 2)) {
    try {
      return await store.replace(place, leased, grant, fact);
    } catch (error) {
      const isLast = stopped.aborted || !ProcedoError.isError(error) || !error.retryable;
      log.warn("The tokens of a connection could not be stored.", { ...place, error: errorText(error), isLast });
      if (isLast) throw error;
      await sleep(clock, delayMs, stopped);
    }
  }
}

/** The grant of a client that asks for its first token. */
function firstBody(client: OAuthClient, before: Grant | undefined, nowMs: number): Omit<GrantBody, "tokens"> {
  return {
    client: digestOfClient(client),
    status: "connected",
    generation: (before?.body.generation ?? 0) + 1,
    scopes: { asked: client.scopes, granted: [] },
    accountSinceMs: nowMs,
    connectedAtMs: nowMs,
    connectedBy: "",
  };
}

function requestOf({ grant }: OAuthClient, stored: Grant | undefined): TokenRequest | undefined {
  if (grant === "client_credentials") return { grant };
  const refreshToken = stored?.tokens?.refresh;
  return refreshToken === undefined ? undefined : { grant: "refresh_token", refreshToken };
}

/** The grant after the answer to an attempt. */
function afterAnswer(
  leased: Grant,
  client: OAuthClient,
  answer: TokenAnswer,
  sentAtMs: number,
  nowMs: number,
): NewGrant {
  const { attempt: _over, tokens: _sealed, failures, ...body } = leased.body;
  if (answer.status === "granted") {
    return grantedBody({ ...body, generation: body.generation + 1 }, client, answer, sentAtMs, leased.tokens);
  }
  // No person authorizes a client: it is tried again, also with another secret.
  if (answer.status === "ended" && client.grant === "authorization_code") {
    return { body: ended(body, nowMs, answer.message) };
  }
  const count = (failures?.count ?? 0) + 1;
  return { body: { ...body, failures: { count, atMs: nowMs, message: answer.message } } };
}

/**
 * A grant with new tokens.
 *
 * @param before the former tokens of the same grant: a server that sends no new refresh token leaves the former one good
 */
export function grantedBody(
  body: Omit<GrantBody, "tokens">,
  client: OAuthClient,
  { tokens, lifetimeMs, scopes = body.scopes.granted }: Extract<TokenAnswer, { readonly status: "granted" }>,
  sentAtMs: number,
  before?: Tokens,
): NewGrant {
  const { expiresAtMs: _expiry, lifetimeMs: _lifetime, ...rest } = body;
  return {
    body: {
      ...rest,
      // The server answered later than this.
      ...(lifetimeMs !== undefined && { expiresAtMs: sentAtMs + lifetimeMs, lifetimeMs }),
      // RFC 6749, 5.1: scopes that the server does not name are those that were asked for.
      scopes: { asked: client.scopes, granted: scopes.length === 0 ? client.scopes : scopes },
      obtainedAtMs: sentAtMs,
    },
    tokens: { ...(before?.refresh !== undefined && { refresh: before.refresh }), ...tokens },
  };
}

/** The entry of the workspace's chain for a grant that has ended. */
export function endFact({ environment, connectionId }: GrantPlace, via: string, reason: string): AuditFact {
  const subject = `${environment}/${connectionId}`;
  return { by: "procedo", via, action: "connection.authorization_ended", subject, details: { reason } };
}

/** A grant that a person has to give again. */
export function ended(body: Omit<GrantBody, "tokens">, nowMs: number, message: string): Omit<GrantBody, "tokens"> {
  return { ...body, status: "needs_authorization", failures: { count: 1, atMs: nowMs, message } };
}
