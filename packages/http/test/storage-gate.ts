import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";

/** The way to a storage, which a test can close: its verbs are refused, or do not answer until it is open again. */
export interface StorageGate {
  readonly storage: Storage;
  open(): void;
  refuse(): void;
  hang(): void;
}

export function storageGate(inner: Storage): StorageGate {
  let refusing = false;
  let passing: Promise<void> = Promise.resolve();
  let open = (): void => {};

  const gated = <T extends object>(store: T): T =>
    new Proxy(store, {
      get: (target, name) => {
        const verb: unknown = Reflect.get(target, name);
        if (typeof verb !== "function") return verb;
        return async (...request: readonly unknown[]): Promise<unknown> => {
          await passing;
          if (refusing) throw new ProcedoError("storage_unavailable", "The storage cannot be reached.");
          return await (Reflect.apply(verb, target, request) as Promise<unknown>);
        };
      },
    });

  return {
    storage: {
      runs: gated(inner.runs),
      inbox: gated(inner.inbox),
      reviews: gated(inner.reviews),
      invocations: gated(inner.invocations),
      budgets: gated(inner.budgets),
      workers: gated(inner.workers),
      deliveries: gated(inner.deliveries),
      procedures: gated(inner.procedures),
      records: gated(inner.records),
      audit: gated(inner.audit),
      retention: gated(inner.retention),
      watch: (listener) => inner.watch(listener),
      close: () => inner.close(),
    },
    open: () => {
      refusing = false;
      open();
    },
    refuse: () => {
      refusing = true;
    },
    hang: () => {
      passing = new Promise((resolve) => (open = resolve));
    },
  };
}
