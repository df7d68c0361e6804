import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";

/** A storage as one engine sees it: its way to the shared one can be cut, held up, and watched. */
export interface InterruptibleStorage {
  readonly storage: Storage;
  /** From now on every verb is refused and nothing arrives, as if the network were gone. */
  cut(): void;
  mend(): void;
  /** From now on no change is told of; whatever matters has to be found by reading. */
  deafen(): void;
  /** What happens to the next calls of a verb before (`false`: never) and after they reach storage. */
  on(verb: string, interfere: Interference): void;
  /** How often a verb was called, such as `"runs.commit"`. */
  count(verb: string): number;
}

/** Gets the verb's own work; answers, delays, repeats or throws in its place. */
export type Interference = (work: () => Promise<unknown>, request: unknown) => Promise<unknown>;

type Verb = (request: unknown, ...more: readonly unknown[]) => Promise<unknown>;

export function interruptible(inner: Storage): InterruptibleStorage {
  let isCut = false;
  let isDeaf = false;
  const counts = new Map<string, number>();
  const interferences = new Map<string, Interference>();

  const wrapStore = <T extends object>(store: T, name: string): T =>
    new Proxy(store, {
      get: (target, property) => {
        const verb = (target as Record<string | symbol, unknown>)[property];
        if (typeof verb !== "function") return verb;
        const key = `${name}.${String(property)}`;
        return (async (request, ...more) => {
          counts.set(key, (counts.get(key) ?? 0) + 1);
          if (isCut) throw unavailable();
          const work = (): Promise<unknown> => (verb as Verb).call(target, request, ...more);
          const interfere = interferences.get(key);
          const result = await (interfere === undefined ? work() : interfere(work, request));
          if (isCut) throw unavailable();
          return result;
        }) satisfies Verb;
      },
    });

  return {
    storage: {
      runs: wrapStore(inner.runs, "runs"),
      inbox: wrapStore(inner.inbox, "inbox"),
      reviews: wrapStore(inner.reviews, "reviews"),
      invocations: wrapStore(inner.invocations, "invocations"),
      budgets: wrapStore(inner.budgets, "budgets"),
      workers: wrapStore(inner.workers, "workers"),
      deliveries: wrapStore(inner.deliveries, "deliveries"),
      procedures: wrapStore(inner.procedures, "procedures"),
      records: wrapStore(inner.records, "records"),
      audit: wrapStore(inner.audit, "audit"),
      retention: wrapStore(inner.retention, "retention"),
      watch: (listener) => inner.watch((change) => (isCut || isDeaf ? undefined : listener(change))),
      close: async () => {},
    },
    cut: () => {
      isCut = true;
    },
    mend: () => {
      isCut = false;
    },
    deafen: () => {
      isDeaf = true;
    },
    on: (verb, interfere) => void interferences.set(verb, interfere),
    count: (verb) => counts.get(verb) ?? 0,
  };
}

/** What a storage throws of which nothing is known: the work was done, or not. */
export function unavailable(): ProcedoError {
  return new ProcedoError("storage_unavailable", "The storage cannot be reached.");
}
