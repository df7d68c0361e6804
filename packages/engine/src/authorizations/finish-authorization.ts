import { timingSafeEqual } from "node:crypto";
import { ProcedoError, type JsonObject } from "@procedo/contract";
import { digestOf } from "../access/raw-token.ts";
import { connectionSecrets } from "../connections/connection-secrets.ts";
import type { ConnectionPlace } from "../connections/connection-record.ts";
import { wakeRunsWaitingFor } from "../connections/wake-runs.ts";
import { guardedConnect } from "../egress/guarded-connect.ts";
import { guardedFetch } from "../egress/guarded-fetch.ts";
import { whileOutside, type Outside } from "../egress/outside.ts";
import { authorizedFetch } from "../grants/authorized-fetch.ts";
import { digestOfClient } from "../grants/grant-record.ts";
import { askForTokens, isKnownError, type TokenAnswer } from "../grants/token-endpoint.ts";
import type { ServiceAccount } from "../integrations/account-context.ts";
import { errorText } from "../ports/log.ts";
import { createRedactor } from "../secrets/redact.ts";
import type { AuthorizationPorts, OAuthConnection } from "./oauth-connection.ts";
import type { PendingAuthorizations, Sent } from "./pending-authorization.ts";
import { stillMay } from "./still-may.ts";

/** The authorization server's redirect, as the browser followed it. */
export interface Redirected {
  /** The parameters of the query. */
  readonly parameters: URLSearchParams;
  /** The text of the browser's cookie; `undefined` without one. */
  readonly browser: string | undefined;
}

/** An authorization that was stored. */
export interface FinishedAuthorization {
  /** The connection. */
  readonly connectionId: string;
  /** Name of the connection. */
  readonly name: string;
  /** The account at the service; `undefined` where the integration cannot name it. */
  readonly account: ServiceAccount | undefined;
  /** The path of the application to return to. */
  readonly returnTo: string | undefined;
}

export interface FinishPorts extends AuthorizationPorts {
  readonly pending: PendingAuthorizations;
  readonly find: (place: ConnectionPlace) => Promise<OAuthConnection>;
  readonly outside: Outside | undefined;
}

const requestLimits = { timeoutMs: 15_000, maxResponseBytes: 1024 * 1024 };
const maxAccountLength = 200;

/** See `Authorizations.finish`. */
export async function finishAuthorization(ports: FinishPorts, redirected: Redirected): Promise<FinishedAuthorization> {
  const { parameters, browser } = redirected;
  const states = parameters.getAll("state");
  const sent = states.length === 1 ? await ports.pending.takeState(states[0] ?? "") : undefined;
  // The state is used up by now, also for another browser than the one in which the authorization began.
  if (sent === undefined || browser === undefined || !isSame(digestOf(browser), sent.browser)) throw invalidState();
  const connection = await ports.find(sent);
  const { client, place, body } = connection;
  if (!(await stillMay(ports, sent))) throw mayNotAnyMore();
  // The code of one server is not sent to another.
  if (digestOfClient(client) !== sent.client) throw changedMeanwhile(body.name);
  if (client.issuer !== undefined && parameters.get("iss") !== client.issuer) throw invalidState();
  if (parameters.has("error")) {
    const isDenied = parameters.get("error") === "access_denied";
    throw isDenied
      ? new ProcedoError("oauth_denied", `Connection "${body.name}" was not authorized: the access was denied.`)
      : new ProcedoError("oauth_failed", refusalText(body.name, parameters.get("error") ?? ""));
  }
  const sentAtMs = ports.clock.now();
  const answer = await exchange(ports, connection, sent, parameters, states[0] ?? "");
  const about = { by: sent.by, via: sent.via, subject: `${place.environment}/${place.connectionId}` };
  const refused = async (details: JsonObject): Promise<void> =>
    await ports.pending.recordRefused(sent, { ...about, action: "connection.authorization_refused", details });
  const account = await accountOf(ports, connection, answer).catch(async (error: unknown) => {
    if (isOfOtherEnvironment(error)) await refused({ code: error.code, reason: error.message });
    throw error;
  });
  const named = account === undefined ? {} : { account: { ...account } };
  const given = await ports.grants.give(...([place, client, { answer, sentAtMs, account, by: sent.by }] as const), {
    isAccepted: (before) => sent.replacesAccount || before === undefined || before.id === account?.id,
    fact: (before) => {
      const replaced = before === undefined || before.id === account?.id ? {} : { replaced: { ...before } };
      const details = { ...named, ...replaced, scopes: [...(answer.scopes ?? client.scopes)] };
      return { ...about, action: "connection.authorized", details };
    },
  });
  if (!given.isStored) {
    const { kept } = given;
    await refused({ code: "account_mismatch", ...named, ...(kept !== undefined && { kept: { ...kept } }) });
    throw otherAccount(body.name, account);
  }
  await dropUnlessKept(ports, connection);
  await wakeRunsWaitingFor(ports, place);
  return { connectionId: place.connectionId, name: body.name, account, returnTo: sent.returnTo };
}

/** Tokens must not outlive their connection, which may have been removed meanwhile. */
async function dropUnlessKept(ports: FinishPorts, { place, client }: OAuthConnection): Promise<void> {
  try {
    await ports.find(place);
  } catch (error) {
    if (ProcedoError.isError(error) && !error.retryable) await ports.grants.drop(place, client, undefined);
    throw error;
  }
}

async function exchange(
  ports: FinishPorts,
  { client, body }: OAuthConnection,
  { redirectUri, codeVerifier }: Sent,
  given: URLSearchParams,
  state: string,
): Promise<Extract<TokenAnswer, { readonly status: "granted" }>> {
  const parameters = new URLSearchParams(given);
  // Without an issuer there is nothing to compare it with. The state is bound to this connection's server anyway.
  if (client.issuer === undefined) parameters.delete("iss");
  const request = { grant: "authorization_code", parameters, state, redirectUri, codeVerifier } as const;
  const fetch = guardedFetch(ports.egress, requestLimits);
  const answer = await whileOutside(ports.outside, () => askForTokens(fetch, client, request));
  if (answer.status === "granted") return answer;
  throw new ProcedoError("oauth_failed", `Connection "${body.name}" could not be authorized. ${answer.message}`);
}

/** Asks the service for the account of new tokens, before they are stored. */
async function accountOf(
  ports: FinishPorts,
  { place, client, integration, body }: OAuthConnection,
  { tokens }: Extract<TokenAnswer, { readonly status: "granted" }>,
): Promise<ServiceAccount | undefined> {
  if (integration.kind !== "coded" || integration.account === undefined) return undefined;
  const { environment, connectionId } = place;
  const secrets = connectionSecrets(ports.secretBox, ports.workspace, environment, connectionId).open(body.secrets);
  const redactor = createRedactor([...Object.values(secrets), tokens.access, tokens.refresh ?? ""]);
  const ready = { status: "ready", accessToken: tokens.access, generation: 0, accountSinceMs: 0 } as const;
  const own = {
    ...{ origins: client.origins, tokenRefusal: undefined, accountSinceMs: 0 },
    ...{ ready: async () => ready, renew: async () => ready, refusedAgain: async () => undefined },
  };
  const controller = new AbortController();
  const cancel = ports.clock.after(requestLimits.timeoutMs, () =>
    controller.abort(new Error("The service took too long.")),
  );
  const { signal } = controller;
  const fetch = authorizedFetch(guardedFetch(ports.egress, { ...requestLimits, signal }), own);
  const connect = guardedConnect(ports.egress, { signal });
  const context = { environment, settings: body.settings, secrets, redactor, fetch, connect, signal };
  try {
    const { id, name } = await whileOutside(
      ports.outside,
      async () => integration.account?.(context) ?? { id: "", name: "" },
    );
    return { id: redactor.cut(id, maxAccountLength), name: redactor.cut(name, maxAccountLength) };
  } catch (error) {
    const reason = redactor.cut(errorText(error), 500);
    if (isOfOtherEnvironment(error)) {
      throw new ProcedoError(error.code, `Connection "${body.name}" was not authorized. ${reason}`);
    }
    throw new ProcedoError("oauth_failed", `The account of connection "${body.name}" could not be read. ${reason}`);
  } finally {
    cancel();
  }
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

function refusalText(connection: string, error: string): string {
  const reason = isKnownError(error) ? ` It answered "${error}".` : "";
  return `The authorization server refused to authorize connection "${connection}".${reason}`;
}

function changedMeanwhile(connection: string): ProcedoError {
  const message = `The settings of connection "${connection}" were changed while it was authorized. Begin it again.`;
  return new ProcedoError("oauth_state_invalid", message);
}

function isOfOtherEnvironment(error: unknown): error is ProcedoError {
  return ProcedoError.isError(error) && error.code === "credentials_of_other_environment";
}

function otherAccount(connection: string, account: ServiceAccount | undefined): ProcedoError {
  const found = account === undefined ? "" : `, "${account.name}"`;
  return new ProcedoError(
    "account_mismatch",
    `Connection "${connection}" belongs to another account than the one that was authorized${found}. ` +
      "The tokens from before were kept. Authorize the same account, or begin again with replace.",
  );
}

/** The error of an authorization whose person may not begin one any more. */
export function mayNotAnyMore(): ProcedoError {
  return new ProcedoError(
    "oauth_state_invalid",
    "The person or key that began this authorization may not authorize connections any more. Begin it again as another one.",
  );
}

function invalidState(): ProcedoError {
  return new ProcedoError(
    "oauth_state_invalid",
    "This authorization is unknown, was finished before, is older than 10 minutes, or began in another browser. Begin it again.",
  );
}
