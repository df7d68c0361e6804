import type { Storage } from "@procedo/storage";
import { keyKind } from "../keys/key-record.ts";
import { limitedKey } from "../keys/key-limits.ts";
import type { Roster } from "../people/roster.ts";
import type { Begun } from "./pending-authorization.ts";

export interface StillMayPorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly roster: Pick<Roster, "joined">;
}

const keyPrefix = "key_";

/**
 * Whether an authorization may go on: minutes after it began, its person may have lost the permission, or its key may be
 * deleted. As with keys, a name that is no person of the service comes from code that embeds the engine, and is trusted.
 */
export async function stillMay(
  { storage, workspace, roster }: StillMayPorts,
  { by, via, environment }: Pick<Begun, "by" | "via" | "environment">,
): Promise<boolean> {
  const limited = limitedKey({ person: by, permissions: ["manage"], roles: [] }, environment, await roster.joined(by));
  if (limited?.permissions.includes("manage") !== true) return false;
  if (!via.startsWith(keyPrefix)) return true;
  return (await storage.records.get({ workspace, kind: keyKind, id: via })) !== undefined;
}
