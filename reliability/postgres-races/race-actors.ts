import type { SeededRandom } from "@procedo-testing/faults";
import type { ClaimedRun, NewDecision, RunCommit, RunPlace, Storage } from "@procedo/storage";
import type { Recorder } from "./recorder.ts";

/** The environment of a race. */
export interface RaceGround {
  /** A name that is unique to this race. */
  readonly workspace: string;
  readonly random: SeededRandom;
  readonly nowMs: () => number;
  /** The storages of the racing nodes; each node has its own worker. */
  readonly nodes: readonly Storage[];
  /** A storage that is not scheduled, for the preparation and for reading the final state. */
  readonly beside: Storage;
  /** Locks the rows of these runs for a few turns, as an unrelated transaction would. @defaultValue no lock */
  readonly holdRuns?: (runIds: readonly string[]) => Promise<void>;
  /** Runs the work in an order of its choice; resolves at its end. */
  drive(work: Promise<unknown>): Promise<void>;
}

export interface RaceActors {
  /** Creates runs in every state that a run can have, some owned by workers whose lease has expired. */
  prepare(): Promise<void>;
  /** Starts a run under the idempotency key that all creations of the race share. */
  create(runId: string): Promise<void>;
  /** An actor at one of the nodes, which makes one or two calls. */
  actor(): () => Promise<void>;
}

/** The runs, workers and recorder of a race. */
interface Scenario {
  readonly recorder: Recorder;
  readonly runIds: readonly string[];
  readonly workerOf: (node: number) => string;
}

const leaseMs = 10_000;
const procedure = { procedureId: "p", procedureVersion: "v1", startedBy: "alice" };

/** A run as a writer knows it. */
interface Held {
  readonly runId: string;
  readonly epoch: number;
  seq: number;
  /** Effect keys to consume with the next row. */
  unread: readonly string[];
  asked: number;
}

/** The actors of a race, each at one of the nodes. */
export function createActors(ground: RaceGround, { recorder, runIds, workerOf }: Scenario): RaceActors {
  const { workspace, random, nowMs, nodes, beside } = ground;
  const scope = { workspace, environment: "sandbox" } as const;
  /** The prepared runs as their writers know them; several writers may believe that they own the same run. */
  const prepared: Held[] = [];
  const sent: RunCommit[] = [];
  let rows = 0;
  let decisions = 0;

  const anyNode = (): number => random.between(0, nodes.length - 1);
  const at = (node: number): Storage => nodes[node] ?? beside;
  const keyOf = (held: Pick<Held, "asked">): string => `review-${held.asked}`;
  const anyKey = (): string => random.pick(["review-1", "review-2", "cancel"]);
  const claimFor = (node: number): { readonly claimFor?: string } =>
    random.chance(0.5) ? { claimFor: workerOf(node) } : {};

  const rowOf = (held: Held, then: RunPlace, more: Partial<RunCommit> = {}): RunCommit => {
    rows += 1;
    const { runId, epoch, seq } = held;
    return { scope, runId, epoch, seq: seq + 1, hash: `hash-${rows}`, body: "[]", then, ...more };
  };

  const askReview = (held: Held): Partial<RunCommit> => {
    held.asked += 1;
    return {
      closeReview: { status: "cancelled" },
      openReview: {
        reviewId: `${held.runId}-${keyOf(held)}-${held.epoch}-${rows}`,
        nodeId: "ask",
        kind: "human_review",
        title: "Pay?",
        body: "{}",
        digest: "d",
        effectKey: keyOf(held),
        openedAtMs: nowMs(),
      },
    };
  };

  const nextPlace = (worker: string): RunPlace =>
    random.pick<RunPlace>([
      { kind: "hot", workerId: worker },
      { kind: "hot", workerId: worker },
      { kind: "parked", status: "running", wakeAtMs: nowMs() + random.pick([-5, 5_000]) },
      { kind: "parked", status: "awaiting_review", wakeAtMs: undefined },
      { kind: "ended", status: "completed", endedAtMs: nowMs() },
    ]);

  /** Writes as the owner that it believes to be, until a commit is fenced or it releases the run. */
  const own = async (node: number, held: Held): Promise<void> => {
    for (let turns = random.between(1, 2); turns > 0; turns--) {
      if (random.chance(0.3)) {
        const news = await at(node).inbox.read({ scope, runId: held.runId });
        held.unread = news.map(({ effectKey }) => effectKey);
      }
      const then = nextPlace(workerOf(node));
      const ask = then.kind === "parked" && random.chance(0.5) ? askReview(held) : {};
      const consume = held.unread.length === 0 ? {} : { consume: held.unread };
      const row = rowOf(held, then, { ...consume, ...ask });
      const result = await recorder.commit(at(node), row);
      sent.push(row);
      // The answer was lost: the same row is sent again.
      if (random.chance(0.2)) await recorder.commit(at(node), row);
      if (result.status !== "committed") return;
      held.seq += 1;
      held.unread = [];
      if (then.kind !== "hot") return;
    }
  };

  const ownAll = async (node: number, claims: readonly ClaimedRun[]): Promise<void> => {
    for (const { runId, epoch, journal, inbox } of claims) {
      const unread = inbox.map(({ effectKey }) => effectKey);
      await own(node, { runId, epoch, seq: journal.length, unread, asked: 2 });
    }
  };

  const scenes: readonly ((node: number) => Promise<void>)[] = [
    async (node) => {
      const held = prepared.length === 0 ? undefined : random.pick(prepared);
      if (held !== undefined) await own(node, { ...held });
    },
    async (node) => ownAll(node, await recorder.claim(at(node), workerOf(node), random.between(1, 3))),
    async (node) => ownAll(node, await recorder.claim(at(node), workerOf(node), random.between(1, 3))),
    async (node) => {
      const posts = random.chance(0.3) ? runIds : [random.pick(runIds)];
      const answers = await recorder.post(
        at(node),
        posts.map((runId) => {
          const close = random.chance(0.4) ? { closeReview: random.pick(["expired", "settled"] as const) } : {};
          return {
            scope,
            runId,
            effectKey: anyKey(),
            body: `"posted by ${node} ${++rows}"`,
            ...close,
            ...claimFor(node),
          };
        }),
      );
      await ownAll(
        node,
        answers.flatMap((answer) => (answer.status === "accepted" ? (answer.claimed ?? []) : [])),
      );
    },
    async (node) => decide(node),
    async (node) => decide(node),
    // An old row that was delayed.
    async (node) => void (sent.length > 0 && (await recorder.commit(at(node), random.pick(sent)))),
    async (node) => recorder.heartbeat(at(node), workerOf(node), leaseMs),
    async (node) => recorder.release(at(node), workerOf(node)),
    async (node) => recorder.releaseRuns(at(node), workerOf(node), runIds),
    async () => ground.holdRuns?.(runIds),
    async () => ground.holdRuns?.([random.pick(runIds)]),
  ];

  const reviewIds = new Map<string, string>();
  const decide = async (node: number): Promise<void> => {
    const runId = random.pick(runIds);
    const reviewId = reviewIds.get(runId);
    if (reviewId === undefined) return;
    const again = random.chance(0.3) && decisions > 0;
    const number = again ? decisions : ++decisions;
    const held = random.chance(0.5) ? prepared.find((one) => one.runId === runId) : undefined;
    const next = held === undefined ? {} : goOn(node, held);
    const answer = await recorder.decide(at(node), {
      scope,
      runId,
      reviewId,
      decisionId: `${runId}-decision-${++rows}`,
      person: random.pick(["ada", "bob"]),
      approved: random.chance(0.7),
      idempotencyKey: `${runId}-key-${number}`,
      body: JSON.stringify(`decision ${rows}`),
      approvalsNeeded: random.pick([1, 1, 2]),
      atMs: nowMs(),
      ...claimFor(node),
      ...next,
    });
    if (answer.status !== "recorded") return;
    if (answer.claimed !== undefined) await ownAll(node, [answer.claimed]);
    if (answer.continued === true && held !== undefined) {
      await own(node, { ...held, epoch: held.epoch + 1, seq: held.seq + 1, unread: [] });
    }
  };

  /** The next row of a run that waits for this decision alone, as it was prepared. */
  const goOn = (node: number, held: Held): Pick<NewDecision, "claimFor" | "next"> => {
    const workerId = workerOf(node);
    const next = rowOf({ ...held, epoch: held.epoch + 1 }, { kind: "hot", workerId }, { consume: [keyOf(held)] });
    return { claimFor: workerId, next };
  };

  return {
    prepare: async (): Promise<void> => {
      for (let node = 0; node < nodes.length; node++) {
        if (random.chance(0.6)) await recorder.heartbeat(beside, workerOf(node), leaseMs);
      }
      for (const runId of runIds) {
        const held: Held = { runId, epoch: 1, seq: 0, unread: [], asked: 0 };
        const create = { ...procedure, createdAtMs: nowMs() };
        const worker = workerOf(anyNode());
        const inReview = random.chance(0.5);
        const ask = inReview ? askReview(held) : {};
        const then = inReview
          ? ({ kind: "parked", status: "awaiting_review", wakeAtMs: undefined } as const)
          : nextPlace(worker);
        const first = rowOf(held, then.kind === "ended" ? { kind: "hot", workerId: worker } : then, { create, ...ask });
        await recorder.commit(beside, first);
        if (first.openReview !== undefined) reviewIds.set(runId, first.openReview.reviewId);
        held.seq = 1;
        prepared.push(held);
      }
    },
    create: async (runId: string): Promise<void> => {
      const node = anyNode();
      const idempotency = { key: "order", digest: runId, expiresAtMs: nowMs() + leaseMs };
      const create = { ...procedure, procedureId: workspace, createdAtMs: nowMs(), idempotency };
      const held: Held = { runId, epoch: 1, seq: 0, unread: [], asked: 0 };
      const then = { kind: "hot", workerId: workerOf(node) } as const;
      // In one statement with a row of another run, which may delay both. A row that stays hot would be sent
      // alone.
      const parked = { kind: "parked", status: "running", wakeAtMs: nowMs() + leaseMs } as const;
      const other = random.chance(0.5) && prepared.length > 0 ? [rowOf(random.pick(prepared), parked)] : [];
      await Promise.all([rowOf(held, then, { create }), ...other].map((row) => recorder.commit(at(node), row)));
    },
    actor: (): (() => Promise<void>) => {
      const node = anyNode();
      const parts = Array.from({ length: random.between(1, 2) }, () => random.pick(scenes));
      return async () => {
        for (const part of parts) await part(node);
      };
    },
  };
}
