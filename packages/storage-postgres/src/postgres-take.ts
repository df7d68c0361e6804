import type { EventBatch, TakeResult, TriggerStore } from "@procedo/storage";
import { assertStorable, groupCommit } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { groupClock } from "./group-clock.ts";
import { itemArrays } from "./item-rows.ts";
import { eventColumns, takeStatement, type BatchedEvent, type TakenEvent } from "./take-statement.ts";

/** While one flush waits for the disk, the next one is judged. */
const flushesAtOnce = 2;

/** The approximate size of an event without its content. A batch of many small events takes a flush of its own. */
const eventSize = 1_000;

type BatchResult = Awaited<ReturnType<TriggerStore["take"]>>;

/** Takes the batches of one turn of the event loop with one statement: one round trip and one disk write. */
export function postgresTake({ database, nowMs, announce }: PostgresContext): TriggerStore["take"] {
  const statement = takeStatement(database.schema);

  async function flush(batches: readonly EventBatch[]): Promise<readonly { readonly result: BatchResult }[]> {
    const items = batches.flatMap((batch, number) => batch.events.map((event) => ({ number, batch, event })));
    const found = items.length === 0 ? [] : await store(items);
    if (found.some((event) => event.is_taken)) announce([{ type: "fireable" }]);
    let place = 0;
    return batches.map(({ events }) => {
      const ofBatch = found.slice(place, (place += events.length));
      return { result: ofBatch.some((event) => event.is_refused) ? "backlog" : ofBatch.map(resultOf) };
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
    return (await group.add(batch)).result;
  };
}

function resultOf({ is_taken, is_known, takers }: TakenEvent): TakeResult {
  if (is_taken) return { status: "taken", firings: takers };
  return { status: is_known ? "known" : "untaken" };
}
