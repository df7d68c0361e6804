import type { OAuthClient } from "../integrations/oauth-client.ts";
import type { Clock } from "../ports/clock.ts";
import type { Grant, GrantPlace } from "./grant-record.ts";
import type { GrantStore } from "./grant-store.ts";
import { ended, ownGrant } from "./renew-grant.ts";

/**
 * Ends a grant whose service refuses the tokens of a generation, unless newer ones are stored, or those of another account. A request for tokens that is
 * under way then finds another revision, and its answer is not stored: a person authorizes the connection anyway.
 *
 * @returns the grant as it is stored then; `undefined` without one
 * @throws ProcedoError `storage_unavailable`
 */
export async function endGrant(
  { store, clock }: { readonly store: GrantStore; readonly clock: Pick<Clock, "now"> },
  place: GrantPlace,
  client: OAuthClient,
  {
    generation,
    accountSinceMs,
    reason,
  }: { readonly generation: number; readonly accountSinceMs: number; readonly reason: string },
): Promise<Grant | undefined> {
  for (;;) {
    const grant = ownGrant(await store.read(place), client);
    if (grant?.body.status !== "connected" || grant.body.generation !== generation) return grant;
    // Generations begin anew when an authorization was removed.
    if (grant.body.accountSinceMs !== accountSinceMs) return grant;
    const { attempt: _underWay, tokens: _sealed, ...body } = grant.body;
    const left = await store.replace(place, grant, { body: ended(body, clock.now(), reason) });
    if (left !== undefined) return left;
  }
}
