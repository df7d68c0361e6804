import type { Storage } from "@procedo/storage";
import type { StorageWrites } from "../ports/storage-writes.ts";

/**
 * The verbs that write. The verbs of `workers` that end a lease are left out, because `heartbeat` precedes them.
 * `audit` only reads; its entries are written by the verb of the change that they record.
 */
export const writingVerbs = {
  runs: ["commit", "claim"],
  inbox: ["post"],
  reviews: ["decide"],
  invocations: ["lease", "extend", "settle", "expireLeases", "withdraw", "markUncertain", "recordClient"],
  budgets: ["reserve"],
  workers: ["heartbeat"],
  procedures: ["publish", "setDefault"],
  records: ["put", "remove"],
  deliveries: ["claim", "settle", "post", "resend", "resendUndelivered", "endPending"],
  retention: ["archive", "removeExpired"],
} as const satisfies { readonly [Name in keyof Storage]?: readonly (keyof Storage[Name])[] };

/**
 * Storage that writes nothing before `check` has passed, because an engine with another master key must not write to
 * data that it cannot read. Reads need no check: with another key, their results cannot be decrypted. Each write is
 * reported to `noted`.
 */
export function keyedStorage(
  storage: Storage,
  check: () => Promise<void>,
  { noted }: Pick<StorageWrites, "noted">,
): Storage {
  let hasPassed = false;
  let checking: Promise<void> | undefined;

  const once = async (): Promise<void> => {
    checking ??= check();
    try {
      await checking;
      hasPassed = true;
    } finally {
      // After a failure, the next write checks again.
      checking = undefined;
    }
  };
  const write = (verb: () => Promise<unknown>): Promise<unknown> => noted(hasPassed ? verb() : once().then(verb));

  const stores = Object.entries(writingVerbs).map(([name, verbs]) => {
    const store = storage[name as keyof typeof writingVerbs];
    return [name, withVerbs(store, new Set<string | symbol>(verbs), write)] as const;
  });
  return {
    ...(Object.fromEntries(stores) as Pick<Storage, keyof typeof writingVerbs>),
    audit: storage.audit,
    watch: (listener) => storage.watch(listener),
    close: () => storage.close(),
  };
}

type Verb = (...given: readonly unknown[]) => Promise<unknown>;

/** A view of the store that passes these verbs through `write` and forwards every other member. */
function withVerbs(
  store: object,
  verbs: ReadonlySet<string | symbol>,
  write: (verb: () => Promise<unknown>) => Promise<unknown>,
): object {
  return new Proxy(
    {},
    {
      get: (_, name) => {
        const member: unknown = Reflect.get(store, name);
        if (typeof member !== "function") return member;
        // A store may be an instance of a class, whose methods need it as `this`.
        const verb = member.bind(store) as Verb;
        return verbs.has(name) ? (...given: readonly unknown[]) => write(() => verb(...given)) : verb;
      },
    },
  );
}
