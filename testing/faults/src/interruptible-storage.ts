import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { interceptEveryVerb, type AnyVerbHook, type VerbName } from "./intercept-storage.ts";

/** A storage as one engine sees it. The connection can be cut, stalled and watched; the storage itself is shared. */
export interface InterruptibleStorage {
  /** Its `close` does nothing. */
  readonly storage: Storage;
  /** From now on every verb fails, and neither requests, answers nor changes arrive, as if the network were gone. */
  cut(): void;
  /** From now on no verb reaches the storage. Waiting verbs continue after {@link mend}. */
  hang(): void;
  /** Ends {@link cut} and {@link hang}. */
  mend(): void;
  /** From now on no change is reported: the engine has to find changes by reading. */
  deafen(): void;
  /** Runs this hook in place of a verb, and of every later call of it. Replaces an earlier hook. */
  on(verb: VerbName, hook: Interference): void;
  /** Number of calls of a verb, failed ones included. */
  count(verb: VerbName): number;
}

/** Runs in place of a verb: `send()` does the verb's work. */
export type Interference = (send: () => Promise<unknown>, request: unknown) => Promise<unknown>;

export function interruptibleStorage(shared: Storage): InterruptibleStorage {
  let isCut = false;
  let isDeaf = false;
  let passing: PromiseWithResolvers<void> | undefined;
  const counts = new Map<VerbName, number>();
  const hooks = new Map<VerbName, Interference>();

  const throughLink: AnyVerbHook = async (send, verb, ...request) => {
    counts.set(verb, (counts.get(verb) ?? 0) + 1);
    if (passing !== undefined) await passing.promise;
    if (isCut) throw storageUnavailable();
    const hook = hooks.get(verb);
    const result = await (hook === undefined ? send() : hook(() => send(), request[0]));
    if (isCut) throw storageUnavailable();
    return result;
  };

  return {
    storage: {
      ...interceptEveryVerb(shared, throughLink),
      watch: (listener) => shared.watch((change) => (isCut || isDeaf ? undefined : listener(change))),
      close: async () => {},
    },
    cut: () => {
      isCut = true;
    },
    hang: () => {
      passing ??= Promise.withResolvers();
    },
    mend: () => {
      isCut = false;
      passing?.resolve();
      passing = undefined;
    },
    deafen: () => {
      isDeaf = true;
    },
    on: (verb, hook) => void hooks.set(verb, hook),
    count: (verb) => counts.get(verb) ?? 0,
  };
}

/** The error of a storage that did not answer: the work may have been done or not. */
export function storageUnavailable(): ProcedoError {
  return new ProcedoError("storage_unavailable", "The storage cannot be reached.");
}
