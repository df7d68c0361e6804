import { invocationLeaseMs } from "@procedo/contract";
import type { InvocationLease, Storage } from "@procedo/storage";
import type { PrivateClient } from "./private-connections.ts";

export interface HoldLeasesPorts {
  readonly storage: Pick<Storage, "invocations">;
  readonly workspace: string;
}

/** Makes the leases of a client's calls end later, the first time acknowledging them; answers the ids to abandon. */
export async function holdLeases(
  { storage, workspace }: HoldLeasesPorts,
  { environment, connectionId }: PrivateClient,
  leases: readonly InvocationLease[],
): Promise<readonly string[]> {
  const scope = { workspace, environment };
  const answers = await storage.invocations.extend({ scope, connectionId, leases, leaseMs: invocationLeaseMs });
  // A lapsed call is finished all the same: its result is still waited for.
  return leases.flatMap(({ invocationId }, index) => (answers[index] === "lost" ? [invocationId] : []));
}
