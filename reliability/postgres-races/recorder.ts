import type {
  ClaimedRun,
  CommitResult,
  DecideResult,
  NewDecision,
  Post,
  PostResult,
  RunCommit,
  Storage,
} from "@procedo/storage";
import type { Observed } from "./linearize.ts";
import {
  acceptPost,
  heartbeat,
  claimRun,
  commitRow,
  decideOn,
  endLease,
  isClaimable,
  release,
  type ModelRun,
} from "./run-model.ts";

/** Calls storages and records, for each run, the requests, the answers, and the moments of both. */
export interface Recorder {
  commit(storage: Storage, item: RunCommit): Promise<CommitResult>;
  claim(storage: Storage, workerId: string, limit: number): Promise<readonly ClaimedRun[]>;
  post(storage: Storage, items: readonly Post[]): Promise<readonly PostResult[]>;
  decide(storage: Storage, decision: NewDecision): Promise<DecideResult>;
  heartbeat(storage: Storage, workerId: string, leaseMs: number): Promise<void>;
  release(storage: Storage, workerId: string): Promise<void>;
  releaseRuns(storage: Storage, workerId: string, runIds: readonly string[]): Promise<void>;
  /** Claims everything claimable while no other actor works: runs that are not returned were not claimable. */
  claimAll(storage: Storage, workerId: string): Promise<void>;
  /** Reads each run while no other actor works. */
  readAll(storage: Storage): Promise<void>;
  callsOf(runId: string): readonly Observed<ModelRun>[];
  /** The faults in the answers to creations under one idempotency key. */
  judgeCreations(): readonly string[];
}

export interface RecorderOptions {
  readonly workspace: string;
  readonly runIds: readonly string[];
  readonly nowMs: () => number;
}

type Apply = (run: ModelRun) => ModelRun | undefined;

export function createRecorder({ workspace, runIds, nowMs }: RecorderOptions): Recorder {
  const scope = { workspace, environment: "sandbox" } as const;
  const calls = new Map<string, Observed<ModelRun>[]>(runIds.map((runId) => [runId, []]));
  const creations: { readonly runId: string; readonly result: CommitResult }[] = [];
  let moment = 0;

  const record = (runId: string, label: string, calledAt: number, answeredAt: number, apply: Apply): void =>
    void calls.get(runId)?.push({ label, calledAt, answeredAt, apply });
  /** The moments of a call's entries differ, and lie within the call. */
  const between = async <T>(call: () => Promise<T>): Promise<{ readonly calledAt: number; readonly result: T }> => {
    moment += 1;
    const calledAt = moment;
    const result = await call();
    moment += 1;
    return { calledAt, result };
  };
  const claimed = (run: ClaimedRun, calledAt: number, workerId: string): void =>
    record(run.runId, `claim by ${workerId} under ${run.epoch}`, calledAt, moment, (state) => {
      const outcome = claimRun(state, workerId, nowMs());
      return outcome !== undefined && sameClaim(outcome.answer, run) ? outcome.run : undefined;
    });

  return {
    callsOf: (runId) => calls.get(runId) ?? [],

    judgeCreations: () => {
      const started = new Set(
        creations.filter(({ result }) => result.status === "committed").map(({ runId }) => runId),
      );
      const holders = creations.flatMap(({ result }) => (result.status === "exists" ? [result.runId] : []));
      if (creations.length > 0 && started.size !== 1)
        return [`One key started ${[...started].join(" and ") || "nothing"}.`];
      return holders.filter((runId) => !started.has(runId)).map((runId) => `A key was reported as taken by ${runId}.`);
    },

    commit: async (storage, item) => {
      const { calledAt, result } = await between(() => storage.runs.commit(item));
      const answer = result.status;
      const { runId, seq, epoch, then, create } = item;
      if (create?.idempotency !== undefined) creations.push({ runId, result });
      record(runId, `row ${seq} under ${epoch}, then ${then.kind}: ${answer}`, calledAt, moment, (state) => {
        if (answer === "exists") return state.hashes.length === 0 ? state : undefined;
        const outcome = commitRow(state, item, nowMs());
        return outcome.answer === answer ? outcome.run : undefined;
      });
      return result;
    },

    claim: async (storage, workerId, limit) => {
      const { calledAt, result } = await between(() => storage.runs.claim({ workspace, workerId, limit }));
      for (const run of result.runs) claimed(run, calledAt, workerId);
      return result.runs;
    },

    post: async (storage, items) => {
      const { calledAt, result } = await between(() => storage.inbox.post(items));
      for (const [index, item] of items.entries()) {
        const answer = result[index];
        const label = `post ${item.effectKey} for ${item.claimFor ?? "anyone"}: ${answer?.status}`;
        record(item.runId, label, calledAt, moment, (state) => {
          const outcome = acceptPost(state, item, nowMs());
          return answer !== undefined && samePost(outcome.answer, answer) ? outcome.run : undefined;
        });
      }
      return result;
    },

    decide: async (storage, decision) => {
      const { calledAt, result } = await between(() => storage.reviews.decide(decision));
      const continued = result.status === "recorded" && result.continued === true;
      const label = `${decision.person} decides on ${decision.reviewId}: ${result.status}${continued ? ", continued" : ""}`;
      record(decision.runId, label, calledAt, moment, (state) => {
        const outcome = decideOn(state, decision, nowMs(), continued);
        return sameDecision(outcome.answer, result) ? outcome.run : undefined;
      });
      return result;
    },

    heartbeat: async (storage, workerId, leaseMs) => {
      const { calledAt } = await between(() => storage.workers.heartbeat({ workerId, leaseMs }));
      for (const runId of runIds) {
        record(runId, `${workerId} beats`, calledAt, moment, (state) => heartbeat(state, workerId, nowMs() + leaseMs));
      }
    },

    release: async (storage, workerId) => {
      const { calledAt } = await between(() => storage.workers.release({ workerId }));
      // The lease may end a moment before or after the runs are released.
      for (const runId of runIds) {
        record(runId, `${workerId} ends its lease`, calledAt, moment, (state) => endLease(state, workerId));
        record(runId, `${workerId} releases`, calledAt, moment, (state) => release(state, workerId, nowMs()));
      }
    },

    releaseRuns: async (storage, workerId, handed) => {
      const { calledAt } = await between(() => storage.workers.releaseRuns({ workerId, runIds: handed }));
      for (const runId of handed) {
        record(runId, `${workerId} hands back`, calledAt, moment, (state) => release(state, workerId, nowMs()));
      }
    },

    claimAll: async (storage, workerId) => {
      const request = { workspace, workerId, limit: 100 };
      const { calledAt, result } = await between(() => storage.runs.claim(request));
      for (const run of result.runs) claimed(run, calledAt, workerId);
      const claimedIds = new Set(result.runs.map(({ runId }) => runId));
      for (const runId of runIds) {
        if (claimedIds.has(runId)) continue;
        record(runId, `not claimable for ${workerId}`, calledAt, moment, (state) =>
          state.hashes.length > 0 && isClaimable(state, workerId, nowMs()) ? undefined : state,
        );
      }
    },

    readAll: async (storage) => {
      const reading = runIds.map(async (runId) => {
        const { calledAt, result } = await between(() => readRun(storage, { scope, runId }));
        record(runId, `read: ${result}`, calledAt, moment, (state) => (stored(state) === result ? state : undefined));
      });
      await Promise.all(reading);
    },
  };
}

type RunOf = Parameters<Storage["runs"]["get"]>[0];

/** The stored state of a run, as one text. */
async function readRun(storage: Storage, of: RunOf): Promise<string> {
  const [row, journal, inbox, reviews] = await Promise.all([
    storage.runs.get(of),
    storage.runs.journal(of),
    storage.inbox.read(of),
    storage.reviews.ofRun(of),
  ]);
  return JSON.stringify([
    row?.status ?? "none",
    journal.map(({ hash }) => hash),
    inbox.map(({ effectKey, body }) => [effectKey, body]).sort(),
    reviews.map(({ reviewId, status, decisions }) => [reviewId, status, decisions]).sort(),
  ]);
}

function stored({ hashes, status, inbox, reviews }: ModelRun): string {
  const unread = Object.entries(inbox).filter(([, { consumed }]) => !consumed);
  return JSON.stringify([
    hashes.length === 0 ? "none" : status,
    hashes,
    unread.map(([effectKey, { body }]) => [effectKey, body]).sort(),
    reviews.map((review) => [review.reviewId, review.status, review.votes.map(({ body }) => body)]).sort(),
  ]);
}

/**
 * Whether a claim follows the port. Its inbox may hold more notifications than at that moment, because later ones are
 * in storage as well.
 */
function sameClaim(expected: ClaimedRun, actual: ClaimedRun): boolean {
  const keys = new Set(actual.inbox.map(({ effectKey }) => effectKey));
  return (
    expected.epoch === actual.epoch &&
    expected.takenOver === actual.takenOver &&
    expected.journal.length === actual.journal.length &&
    expected.journal.every(
      ({ seq, hash }, index) => actual.journal[index]?.seq === seq && actual.journal[index].hash === hash,
    ) &&
    expected.inbox.every(({ effectKey }) => keys.has(effectKey))
  );
}

function sameHandover(expected: ClaimedRun | undefined, actual: ClaimedRun | undefined): boolean {
  if (expected === undefined || actual === undefined) return expected === actual;
  return sameClaim(expected, actual);
}

function samePost(expected: PostResult, actual: PostResult): boolean {
  switch (expected.status) {
    case "accepted":
      return actual.status === "accepted" && sameHandover(expected.claimed, actual.claimed);
    case "superseded":
      return actual.status === "superseded" && expected.winner.body === actual.winner.body;
    default:
      return expected.status === actual.status;
  }
}

function sameDecision(expected: DecideResult, actual: DecideResult): boolean {
  switch (expected.status) {
    case "recorded":
      return (
        actual.status === "recorded" &&
        expected.closed === actual.closed &&
        expected.continued === actual.continued &&
        sameHandover(expected.claimed, actual.claimed)
      );
    case "replayed":
      return actual.status === "replayed" && expected.body === actual.body;
    default:
      return expected.status === actual.status;
  }
}
