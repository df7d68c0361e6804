import type { Environment } from "@procedo/contract";
import type { Clock } from "../ports/clock.ts";

/** The longest age of a kept value, in milliseconds. */
export const keptMs = 5_000;

interface KeptValue<Value> {
  readonly value: Promise<Value>;
  /** When it was read, on the monotonic clock; `undefined` while it is being read. */
  readAtMs: number | undefined;
}

/**
 * Reads one value per environment, and keeps it for {@link keptMs} after it was read. Callers in the meantime share it,
 * so that at most one read per environment is under way. A failed read is not kept.
 */
export function kept<Value>(
  clock: Pick<Clock, "monotonic">,
  read: (environment: Environment) => Promise<Value>,
): (environment: Environment) => Promise<Value> {
  const values = new Map<Environment, KeptValue<Value>>();

  const begin = (environment: Environment): Promise<Value> => {
    const begun: KeptValue<Value> = { value: read(environment), readAtMs: undefined };
    values.set(environment, begun);
    const done = (isRead: boolean): void => {
      if (isRead) begun.readAtMs = clock.monotonic();
      else if (values.get(environment) === begun) values.delete(environment);
    };
    begun.value.then(
      () => done(true),
      () => done(false),
    );
    return begun.value;
  };

  return (environment) => {
    const known = values.get(environment);
    if (known === undefined) return begin(environment);
    const isFresh = known.readAtMs === undefined || clock.monotonic() - known.readAtMs < keptMs;
    return isFresh ? known.value : begin(environment);
  };
}
