import type { Environment } from "@procedo/contract";
import { LruCache } from "@procedo/contract/syntax";
import type { Clock } from "../ports/clock.ts";

/** The longest age of a kept value, in milliseconds. */
export const keptMs = 5_000;
/** Values that are kept for one environment: neither environment evicts those of the other. */
export const maxKept = 1_000;

interface KeptValue<Value> {
  readonly value: Promise<Value>;
  /** When it was read, on the monotonic clock; `undefined` while it is being read. */
  readAtMs: number | undefined;
}

/**
 * Reads values, and keeps each for {@link keptMs} after it was read. Requests of the same name in one environment share
 * it in the meantime, so that at most one such read is under way. A failed read is not kept.
 *
 * @param nameOf - names everything on which the value depends. @defaultValue the environment alone
 */
export function kept<Request extends { readonly environment: Environment }, Value>(
  clock: Pick<Clock, "monotonic">,
  read: (request: Request) => Promise<Value>,
  nameOf: (request: Request) => string = () => "",
): (request: Request) => Promise<Value> {
  const valuesIn: Readonly<Record<Environment, LruCache<string, KeptValue<Value>>>> = {
    sandbox: new LruCache(maxKept),
    live: new LruCache(maxKept),
  };

  const begin = (request: Request, name: string): Promise<Value> => {
    const values = valuesIn[request.environment];
    const begun: KeptValue<Value> = { value: read(request), readAtMs: undefined };
    values.set(name, begun);
    const done = (isRead: boolean): void => {
      if (isRead) begun.readAtMs = clock.monotonic();
      else if (values.get(name) === begun) values.delete(name);
    };
    begun.value.then(
      () => done(true),
      () => done(false),
    );
    return begun.value;
  };

  return (request) => {
    const name = nameOf(request);
    const known = valuesIn[request.environment].get(name);
    if (known === undefined) return begin(request, name);
    const isFresh = known.readAtMs === undefined || clock.monotonic() - known.readAtMs < keptMs;
    return isFresh ? known.value : begin(request, name);
  };
}
