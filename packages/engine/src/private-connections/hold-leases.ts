import { invocationLeaseMs } from "@procedo/contract";
import type { InvocationLease, Storage } from "@procedo/storage";
import type { PrivateClient } from "./private-client.ts";

/**
 * Extends the leases of a client's calls and acknowledges the calls. Returns the ids of calls that the client must
 * abandon.
 */
export async function holdLeases(
  { storage, workspace }: { readonly storage: Pick<Storage, "invocations">; readonly workspace: string },
  { environment, connectionId }: PrivateClient,
  leases: readonly InvocationLease[],
): Promise<readonly string[]> {
  const scope = { workspace, environment };
  const answers = await storage.invocations.extend({ scope, connectionId, leases, leaseMs: invocationLeaseMs });
  // The run still waits for the result of a lapsed call.
  return leases.flatMap(({ invocationId }, index) => (answers[index] === "lost" ? [invocationId] : []));
}
