import type { ProcedoError } from "@procedo/contract";
import type { EventBatch, TakeResult, TriggerStore } from "@procedo/storage";
import { assertStorable, groupCommit } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { groupClock } from "./group-clock.ts";
import { itemArrays } from "./item-rows.ts";
import { failureOf, procedoErrorOf } from "./postgres-error.ts";
import { eventColumns, takeStatement, type BatchedEvent, type TakenEvent } from "./take-statement.ts";

/** While one flush waits for the disk, the next one is judged. */
const flushesAtOnce = 2;

/** The approximate size of an event without its content. A batch of many small events takes a flush of its own. */
const eventSize = 1_000;

type BatchResult = { readonly taken: Awaited<ReturnType<TriggerStore["take"]>> } | { readonly refused: ProcedoError };

/** Takes the batches of one turn of the event loop with one statement: one round trip and one disk write. */
export function postgresTake({ database, nowMs, announce }: PostgresContext): TriggerStore["take"] {
  const statement = takeStatement(database.schema);

  async function flush(batches: readonly EventBatch[]): Promise<readonly BatchResult[]> {
    try {
      return await takeAll(batches);
    } catch (error) {
      if (failureOf(error) !== "statement") throw error;
      if (batches.length === 1) return [{ refused: procedoErrorOf(error) }];
      // The database rejected the statement, and with it all batches. Each half is tried until the failing one is alone.
      const half = Math.ceil(batches.length / 2);
      return [...(await flush(batches.slice(0, half))), ...(await flush(batches.slice(half)))];
    }
  }

  async function takeAll(batches: readonly EventBatch[]): Promise<readonly BatchResult[]> {
    const items = batches.flatMap((batch, number) => batch.events.map((event) => ({ number, batch, event })));
    const found = items.length === 0 ? [] : await store(items);
    if (found.some((event) => event.is_taken)) announce([{ type: "fireable" }]);
    let place = 0;
    return batches.map(({ events }) => {
      const ofBatch = found.slice(place, (place += events.length));
      return { taken: ofBatch.some((event) => event.is_refused) ? "backlog" : ofBatch.map(resultOf) };
    });
  }

  function store(items: readonly BatchedEvent[]): Promise<readonly TakenEvent[]> {
    const bodies = items.map(({ event }) => event.body);
    const headers = items.map(({ event }) => event.headers ?? null);
    return database.query<TakenEvent>(statement, [...itemArrays(eventColumns, items), bodies, headers, nowMs()]);
  }

  const group = groupCommit({
    flush,
    fairBy: ({ scope }: EventBatch) => scope.environment,
    sizeOf: ({ events }) => events.reduce((sum, { body }) => sum + body.length + eventSize, 0),
    concurrency: flushesAtOnce,
    timeLimit: database.timeLimit,
    clock: groupClock,
  });

  return async (batch) => {
    assertStorable(batch);
    const result = await group.add(batch);
    if ("refused" in result) throw result.refused;
    return result.taken;
  };
}

function resultOf({ is_taken, is_known, takers }: TakenEvent): TakeResult {
  if (is_taken) return { status: "taken", firings: takers };
  return { status: is_known ? "known" : "untaken" };
}
