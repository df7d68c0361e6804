import type { Delivery } from "@procedo/contract";
import type { DatabaseContent } from "../crash/read-database.ts";
import type { Arrival } from "./receiver.ts";

/** A webhook's deliveries: as the service shows them, as they are stored, and as they arrived. */
export interface Receipts {
  readonly told: readonly Delivery[];
  readonly stored: DatabaseContent["deliveries"];
  readonly arrivals: readonly Pick<Arrival, "body" | "event" | "refused" | "status">[];
}

/**
 * Every event arrived and was accepted, each time under one id and with the same bytes. No other event arrived, and no
 * attempt arrived that the service did not record.
 */
export function judgeReceipts({ told, stored, arrivals }: Receipts): readonly string[] {
  const faults = arrivals.flatMap(({ refused }) =>
    refused === undefined ? [] : [`A delivery was refused: ${refused}.`],
  );
  const arrived = Map.groupBy(arrivals, ({ event }) => event?.id);
  arrived.delete(undefined);
  for (const { id, event, status, attemptCount } of told) {
    const received = arrived.get(id) ?? [];
    const what = `Delivery ${id} of ${event}`;
    if (status !== "delivered") faults.push(`${what} is ${status}.`);
    if (!received.some((one) => one.status < 300)) faults.push(`${what} was never accepted by the receiver.`);
    if (received.length > attemptCount)
      faults.push(`${what} arrived ${received.length} times in ${attemptCount} attempts.`);
    if (new Set(received.map(({ body }) => body)).size > 1) faults.push(`${what} arrived with different bodies.`);
  }
  const known = new Set(told.map(({ id }) => id));
  for (const id of arrived.keys())
    if (id !== undefined && !known.has(id)) faults.push(`The service has no delivery ${id}.`);
  return [...faults, ...compareEvents(stored, arrived)];
}

/** The events of each run arrived, each under its own id. */
function compareEvents(
  stored: DatabaseContent["deliveries"],
  arrived: ReadonlyMap<string | undefined, readonly Pick<Arrival, "event">[]>,
): readonly string[] {
  const kept = stored.map(({ runId, event }) => `${event} of ${runId}`).sort();
  const came = [...arrived.values()].flatMap(([first]) =>
    first?.event === undefined ? [] : [`${first.event.event} of ${first.event.data.runId}`],
  );
  return kept.join() === came.sort().join()
    ? []
    : [`${kept.length} events are stored and ${came.length} arrived, or not the same ones.`];
}
