import type { Storage } from "@procedo/storage";
import type { StorageWrites } from "../ports/storage-writes.ts";

/**
 * Storage that writes nothing before the check has passed: an engine with another master key must not even add to what
 * it cannot read. Reading needs no check; what it reads does not open. How each write ends is noted.
 */
export function keyedStorage(
  storage: Storage,
  check: () => Promise<void>,
  { noted }: Pick<StorageWrites, "noted">,
): Storage {
  let passed = false;
  let checking: Promise<void> | undefined;

  const once = async (): Promise<void> => {
    checking ??= check();
    try {
      await checking;
      passed = true;
    } finally {
      // A storage that did not answer is asked again the next time.
      checking = undefined;
    }
  };
  const writing =
    <Request, Answer>(verb: (request: Request) => Promise<Answer>) =>
    (request: Request): Promise<Answer> =>
      noted(passed ? verb(request) : once().then(() => verb(request)));

  const { runs, inbox, reviews, invocations, budgets, workers } = storage;
  const { procedures, records, deliveries, audit, retention } = storage;
  return {
    audit,
    runs: {
      commit: writing((commit) => runs.commit(commit)),
      claim: writing((request) => runs.claim(request)),
      findByKey: (request) => runs.findByKey(request),
      get: (request) => runs.get(request),
      journal: (request) => runs.journal(request),
      output: (request) => runs.output(request),
      list: (request) => runs.list(request),
      heads: (request) => runs.heads(request),
    },
    inbox: { post: writing((items) => inbox.post(items)), read: (request) => inbox.read(request) },
    reviews: {
      decide: writing((decision) => reviews.decide(decision)),
      get: (request) => reviews.get(request),
      open: (request) => reviews.open(request),
      ofRun: (request) => reviews.ofRun(request),
      list: (request) => reviews.list(request),
    },
    invocations: {
      lease: writing((request) => invocations.lease(request)),
      extend: writing((request) => invocations.extend(request)),
      settle: writing((request) => invocations.settle(request)),
      expireLeases: writing((request) => invocations.expireLeases(request)),
      withdraw: writing((request) => invocations.withdraw(request)),
      markUncertain: writing((request) => invocations.markUncertain(request)),
      ofRun: (request) => invocations.ofRun(request),
      backlog: (request) => invocations.backlog(request),
      recordClient: writing((request) => invocations.recordClient(request)),
      listClients: (request) => invocations.listClients(request),
    },
    budgets: {
      reserve: writing((request) => budgets.reserve(request)),
      taken: (scope, names) => budgets.taken(scope, names),
    },
    workers: {
      beat: writing((request) => workers.beat(request)),
      release: (request) => workers.release(request),
      held: (request) => workers.held(request),
      areWorking: () => workers.areWorking(),
      handBack: (request) => workers.handBack(request),
    },
    procedures: {
      publish: writing((request) => procedures.publish(request)),
      setDefault: writing((request) => procedures.setDefault(request)),
      version: (request) => procedures.version(request),
      defaultVersion: (request) => procedures.defaultVersion(request),
      versions: (request) => procedures.versions(request),
      list: (request) => procedures.list(request),
    },
    records: {
      put: writing((request) => records.put(request)),
      remove: writing((request) => records.remove(request)),
      get: (request) => records.get(request),
      find: (request) => records.find(request),
      list: (request) => records.list(request),
    },
    deliveries: {
      claim: writing((request) => deliveries.claim(request)),
      settle: writing((items) => deliveries.settle(items)),
      post: writing((request) => deliveries.post(request)),
      resend: writing((request) => deliveries.resend(request)),
      resendUndelivered: writing((request) => deliveries.resendUndelivered(request)),
      endPending: writing((request) => deliveries.endPending(request)),
      list: (request) => deliveries.list(request),
      attempts: (request) => deliveries.attempts(request),
    },
    retention: {
      archive: writing((request) => retention.archive(request)),
      removeExpired: writing((request) => retention.removeExpired(request)),
      archivable: (request) => retention.archivable(request),
      stub: (request) => retention.stub(request),
      stubs: (request) => retention.stubs(request),
    },
    watch: (listener) => storage.watch(listener),
    close: () => storage.close(),
  };
}
