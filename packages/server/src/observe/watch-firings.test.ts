import { createMemoryStorage, type ClaimedFiring, type RunCommit, type Storage } from "@procedo/storage";
import { expect, test } from "vitest";
import { watchFirings, type FiringOutcome } from "./watch-firings.ts";

const scope = { workspace: "acme", environment: "sandbox" } as const;

const claimed: ClaimedFiring = {
  scope,
  triggerId: "trg_1",
  firingId: "fir_1",
  epoch: 1,
  requestedBy: undefined,
  scheduledAtMs: 1_000,
  occurredAtMs: undefined,
  receivedAtMs: 1_400,
  refireOf: undefined,
  event: undefined,
};

/** A storage whose verbs of triggers give these answers. */
function watched(
  answers: {
    readonly [Verb in "take" | "advance" | "claim" | "settle"]?: Awaited<ReturnType<Storage["triggers"][Verb]>>;
  } & { readonly commit?: Awaited<ReturnType<Storage["runs"]["commit"]>> },
) {
  const told: FiringOutcome[] = [];
  const memory = createMemoryStorage({ now: () => 1 });
  const given = <T>(answer: T | undefined): Promise<T> =>
    answer === undefined ? Promise.reject(new Error("This verb has no answer.")) : Promise.resolve(answer);
  const { take, advance, claim, settle, commit } = answers;
  const storage: Storage = {
    ...memory,
    runs: { ...memory.runs, commit: () => given(commit) },
    triggers: {
      ...memory.triggers,
      take: () => given(take),
      advance: () => given(advance),
      claim: () => given(claim),
      settle: () => given(settle),
    },
    watch: (listener) => memory.watch(listener),
    close: () => memory.close(),
  };
  return { told, storage: watchFirings(storage, (outcome) => told.push(outcome)) };
}

const claim = { workspace: "acme", limits: { sandbox: 10, live: 10 }, leaseMs: 1_000 };

function start(firingId: string): RunCommit {
  const create = { procedureId: "p", procedureVersion: "1", createdAtMs: 1_500, startedBy: "ana" };
  const firing = { triggerId: "trg_1", firingId, epoch: 1 };
  const row = { scope, runId: "run_1", epoch: 1, seq: 1, hash: "h", body: "[]" };
  return { ...row, create: { ...create, firing }, then: { kind: "hot", workerId: "wrk_1" } };
}

test("the run of a firing is reported with its delay since the nominal time, and a refused commit is not", async () => {
  const firings = { firings: [claimed], skipped: [], nextDueAtMs: undefined };
  const started = watched({ claim: firings, commit: { status: "committed" } });
  await started.storage.triggers.claim(claim);
  await started.storage.runs.commit(start("fir_1"));
  expect(started.told).toEqual([{ status: "started", triggerId: "trg_1", lateMs: 500 }]);

  const fenced = watched({ claim: firings, commit: { status: "fenced" } });
  await fenced.storage.triggers.claim(claim);
  await fenced.storage.runs.commit(start("fir_1"));
  expect(fenced.told).toEqual([]);
});

test("a start that no firing caused is not reported", async () => {
  const { told, storage } = watched({ commit: { status: "committed" } });
  const { create, ...row } = start("fir_1");
  if (create === undefined) throw new Error("The row creates no run.");
  const { firing: _firing, ...withoutFiring } = create;
  await storage.runs.commit({ ...row, create: withoutFiring });
  expect(told).toEqual([]);
});

test("skipped occurrences are reported with their reason and number, whichever verb skips them", async () => {
  const { told, storage } = watched({
    take: [{ status: "taken", firings: 2 }, { status: "known" }],
    advance: ["advanced", "stale"],
    claim: {
      firings: [],
      skipped: [{ scope, triggerId: "trg_1", reason: "overlap", count: 3 }],
      nextDueAtMs: undefined,
    },
    settle: ["settled", "fenced"],
  });
  const facts = { type: "t", digest: "d", body: "{}", headers: undefined, keys: ["k"], dedupeForMs: 1 };
  const event = { ...facts, id: "e", dedupeKey: "e", occurredAtMs: 1, skip: "too_old" } as const;
  await storage.triggers.take({ scope, source: "s", maxBacklog: 10, events: [event, event] });
  const item = { scope, triggerId: "trg_1", revision: 1, dueAtMs: 1, next: { accountedAtMs: 1, dueAtMs: 2 } };
  const missed = { scheduledAtMs: 1, skipped: { reason: "missed", count: 7 } } as const;
  await storage.triggers.advance([
    { ...item, firings: [missed, { scheduledAtMs: 2 }] },
    { ...item, firings: [missed] },
  ]);
  await storage.triggers.claim(claim);
  const filtered = { scope, firingId: "fir_1", epoch: 1, next: { status: "skipped", reason: "filtered" } } as const;
  await storage.triggers.settle([filtered, filtered]);
  expect(told).toEqual([
    { status: "skipped", reason: "too_old", count: 2 },
    { status: "skipped", reason: "missed", count: 7 },
    { status: "skipped", reason: "overlap", count: 3 },
    { status: "skipped", reason: "filtered", count: 1 },
  ]);
});

test("a failed firing is reported with its trigger, and one that is given back is not", async () => {
  const { told, storage } = watched({
    claim: { firings: [claimed], skipped: [], nextDueAtMs: undefined },
    settle: ["settled"],
  });
  const ended = { scope, firingId: "fir_1", epoch: 1 };
  await storage.triggers.claim(claim);
  await storage.triggers.settle([{ ...ended, next: { status: "pending", afterMs: 9 } }]);
  expect(told).toEqual([]);
  await storage.triggers.claim(claim);
  await storage.triggers.settle([{ ...ended, next: { status: "failed", reason: "input_invalid", error: "{}" } }]);
  expect(told).toEqual([{ status: "failed", reason: "input_invalid", triggerId: "trg_1" }]);
});
