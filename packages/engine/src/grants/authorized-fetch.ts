import type { JsonValue } from "@procedo/contract";
import type { GuardedFetch } from "../egress/guarded-fetch.ts";
import { EgressError } from "../egress/egress-error.ts";
import { errorText } from "../ports/log.ts";
import type { TokenRefusal } from "../integrations/oauth-client.ts";
import type { Authorization } from "./authorization.ts";

/**
 * Adds the access token to the requests of a connection. A request to another origin than its service's carries none.
 *
 * A service that refuses the token did not do the work: the token is renewed once, and the same request sent again, with the
 * same token where there can be no other. A second refusal ends the authorization, or is the answer if it proves nothing
 * about it. Without another token the request fails as if it had not been sent, and so it does when the connection belongs
 * to another account by then: the request is one for the account before, whose service alone knows its idempotency key.
 *
 * @param onRefused - called for each refusal, with the method of the request that was refused
 */
export function authorizedFetch(
  fetch: GuardedFetch,
  authorization: Pick<
    Authorization,
    "origins" | "tokenRefusal" | "accountSinceMs" | "ready" | "renew" | "refusedAgain"
  >,
  onRefused: (method: string) => void = () => {},
): GuardedFetch {
  // Of the account that the maker of the requests has read; 0 before the first reading.
  const { accountSinceMs } = authorization;
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!URL.canParse(url) || !authorization.origins.includes(new URL(url).origin)) return await fetch(input, init);
    const given = input instanceof Request ? new Request(input, init) : new Request("https://unused.invalid", init);
    const body = await given.arrayBuffer();
    const send = async (accessToken: string) => {
      const headers = new Headers(given.headers);
      headers.set("authorization", `Bearer ${accessToken}`);
      const { method, redirect, signal } = given;
      const answer = await fetch(url, { method, redirect, signal, headers, ...(body.byteLength > 0 && { body }) });
      const refusal = await refusalIn(answer, authorization);
      if (refusal !== undefined) onRefused(method);
      return { answer, refusal };
    };
    const ready = await authorization.ready();
    if (ready.status !== "ready") throw new EgressError("unauthorized", ready.message, { sent: "no" });
    if (accountSinceMs !== 0 && ready.accountSinceMs !== accountSinceMs) {
      throw new EgressError("unauthorized", otherAccount, { sent: "no" });
    }
    const first = await send(ready.accessToken);
    if (first.refusal === undefined) return first.answer;
    const renewed = await after(first.answer, authorization.renew(ready.generation, "refused"));
    if (renewed.status !== "ready") throw noOther(first.answer, renewed.message);
    if (renewed.accountSinceMs !== ready.accountSinceMs) throw noOther(first.answer, otherAccount);
    const second = await send(renewed.accessToken);
    if (second.refusal === undefined) return second.answer;
    const left = await after(second.answer, authorization.refusedAgain(renewed.generation, second.refusal));
    if (left === undefined) return second.answer;
    throw noOther(second.answer, left.status === "ready" ? "There is a newer one since." : left.message);
  };
}

const otherAccount = "The connection was authorized again meanwhile, perhaps for another account.";

/** What follows a refusal. A failure of it does not make the outcome of the request unknown. */
async function after<T>(refused: Response, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw noOther(refused, errorText(error));
  }
}

async function refusalIn(
  answer: Response,
  { tokenRefusal }: Pick<Authorization, "tokenRefusal">,
): Promise<TokenRefusal | undefined> {
  const { status } = answer;
  if (status === 401) return "refused";
  // After a 5xx the work may have been done: its body proves nothing.
  if (tokenRefusal === undefined || status >= 500) return undefined;
  try {
    const body = (await answer.clone().json()) as JsonValue;
    return tokenRefusal({ status, body });
  } catch {
    // An answer in another form is not about the token, and neither is one that the integration cannot read.
    return undefined;
  }
}

function noOther({ status: responseStatus }: Response, reason: string): EgressError {
  const message = `The service refused the access token (${responseStatus}), and there is no other. ${reason}`;
  return new EgressError("unauthorized", message, { sent: "no", responseStatus });
}
