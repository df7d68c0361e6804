import { interceptEveryVerb } from "@procedo-testing/faults";
import type fc from "fast-check";
import type { Storage } from "@procedo/storage";

/** Stores whose requests take part in the race; the others answer at once, so that an order stays short. */
const scheduled = /^(runs|inbox|reviews|workers)\./;

/** A storage whose requests arrive, and whose answers return, in an order that fast-check chooses and shrinks. */
export function scheduledStorage(storage: Storage, scheduler: fc.Scheduler, name: string): Storage {
  return interceptEveryVerb(storage, async (send, verb) => {
    if (!scheduled.test(verb)) return send();
    await scheduler.schedule(Promise.resolve(), `${name} ${verb}`);
    const result = await send();
    await scheduler.schedule(Promise.resolve(), `${name} ${verb} answered`);
    return result;
  });
}
