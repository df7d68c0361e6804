import type { OAuthClient } from "../integrations/oauth-client.ts";
import type { Clock } from "../ports/clock.ts";
import type { Grant, GrantPlace } from "./grant-record.ts";
import { ended, endFact, ownGrant, type RenewPorts } from "./renew-grant.ts";

/**
 * Ends a grant whose service refuses the tokens of a generation, unless newer ones are stored. A request for
 * tokens that is under way then finds another revision, and its answer is not stored: a person authorizes the connection
 * anyway.
 *
 * @returns the grant as it is stored then; `undefined` without one
 * @throws ProcedoError `storage_unavailable`
 */
export async function endGrant(
  { store, clock, holder }: Pick<RenewPorts, "store" | "holder"> & { readonly clock: Pick<Clock, "now"> },
  place: GrantPlace,
  client: OAuthClient,
  { generation, reason }: { readonly generation: number; readonly reason: string },
): Promise<Grant | undefined> {
  for (;;) {
    const grant = ownGrant(await store.read(place), client);
    if (grant?.body.status !== "connected" || grant.body.generation !== generation) return grant;
    const { attempt: _underWay, tokens: _sealed, ...body } = grant.body;
    const over = { body: ended(body, clock.now(), reason) };
    const left = await store.replace(place, grant, over, endFact(place, holder, reason));
    if (left !== undefined) return left;
  }
}
