import type fc from "fast-check";
import type { Storage } from "@procedo/storage";

/** Storage whose requests arrive, and whose answers return, in an order that fast-check chooses and shrinks. */
export function scheduledStorage(storage: Storage, scheduler: fc.Scheduler, name: string): Storage {
  const scheduled = <Store extends object>(room: string, store: Store): Store => {
    const verbs = Object.entries(store).map(([verb, call]) => {
      const label = `${name} ${room}.${verb}`;
      const through = async (request: unknown): Promise<unknown> => {
        await scheduler.schedule(Promise.resolve(), label);
        const result: unknown = await (call as (request: unknown) => Promise<unknown>)(request);
        await scheduler.schedule(Promise.resolve(), `${label} answered`);
        return result;
      };
      return [verb, through];
    });
    return Object.fromEntries(verbs) as Store;
  };
  return {
    ...storage,
    runs: scheduled("runs", storage.runs),
    inbox: scheduled("inbox", storage.inbox),
    reviews: scheduled("reviews", storage.reviews),
    workers: scheduled("workers", storage.workers),
  };
}
