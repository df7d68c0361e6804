import type { JsonObject } from "@procedo/contract";
import { fold, initialState, next, resume } from "@procedo/procedure";
import type {
  Asked,
  CompiledProcedure,
  Entry,
  FrozenCall,
  Intent,
  OpenReview,
  Outcome,
  Raised,
  ReviewAnswer,
  RunLimits,
  RunState,
  Started,
  Step,
} from "@procedo/procedure";
import { randomSource, type RandomSource } from "./random-source.ts";

export interface RandomRun {
  readonly journal: readonly Entry[];
  readonly state: RunState;
  /** Why it stands still: it ended, it waits for a person, or it went on for longer than its limits allow. */
  readonly rest: "ended" | "waits" | "runs away";
}

export const limits: RunLimits = {
  nodeVisits: 60,
  toolCalls: 40,
  stepBytes: 1_000_000,
  runBytes: 10_000_000,
  depth: 64,
};

/** Each visit and each call costs a handful of entries, takeovers included. */
const mostEntries = 1_000;

/**
 * Drives a procedure through the interpreter as its owner would, with outcomes by chance: calls that succeed, fail, get
 * lost or are tried again; reviews that are approved, rejected, expire or stay open; owners that are replaced; cancels.
 */
export function randomRun(procedure: CompiledProcedure, seed: number): RandomRun {
  const random = randomSource(seed);
  const started: Started = { type: "started", atMs: 0, input: { amount: random.below(5) }, facts };
  const journal: Entry[] = [started];
  let state = initialState(procedure, started);
  const write = (entry: Entry) => {
    journal.push(entry);
    state = fold(procedure, state, entry);
  };
  let atMs = 0;
  while (journal.length < mostEntries) {
    atMs += 1;
    if (random.chance(0.02)) write({ type: "recovered", atMs, workerId: "w2", epoch: atMs });
    if (random.chance(0.002)) write({ type: "cancel_requested", atMs, by: "ann" });
    let step = next(procedure, state, limits);
    if (step.do === "wait" && step.review === undefined) step = resume(procedure, state, limits);
    if (step.do === "done") return { journal, state, rest: "ended" };
    const written = entriesFor(step, random, atMs);
    if (written.length === 0) return { journal, state, rest: "waits" };
    for (const entry of written) write(entry);
  }
  return { journal, state, rest: "runs away" };
}

/** The state that a journal read back from its JSON text gives. */
export function replay(procedure: CompiledProcedure, journal: readonly Entry[]): RunState {
  const [started, ...rest] = JSON.parse(JSON.stringify(journal)) as [Started, ...Entry[]];
  return rest.reduce((state, entry) => fold(procedure, state, entry), initialState(procedure, started));
}

const facts = {
  runId: "run_1",
  procedureId: "random",
  procedureVersion: "v1",
  environment: "sandbox",
  createdAt: "2026-01-01T00:00:00Z",
  startedBy: "ann",
} as const;

function entriesFor(step: Step, random: RandomSource, atMs: number): readonly Entry[] {
  switch (step.do) {
    case "choose": {
      const { id: nodeId } = step.node;
      if (random.chance(0.02)) return [raised(step.node, step.visit, atMs)];
      const branch = random.pick([...step.node.to.keys()]);
      return [{ type: "chose", atMs, nodeId, visit: step.visit, branch }];
    }
    case "propose": {
      const { id: nodeId } = step.node;
      const call = step.approved?.frozen ?? frozen(step.node.connection, step.node.action, random);
      if (random.chance(0.05)) return [raised(step.node, step.visit, atMs)];
      if (random.chance(0.1)) return [asked("guard", nodeId, step.visit, atMs, { ...call, nodeId, digest: "d" })];
      return [intent(nodeId, step.visit, 1, 1, call, atMs)];
    }
    case "intend":
      return [intent(step.node.id, step.visit, step.call.call, step.call.attempt, step.call.frozen, atMs)];
    case "call":
      return [outcome(step.intent, random, atMs)];
    case "reconsider":
      return [{ ...outcome(step.intent, random, atMs), result: { status: "unknown", reason: "the owner is gone" } }];
    case "ask_outcome":
      return [asked("outcome_unknown", step.node.id, step.intent.visit, atMs)];
    case "ask": {
      const { id: nodeId } = step.node;
      if (random.chance(0.05)) return [raised(step.node, step.visit, atMs)];
      const { covered } = step;
      const call = covered && {
        ...frozen(covered.connection, covered.action, random),
        nodeId: covered.id,
        digest: "d",
      };
      return [asked("human_review", nodeId, step.visit, atMs, call)];
    }
    case "emit": {
      const nodeId = step.node.id;
      if (random.chance(0.05)) return [raised(step.node, step.visit, atMs)];
      return [{ type: "emitted", atMs, nodeId, visit: step.visit, event: "custom.done", payload: {} }];
    }
    case "finish":
      return [{ type: "ended", atMs, result: { status: "completed", output: {} }, nodeId: step.node.id }];
    case "end":
      return [{ type: "ended", atMs, result: step.result, nodeId: step.nodeId }];
    case "wait":
      return step.review === undefined || random.chance(0.05) ? [] : answered(step.review, random, atMs);
    case "done":
      return [];
  }
}

function frozen(connection: string, action: string, random: RandomSource): FrozenCall {
  const args: JsonObject = { amount: random.below(100) };
  const effect = random.pick(["read", "idempotent", "once"] as const);
  return { connection, connectionId: "con_1", action, revision: "r1", effect, args };
}

function intent(nodeId: string, visit: number, call: number, attempt: number, of: FrozenCall, atMs: number): Intent {
  const key = `${nodeId}/${visit}/${call}`;
  return { type: "intent", atMs, nodeId, visit, call, attempt, key, frozen: of, sendByMs: atMs + 5, timeoutMs: 5 };
}

function outcome({ nodeId, visit, call, attempt }: Intent, random: RandomSource, atMs: number): Outcome {
  const at = { type: "outcome", atMs, nodeId, visit, call, attempt } as const;
  switch (random.below(8)) {
    case 0:
      return { ...at, result: { status: "error", error: { message: "It failed." } } };
    case 1:
      return { ...at, result: { status: "error", error: { message: "Busy." } }, retryAtMs: atMs + 10 };
    case 2:
      return { ...at, result: { status: "unknown", reason: "The connection broke." } };
    default:
      return { ...at, result: { status: "ok", output: { id: `o${atMs}` } } };
  }
}

function asked(
  kind: OpenReview["kind"],
  nodeId: string,
  visit: number,
  atMs: number,
  call?: OpenReview["call"],
): Asked {
  const review: OpenReview = {
    reviewId: `review_${atMs}`,
    kind,
    title: "Go on?",
    data: {},
    digest: "d",
    effectKey: `${nodeId}/${visit}`,
    rules: { roles: [], people: [], approvals: 1, outputs: false },
    ...(call === undefined ? {} : { call }),
  };
  return { type: "asked", atMs, nodeId, visit, review };
}

function answered({ reviewId, kind }: OpenReview, random: RandomSource, atMs: number): readonly Entry[] {
  const decisions: ReviewAnswer & object = random.chance(0.2)
    ? { status: "rejected", reason: "Not today.", decisions: [] }
    : { status: "approved", decisions: [], ...(random.chance(0.3) ? { outputs: { ok: true } } : {}) };
  const answer: ReviewAnswer = random.chance(0.05) ? { status: "expired", decisions: [] } : decisions;
  if (kind === "outcome_unknown" && random.chance(0.3)) {
    return [{ type: "answered", atMs, reviewId, answer: { status: "settled" } }];
  }
  return [{ type: "answered", atMs, reviewId, answer }];
}

function raised(
  { id, kind }: { readonly id: string; readonly kind: Raised["kind"] },
  visit: number,
  atMs: number,
): Entry {
  return { type: "raised", atMs, nodeId: id, kind, visit, error: { message: "It does not evaluate." } };
}
