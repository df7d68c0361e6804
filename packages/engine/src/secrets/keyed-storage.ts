import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import type { StorageWrites } from "../ports/storage-writes.ts";

type StoreName = {
  [Name in keyof Storage]: Storage[Name] extends (...given: never) => unknown ? never : Name;
}[keyof Storage];

/** `after_heartbeat`: ends a lease, which exists only after a heartbeat has passed the check. */
type VerbKind = "reads" | "writes" | "after_heartbeat";

/**
 * The kind of each verb of the port. The type demands every verb, so that none escapes the check unnoticed. The audit
 * log only reads; its entries are written by the verb of the change that they record.
 */
export const verbKinds: { readonly [Name in StoreName]: { readonly [Verb in keyof Storage[Name]]-?: VerbKind } } = {
  runs: {
    commit: "writes",
    claim: "writes",
    wake: "writes",
    findByKey: "reads",
    get: "reads",
    journal: "reads",
    output: "reads",
    list: "reads",
    tally: "reads",
    heads: "reads",
  },
  inbox: { post: "writes", read: "reads" },
  reviews: {
    decide: "writes",
    get: "reads",
    open: "reads",
    openOf: "reads",
    ofRun: "reads",
    list: "reads",
    tally: "reads",
  },
  invocations: {
    lease: "writes",
    extend: "writes",
    settle: "writes",
    expireLeases: "writes",
    withdraw: "writes",
    markUncertain: "writes",
    recordClient: "writes",
    ofRun: "reads",
    backlog: "reads",
    listClients: "reads",
  },
  budgets: { reserve: "writes", taken: "reads" },
  workers: {
    heartbeat: "writes",
    areWorking: "reads",
    listRuns: "reads",
    release: "after_heartbeat",
    releaseRuns: "after_heartbeat",
  },
  triggers: {
    take: "writes",
    due: "reads",
    advance: "writes",
    add: "writes",
    claim: "writes",
    settle: "writes",
    endPending: "writes",
    list: "reads",
    get: "reads",
    states: "reads",
    removeExpired: "writes",
  },
  procedures: {
    publish: "writes",
    setDefault: "writes",
    version: "reads",
    defaultVersion: "reads",
    versions: "reads",
    list: "reads",
  },
  records: {
    put: "writes",
    remove: "writes",
    noteUses: "writes",
    get: "reads",
    find: "reads",
    list: "reads",
    latestUses: "reads",
  },
  sessions: {
    create: "writes",
    touch: "writes",
    end: "writes",
    endOf: "writes",
    sweep: "writes",
    noteFailure: "writes",
    clearFailures: "writes",
    find: "reads",
    list: "reads",
    failures: "reads",
  },
  deliveries: {
    claim: "writes",
    settle: "writes",
    post: "writes",
    resend: "writes",
    resendUndelivered: "writes",
    endPending: "writes",
    list: "reads",
    get: "reads",
    attempts: "reads",
    failing: "reads",
  },
  retention: { archive: "writes", removeExpired: "writes", archivable: "reads", stub: "reads", stubs: "reads" },
  audit: { head: "reads", list: "reads", listNewest: "reads" },
};

/**
 * Storage that writes nothing before `check` has passed, because an engine with another master key must not write to
 * data that it cannot read. The check precedes the first write, because embedders may write without `start()`. Reads
 * need no check: with another key, their results cannot be decrypted. Each write is reported to `noted`.
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

  const stores = Object.entries(verbKinds).map(([name, kinds]) => {
    const store = storage[name as StoreName] as unknown as Readonly<Record<string, Verb>>;
    const verbs = Object.entries(kinds).map(([verb, kind]) => {
      const send: Verb = (...given) => Reflect.apply(verbOf(store, verb), store, given);
      return [verb, kind === "writes" ? (...given: readonly unknown[]) => write(() => send(...given)) : send] as const;
    });
    return [name, Object.fromEntries(verbs)] as const;
  });
  return {
    ...(Object.fromEntries(stores) as unknown as Pick<Storage, StoreName>),
    watch: (listener) => storage.watch(listener),
    close: () => storage.close(),
  };
}

type Verb = (...given: readonly unknown[]) => Promise<unknown>;

function verbOf(store: Readonly<Record<string, Verb>>, name: string): Verb {
  const verb = store[name];
  if (verb === undefined) throw new ProcedoError("internal", `The storage adapter has no verb "${name}".`);
  return verb;
}
