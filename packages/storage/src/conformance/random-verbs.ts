import type { Environment } from "@procedo/contract";
import { webhookEventKey } from "../deliveries.ts";
import type { PutResult } from "../records.ts";
import type { CommitResult, ClaimedRun, RunCommit, RunPlace } from "../runs.ts";
import type { Storage } from "../storage.ts";
import type { TestClock } from "./harness.ts";
import { lapsedKeyOf, type InvocationSettlement } from "../invocations.ts";
import { randomBudgetCalls } from "./random-budgets.ts";
import { deliverySteps } from "./random-deliveries.ts";
import { invocationSteps, type RandomCall } from "./random-invocations.ts";
import { retentionSteps } from "./random-retention.ts";
import type { Random } from "./random.ts";
import { sessionSteps } from "./random-sessions.ts";
import { triggerSteps } from "./random-triggers.ts";
import { emitted } from "./trigger-samples.ts";
import {
  commitAll,
  audit,
  decision,
  elsewhere,
  event,
  firstRow,
  invocation,
  live,
  post,
  record,
  review,
  row,
  sandbox,
  version,
} from "./samples.ts";
import type { Step } from "./random-step.ts";

/**
 * An endless sequence of random calls with few ids, so that they conflict: mostly calls of a correct engine, and
 * frequently those of a faulty or late one.
 *
 * @param focus `triggers`: most calls are those of triggers, whose firings need several calls in a row
 */
export function createSteps(random: Random, clock: TestClock, focus: "runs" | "triggers" = "runs"): () => Step {
  const known = new Map<string, { seq: number; epoch: number }>();
  /** The run of each review. */
  const askedBy = new Map<string, string>();
  const calls: RandomCall[] = [];
  const revisions = new Map<string, number>();
  let oldestRun = 0;
  let reviews = 0;
  let events = 0;
  let audits = 0;
  let versions = 0;
  let invocations = 0;

  const scope = (): typeof sandbox => random.pick([sandbox, sandbox, sandbox, sandbox, live, elsewhere]);
  const runId = (): string => `run-${oldestRun + random.integer(8)}`;
  const workerId = (): string => `worker-${random.integer(3)}`;
  const effectKey = (): string => keyOf(random.integer(reviews + 1));
  const anyKey = (): string => `key-${random.integer(3)}`;
  const soon = (): number => clock.now() + random.integer(60) - 20;
  const claimFor = (): { readonly claimFor?: string } => (random.chance(0.5) ? { claimFor: workerId() } : {});
  const auditEntry = (): ReturnType<typeof audit> =>
    audit(random.chance(0.9) ? audits + 1 : random.integer(audits + 3));

  const knownRun = (): string | undefined => [...known.keys()].slice(-8)[random.integer(8)];
  const budgets = randomBudgetCalls(random, scope, () => (random.chance(0.9) ? knownRun() : undefined) ?? runId());

  function place(): RunPlace {
    const wakeAtMs = random.chance(0.6) ? soon() : undefined;
    if (random.chance(0.1)) {
      // Runs end approximately in the order of their creation, and new ones replace them.
      oldestRun += 1;
      return {
        kind: "ended",
        status: "failed",
        endedAtMs: clock.now(),
        ...(random.chance(0.5) ? { error: "No." } : {}),
        ...(random.chance(0.3) ? { output: `{"of":${"1".repeat(random.integer(6))}}` } : {}),
      };
    }
    return random.pick<RunPlace>([
      { kind: "hot", workerId: workerId() },
      { kind: "parked", status: "running", wakeAtMs },
      { kind: "parked", status: "running", wakeAtMs, waitsFor: random.pick(["connection-0", "connection-1"]) },
      { kind: "parked", status: "awaiting_review", wakeAtMs },
    ]);
  }

  function item(): RunCommit {
    const id = runId();
    const state = known.get(id);
    const then = place();
    const read = then.kind === "ended" && random.chance(0.5) ? 1 : 0.5;
    const effects: Partial<RunCommit> = {
      ...(random.chance(read) ? { consume: random.some([...Array(reviews + 1).keys()], read).flatMap(keysOf) } : {}),
      ...(random.chance(0.2) ? { closeReview: { status: random.pick(["settled", "cancelled"]) } } : {}),
      ...(random.chance(0.3) ? { openReview: opened() } : {}),
      ...(random.chance(0.3) ? { invocation: call() } : {}),
      ...(random.chance(0.3) ? { settle: budgets.settlements(id) } : {}),
      ...(random.chance(0.2) ? { events: [told()] } : {}),
      then,
    };
    const hash = `hash-${random.integer(3)}`;
    if (state === undefined || random.chance(0.05)) {
      const idempotency = { key: anyKey(), digest: `digest-${id}`, expiresAtMs: soon() + 100 };
      const create = {
        createdAtMs: clock.now() + random.integer(5),
        procedureId: random.pick(["pay", "refund"]),
        ...(random.chance(0.3) ? { idempotency } : {}),
        ...referenceOf(id),
      };
      return firstRow(id, { scope: scope(), hash, create, ...effects });
    }
    return row(id, random.chance(0.85) ? state.seq + 1 : 2 + random.integer(4), {
      scope: random.chance(0.95) ? sandbox : scope(),
      epoch: random.chance(0.9) ? state.epoch : random.integer(4),
      hash,
      ...effects,
    });
  }

  function told(): ReturnType<typeof event> {
    const eventId = `event-${nextOr(() => ++events, 0.9)}`;
    return random.chance(0.3) ? emitted(eventId) : event(eventId);
  }

  function opened(): NonNullable<RunCommit["openReview"]> {
    const shown = random.chance(0.3) ? { shown: `{"data":{"of":${reviews}}}` } : {};
    return review(`review-${nextOr(() => ++reviews, 0.9)}`, shown);
  }

  function call(): NonNullable<RunCommit["invocation"]> {
    return invocation(`invocation-${nextOr(() => ++invocations, 0.9)}`, {
      connectionId: random.pick(["connection-0", "connection-1"]),
      functionName: random.pick(["screen", "pay"]),
      idempotent: random.chance(0.4),
      effectKey: effectKey(),
      deadlineMs: soon() + random.integer(500),
      ...(random.chance(0.3)
        ? { lease: { leaseToken: `dispatched-${invocations}`, leaseMs: random.integer(90) } }
        : {}),
    });
  }

  /** Usually a new number, otherwise one that may be in use. */
  function nextOr(next: () => number, probability: number): number {
    return random.chance(probability) ? next() : random.integer(reviews + 1);
  }

  function learnClaim(claimed: ClaimedRun | undefined): void {
    if (claimed !== undefined) known.set(claimed.runId, { seq: claimed.journal.length, epoch: claimed.epoch });
  }

  function nextRow(id: string, effect: string): RunCommit | undefined {
    const state = known.get(id);
    if (state === undefined) return undefined;
    const epoch = random.chance(0.9) ? state.epoch + 1 : state.epoch;
    return row(id, state.seq + 1, { epoch, consume: [effect], hash: `hash-${random.integer(3)}`, then: place() });
  }

  function learnSettled(settled: InvocationSettlement, next: RunCommit | undefined): void {
    if (settled.status !== "accepted") return;
    learnClaim(settled.claimed);
    if (settled.continued === true && next !== undefined) known.set(next.runId, next);
  }

  const ofTriggers = triggerSteps(random, clock, scope);
  const steps: readonly [() => Step, ...(() => Step)[]] = [
    commit,
    commit,
    commit,
    commit,
    commit,
    commit,
    () => {
      const { workspace } = scope();
      const most = { sandbox: random.integer(3), live: random.integer(3) };
      const request = {
        workspace,
        workerId: workerId(),
        limit: random.integer(4),
        ...(random.chance(0.3) ? { most } : {}),
      };
      return {
        name: "claim",
        call: ({ runs }) => runs.claim(request),
        learn: (answer) => (answer as { runs: readonly ClaimedRun[] }).runs.forEach(learnClaim),
      };
    },
    () => {
      // More than there are: storage may wake any of the waiting runs first.
      const request = { scope: scope(), waitsFor: random.pick(["connection-0", "connection-1"]), limit: 1_000 };
      return { name: "wake", call: ({ runs }) => runs.wake(request) };
    },
    () => {
      const request = { scope: scope(), procedureId: random.pick(["pay", "refund"]), idempotencyKey: anyKey() };
      return { name: "find by key", call: ({ runs }) => runs.findByKey(request) };
    },
    () => {
      const posts = Array.from({ length: 1 + random.integer(3) }, () =>
        post(runId(), effectKey(), {
          scope: scope(),
          body: `${random.integer(100)}`,
          ...(random.chance(0.4) ? { closeReview: random.pick(["expired", "settled"]) } : {}),
          ...claimFor(),
        }),
      );
      return {
        name: "post",
        call: ({ inbox }) => inbox.post(posts),
        learn: (answer) => (answer as readonly { claimed?: ClaimedRun }[]).forEach((one) => learnClaim(one.claimed)),
      };
    },
    () => {
      const reviewId = `review-${Math.max(0, reviews - random.integer(6))}`;
      const asker = random.chance(0.9) ? askedBy.get(reviewId) : undefined;
      const decided = decision(asker ?? runId(), reviewId, {
        scope: random.chance(0.9) ? sandbox : scope(),
        person: random.pick(["ada", "bob", "cyd"]),
        approved: random.chance(0.7),
        approvalsNeeded: 1 + random.integer(2),
        idempotencyKey: `key-${reviews}-${random.integer(6)}`,
        ...claimFor(),
      });
      return {
        name: "decide",
        call: ({ reviews: store }) => store.decide(decided),
        learn: (answer) => learnClaim((answer as { claimed?: ClaimedRun }).claimed),
      };
    },
    () => {
      const request = { workerId: workerId(), leaseMs: 1 + random.integer(50) };
      return { name: "heartbeat", call: ({ workers }) => workers.heartbeat(request) };
    },
    () => {
      const request = { workerId: workerId() };
      return { name: "listRuns", call: async ({ workers }) => [...(await workers.listRuns(request))].sort() };
    },
    () => {
      const request = { workerId: workerId(), runIds: [runId(), runId()] };
      const all = random.chance(0.3);
      return {
        name: "give back",
        call: ({ workers }) => (all ? workers.release(request) : workers.releaseRuns(request)),
      };
    },
    () => {
      const written = record(`hook-${random.integer(2)}`, {
        kind: "webhook",
        environment: random.pick<Environment>(["sandbox", "live"]),
        keys: random.some([webhookEventKey(sandbox, "run_completed"), webhookEventKey(live, "run_completed")], 0.7),
        uniqueKeys: random.some(["unique-0", "unique-1"], 0.4),
      });
      const revision = random.chance(0.7) ? (revisions.get(written.id) ?? 0) : random.integer(3);
      const entry = auditEntry();
      const change = random.chance(0.2)
        ? (storage: Storage) => storage.records.remove({ ...written, ifRevision: revision, audit: entry })
        : (storage: Storage) => storage.records.put({ record: written, ifRevision: revision, audit: entry });
      const learn = (answer: unknown): void => {
        learnAudit(answer);
        if (answer === "removed") revisions.delete(written.id);
        else if ((answer as PutResult).status === "stored") revisions.set(written.id, revision + 1);
      };
      return { name: "record", call: change, learn };
    },
    () => {
      const published = version(`v${nextOr(() => ++versions, 0.8)}`, { procedureId: random.pick(["pay", "refund"]) });
      const defaultIn = random.some<Environment>(["sandbox", "live"], 0.3);
      const entry = auditEntry();
      const call = random.chance(0.7)
        ? ({ procedures }: Storage) =>
            procedures.publish({ version: published, defaultIn, defaultIfFirst: "sandbox", audit: entry })
        : ({ procedures }: Storage) => procedures.setDefault({ ...published, environment: "live", audit: entry });
      return { name: "publish", call, learn: learnAudit };
    },
    ...invocationSteps(random, scope, () => calls.slice(-12), { claimFor, nextRow, learn: learnSettled }),
    ...budgets.steps,
    ...deliverySteps(random, clock, scope, auditEntry, learnAudit),
    ...retentionSteps(random, clock, scope, auditEntry, learnAudit),
    ...sessionSteps(random, clock),
    ...ofTriggers,
  ];

  function learnAudit(answer: unknown): void {
    const status = typeof answer === "string" ? answer : (answer as { status: string }).status;
    if (["stored", "removed", "published", "set", "posted", "resent", "ended", "archived"].includes(status))
      audits += 1;
  }

  function commit(): Step {
    const all = Array.from({ length: 1 + random.integer(4) }, item);
    const [first] = all;
    // Usually one item per run. Items of the same run are processed one after another, and later items of other runs
    // may overtake them.
    const some = random.chance(0.9)
      ? all.filter((one, index) => all.findIndex((other) => other.runId === one.runId) === index)
      : all.filter((one) => one.runId === first?.runId);
    const items = inOneOrder(some);
    return {
      name: "commit",
      call: ({ runs }) => commitAll(runs, items),
      learn: (answer) => {
        (answer as readonly CommitResult[]).forEach(({ status }, index) => {
          const committed = items[index];
          if (status !== "committed" || committed === undefined) return;
          const { runId: id, seq, epoch, openReview } = committed;
          if (committed.invocation !== undefined) calls.push({ ...committed, ...committed.invocation });
          if (openReview !== undefined) askedBy.set(openReview.reviewId, id);
          known.set(id, {
            seq: Math.max(seq, known.get(id)?.seq ?? 0),
            epoch: Math.max(epoch, known.get(id)?.epoch ?? 0),
          });
        });
      },
    };
  }

  return () => random.pick(focus === "triggers" && random.chance(0.8) ? ofTriggers : steps)();
}

/**
 * Within a batch, storage may list and claim items of the same millisecond in any order; across batches it may not. To
 * make the order certain, the reviews of a batch are opened at different times, and only one item has events, which are
 * due when they are stored.
 */
function inOneOrder(items: readonly RunCommit[]): readonly RunCommit[] {
  const teller = items.find(({ events }) => events !== undefined && events.length > 0);
  return items.map((item, place) => {
    const { openReview } = item;
    return {
      ...item,
      ...(openReview && { openReview: { ...openReview, openedAtMs: openReview.openedAtMs + place } }),
      ...(item !== teller && item.events && { events: [] }),
    };
  });
}

/** Every second run has one of three references. */
function referenceOf(runId: string): { readonly reference?: string } {
  const number = Number(runId.slice("run-".length));
  return number % 2 === 0 ? { reference: `INV-${number % 3}` } : {};
}

function keysOf(number: number): readonly string[] {
  return [keyOf(number), lapsedKeyOf(keyOf(number))];
}

function keyOf(number: number): string {
  return `effect-review-${number}`;
}
