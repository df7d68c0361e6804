import { invocationLeaseMs } from "@procedo/contract";
import type { InvocationLease, Storage } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { wentAhead } from "./calls-ahead.ts";
import type { HandOut } from "./hand-out.ts";
import type { PrivateClient } from "./private-connections.ts";

export interface HoldLeasesPorts {
  readonly storage: Pick<Storage, "invocations">;
  readonly workspace: string;
  readonly clock: Pick<Clock, "after">;
  readonly handOut: Pick<HandOut, "acknowledge">;
}

/**
 * A call that another node sent out before it was durable may be acknowledged here. It comes to be known within milliseconds, or
 * where a disk is slow within so many.
 */
const pausesMs = [25, 100, 400];

/** Makes the leases of a client's calls end later, the first time acknowledging them; answers the ids that it is to abandon. */
export async function holdLeases(
  { storage, workspace, clock, handOut }: HoldLeasesPorts,
  client: PrivateClient,
  leases: readonly InvocationLease[],
): Promise<readonly string[]> {
  const { environment, connectionId } = client;
  const extend = async (asked: readonly InvocationLease[]): Promise<readonly InvocationLease[]> => {
    if (asked.length === 0) return [];
    const scope = { workspace, environment };
    const request = { scope, connectionId, leases: asked, leaseMs: invocationLeaseMs };
    const answers = await storage.invocations.extend(request);
    // One that lapsed is to be finished: its result is still waited for.
    return asked.filter((_lease, index) => answers[index] === "lost");
  };

  const told = await Promise.all(leases.map(async (lease) => await handOut.acknowledge(client, lease)));
  let lost = await extend(leases.filter((_lease, index) => told[index] !== true));
  for (const pauseMs of pausesMs) {
    const early = lost.filter(wentAhead);
    if (early.length === 0) break;
    await new Promise<void>((resolve) => void clock.after(pauseMs, resolve));
    lost = [...lost.filter((lease) => !wentAhead(lease)), ...(await extend(early))];
  }
  return lost.map(({ invocationId }) => invocationId);
}
