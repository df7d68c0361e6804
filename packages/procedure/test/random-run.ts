import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { fold, initialState, next, resume } from "@procedo/procedure";
import type {
  CompiledProcedure,
  Entry,
  Intent,
  OpenReview,
  Outcome,
  ReviewAnswer,
  RunLimits,
  RunState,
  Started,
  Step,
} from "@procedo/procedure";
import { agentEntries } from "./random-agent.ts";
import { asked, frozen, intent, nodeFailed } from "./random-entries.ts";

export interface RandomRun {
  readonly journal: readonly Entry[];
  readonly state: RunState;
  /** The reason why the run stopped: it ended, it waits for a person, or it exceeded its limits. */
  readonly rest: "ended" | "waits" | "runs away";
}

export const limits: RunLimits = {
  nodeVisits: 60,
  toolCalls: 40,
  modelCalls: 50,
  tokens: 2_000,
  stepBytes: 1_000_000,
  runBytes: 10_000_000,
  depth: 64,
};

/** Each visit and each call costs a handful of entries, takeovers included. */
const mostEntries = 1_000;

/**
 * Drives a procedure through the interpreter in the role of its owner, with random outcomes: calls succeed, fail, are
 * lost or are repeated; agents reply with valid or invalid replies or not at all; reviews are approved, rejected,
 * expire or stay open; owners are replaced; runs are cancelled.
 */
export function randomRun(procedure: CompiledProcedure, seed: number): RandomRun {
  const random = seededRandom(seed);
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

/** The state after reading the journal back from its JSON text. */
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

function entriesFor(step: Step, random: SeededRandom, atMs: number): readonly Entry[] {
  switch (step.do) {
    case "choose": {
      const { id: nodeId } = step.node;
      if (random.chance(0.02)) return [nodeFailed(step.node, step.visit, atMs)];
      const branch = random.pick([...step.node.to.keys()]);
      return [{ type: "branch_taken", atMs, nodeId, visit: step.visit, branch }];
    }
    case "prompt":
    case "ask_model":
    case "judge":
      return agentEntries(step, random, atMs);
    case "propose": {
      const { id: nodeId } = step.node;
      const call = step.approved?.frozen ?? frozen(step.node.connection, step.node.action, random);
      if (random.chance(0.05)) return [nodeFailed(step.node, step.visit, atMs)];
      if (random.chance(0.1))
        return [asked("guard", nodeId, step.visit, atMs, { call: { ...call, nodeId, digest: "d" } })];
      return [intent(nodeId, step.visit, 1, 1, call, atMs)];
    }
    case "intend":
      return [intent(step.node.id, step.visit, step.call.call, step.call.attempt, step.call.frozen, atMs)];
    case "call":
    case "await":
      return [outcome(step.intent, random, atMs)];
    case "reconsider":
      return [{ ...outcome(step.intent, random, atMs), result: { status: "unknown", reason: "the owner is gone" } }];
    case "ask_outcome":
      return [asked("outcome_unknown", step.node.id, step.intent.visit, atMs)];
    case "ask": {
      const { id: nodeId } = step.node;
      if (random.chance(0.05)) return [nodeFailed(step.node, step.visit, atMs)];
      const { covered } = step;
      if (covered === undefined) return [asked("human_review", nodeId, step.visit, atMs)];
      const call = { ...frozen(covered.connection, covered.action, random), nodeId: covered.id, digest: "d" };
      return [asked("human_review", nodeId, step.visit, atMs, { call })];
    }
    case "emit": {
      const nodeId = step.node.id;
      if (random.chance(0.05)) return [nodeFailed(step.node, step.visit, atMs)];
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

function outcome({ nodeId, visit, call, attempt }: Intent, random: SeededRandom, atMs: number): Outcome {
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

function answered({ reviewId, kind, proposed }: OpenReview, random: SeededRandom, atMs: number): readonly Entry[] {
  const outputs = kind === "question" ? { branch: proposed?.branch ?? "otherwise", reason: "I say so." } : { ok: true };
  const decisions: ReviewAnswer & object = random.chance(0.2)
    ? { status: "rejected", reason: "Not today.", decisions: [] }
    : { status: "approved", decisions: [], ...(random.chance(0.3) ? { outputs } : {}) };
  const answer: ReviewAnswer = random.chance(0.05) ? { status: "expired", decisions: [] } : decisions;
  if (kind === "outcome_unknown" && random.chance(0.3)) {
    return [{ type: "review_closed", atMs, reviewId, answer: { status: "settled" } }];
  }
  return [{ type: "review_closed", atMs, reviewId, answer }];
}
