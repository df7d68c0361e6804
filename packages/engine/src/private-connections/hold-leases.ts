import { invocationLeaseMs } from "@procedo/contract";
import type { InvocationLease, Storage } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { acknowledgedWithinMs, askedUntilKnown, notKnownYet, wentAhead } from "./calls-ahead.ts";
import type { HandOut } from "./hand-out.ts";
import type { PrivateClient } from "./private-connections.ts";

export interface HoldLeasesPorts {
  readonly storage: Pick<Storage, "invocations">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly handOut: Pick<HandOut, "acknowledge">;
}

type Answer = Awaited<ReturnType<Storage["invocations"]["extend"]>>[number];

/**
 * Makes the leases of a client's calls end later, the first time acknowledging them; answers the ids that it is to abandon.
 *
 * @throws ProcedoError `storage_unavailable`, also when it is not known yet whether a call that went ahead is durable
 */
export async function holdLeases(
  { storage, workspace, clock, handOut }: HoldLeasesPorts,
  client: PrivateClient,
  leases: readonly InvocationLease[],
  begins: boolean,
): Promise<readonly string[]> {
  const { environment, connectionId } = client;
  const place = { scope: { workspace, environment }, connectionId };
  const answers = new Map<InvocationLease, Answer>();
  const askedAtMs = clock.monotonic();
  const told = await Promise.all(leases.map(async (lease) => await handOut.acknowledge(client, lease)));
  // One that has waited for others may be over by now.
  const isFresh = clock.monotonic() < askedAtMs + acknowledgedWithinMs;
  for (const [index, lease] of leases.entries()) if (isFresh && told[index] === "stored") answers.set(lease, "held");
  // Of what went ahead from here nothing more is to come.
  const mayCome = (lease: InvocationLease, index: number): boolean =>
    told[index] === undefined && wentAhead(lease) && answers.get(lease) === "lost";

  await askedUntilKnown(
    clock,
    async () => {
      const asked = leases.filter((lease, index) => !answers.has(lease) || mayCome(lease, index));
      if (asked.length === 0) return;
      const extended = await storage.invocations.extend({
        ...place,
        leases: asked,
        leaseMs: invocationLeaseMs,
        begins,
      });
      for (const [index, lease] of asked.entries()) answers.set(lease, extended[index] ?? "lost");
    },
    () => leases.some(mayCome),
  );
  // It may come to be acknowledged in a moment: nobody could be told then that it was given up here.
  if (leases.some((lease, index) => told[index] === "unknown" && answers.get(lease) === "lost")) throw notKnownYet();
  // One that lapsed is to be finished: its result is still waited for.
  return leases.flatMap((lease) => (answers.get(lease) === "lost" ? [lease.invocationId] : []));
}
