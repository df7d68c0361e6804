import type { Environment } from "@procedo/contract";
import type { Principal } from "../access/principal.ts";
import { limitedKey } from "../keys/key-limits.ts";
import type { Roster } from "../people/roster.ts";

/**
 * The principal for whom a trigger starts runs: a person as they may act now, with the permission `run` in one
 * environment at most. As with keys, a name that is no person of the service comes from code that embeds the engine,
 * and is trusted.
 *
 * @returns `undefined` when the person is not active or may not start runs in the environment
 */
export async function triggerPerson(
  { roster }: { readonly roster: Pick<Roster, "joined"> },
  request: { readonly environment: Environment; readonly triggerId: string; readonly person: string },
): Promise<Principal | undefined> {
  const { environment, triggerId, person } = request;
  const joined = await roster.joined(person);
  const limited = limitedKey({ person, permissions: ["run"], roles: [] }, environment, joined);
  if (limited?.permissions.includes("run") !== true) return undefined;
  return { person, via: `trigger:${triggerId}`, permissions: ["run"], environment };
}
