import type { JsonValue } from "@procedo/contract";
import {
  fold,
  initialState,
  next,
  resume,
  type CompiledProcedure,
  type Entry,
  type RunLimits,
  type RunState,
  type Step,
} from "@procedo/procedure";
import type { Scope } from "@procedo/storage";
import { settledBy } from "../budgets/call-settlements.ts";
import { approvalsIn } from "../reviews/earlier-approvals.ts";
import {
  findActionOf,
  prepareConnectedStep,
  performInnerStep,
  type ConnectedStep,
  type StepPorts,
} from "../runs/perform-step.ts";
import { answerCall, lateOutcome } from "./answer-call.ts";
import { reserveFor } from "../calls/propose-call.ts";
import { createTakeTurn, type ModelStep } from "./take-turn.ts";
import { answerModel } from "./answer-model.ts";
import { answerReview } from "./answer-review.ts";
import type { RunBudgets } from "./backtest-budgets.ts";
import type { RecordedAnswer } from "./recorded-answer.ts";
import { callPath, createEntryPaths, visitPath } from "./entry-path.ts";
import type { RecordedRun } from "./recorded-run.ts";

export interface ReplaySettings {
  /** The version to try. */
  readonly procedure: CompiledProcedure;
  readonly version: string;
  /** The input of the run. */
  readonly input: JsonValue;
  /** Nodes that are equal in the recorded version. */
  readonly unchanged: ReadonlySet<string>;
  readonly scope: Scope;
  readonly limits: RunLimits;
  readonly budgets: RunBudgets;
  /** All ports except the clock: the time comes from the record. */
  readonly ports: Omit<StepPorts, "clock">;
  /** Asks a live model; `undefined` if the recorded replies are used. */
  readonly askLiveModel: AskLiveModel | undefined;
  /** Whether a recorded answer applies only to an equal request. */
  readonly strict: boolean;
  /** Whether a review without a record counts as approved. */
  readonly assumeApproved: boolean;
}

/** @param nowMs the record's time */
export type AskLiveModel = (run: ReplayedState, step: ModelStep, nowMs: () => number) => Promise<Entry>;

/** The view of a run that its steps need. */
export interface ReplayedState {
  readonly procedure: CompiledProcedure;
  readonly state: RunState;
  readonly writer: { readonly head: { readonly scope: Scope } };
}

export interface ReplayedRun {
  readonly entries: readonly Entry[];
  /** The first request of this version without an answer in the record. */
  readonly diverged: Divergence | undefined;
  /** The status after the replay: ended, or open where the record ends. */
  readonly status: "ended" | "awaiting_review" | "running";
  /** Recorded answers that were used for another request. */
  readonly reused: readonly Reused[];
}

export interface Divergence {
  readonly nodeId: string;
  readonly why: string;
}

export interface Reused {
  readonly nodeId: string;
  readonly what: "result" | "reply" | "decision";
}

/**
 * Executes a recorded run with another version, in memory. Requests to the outside are answered from the record; the
 * replay ends at a request without a recorded answer. The engine's own code performs the steps, so that the same
 * version makes the same decisions.
 */
export async function replayRun(record: RecordedRun, settings: ReplaySettings): Promise<ReplayedRun> {
  return await new Replay(record, settings).run();
}

type Move = { readonly entry: Entry } | Omit<ReplayedRun, "entries" | "reused">;

/** The replay of one run, with the state that its steps share. */
class Replay {
  readonly #record: RecordedRun;
  readonly #settings: ReplaySettings;
  readonly #ports: StepPorts;
  readonly #pathOf = createEntryPaths();
  readonly #entries: Entry[] = [];
  readonly #reused: Reused[] = [];
  /** Visits in which the conversation with the agent differs from the record. */
  readonly #otherTalk = new Set<string>();
  #state: RunState;
  #nowMs: number;

  constructor(record: RecordedRun, settings: ReplaySettings) {
    this.#record = record;
    this.#settings = settings;
    const { started } = record;
    this.#nowMs = started.atMs;
    const never = (): never => {
      throw new Error("A backtest waits for nothing.");
    };
    const clock = { now: () => this.#nowMs, monotonic: () => this.#nowMs, after: never, soon: never };
    this.#ports = { ...settings.ports, clock };
    const { input, version } = settings;
    const first = { ...started, input, facts: { ...started.facts, procedureVersion: version } };
    this.#state = initialState(settings.procedure, first);
    this.#entries.push(first);
  }

  async run(): Promise<ReplayedRun> {
    this.#takeOutside(this.#pathOf(this.#record.started));
    for (;;) {
      const move = await this.#move(this.#step());
      if (!("entry" in move)) return { entries: this.#entries, reused: this.#reused, ...move };
      this.#append(move.entry);
    }
  }

  #step(): Step {
    const { procedure, limits } = this.#settings;
    const step = next(procedure, this.#state, limits);
    if (step.do !== "wait" || step.review !== undefined || step.untilMs === undefined) return step;
    this.#nowMs = Math.max(this.#nowMs, step.untilMs);
    return resume(procedure, this.#state, limits);
  }

  async #move(step: Step): Promise<Move> {
    const late = lateOutcome(this.#record, this.#state.cursor);
    if (late !== undefined) return { entry: late };
    switch (step.do) {
      case "done":
        return { status: "ended", diverged: undefined };
      case "choose":
      case "emit":
      case "finish":
      case "end":
        return { entry: performInnerStep(this.#ports, this.#state, step) };
      case "propose":
      case "intend":
      case "ask":
      case "ask_outcome":
      case "prompt":
        return { entry: await this.#perform(step) };
      case "judge":
        return { entry: this.#recordedVerdict(step) ?? (await this.#perform(step)) };
      case "ask_model":
        return await this.#askModel(step);
      case "call":
      case "await":
        return this.#taken(answerCall(this.#record, step, this.#settings), step.intent, "result", (outcome) => outcome);
      case "wait":
        return this.#answer(step);
      case "reconsider":
        throw new Error("A backtest loses no call.");
    }
  }

  #append(entry: Entry): void {
    const { procedure, budgets } = this.#settings;
    const before = this.#state;
    this.#state = fold(procedure, before, entry);
    budgets.settle(settledBy(procedure, before, entry));
    this.#entries.push(entry);
    this.#nowMs = entry.atMs;
    this.#takeOutside(this.#pathOf(entry));
  }

  #takeOutside(place: string): void {
    for (const entry of this.#record.takeExternal(place)) {
      if (this.#state.cursor.at === "ended") return;
      // A live model was asked without any loss of a worker.
      if (entry.type === "recovered" && this.#settings.askLiveModel !== undefined) continue;
      this.#state = fold(this.#settings.procedure, this.#state, entry);
      this.#entries.push(entry);
    }
  }

  /** Performs a step at its recorded time. */
  async #perform(step: ConnectedStep): Promise<Entry> {
    // The clocks of workers differ, and may be set back.
    this.#nowMs = this.#recordedTime(step) ?? this.#nowMs;
    const found = await findActionOf(this.#ports, this.#state, step);
    const entry = await reserveFor(this.#ports, prepareConnectedStep(this.#ports, this.#run(), step, found));
    return this.#recordedFailure(entry) ?? entry;
  }

  #run(): ReplayedState {
    const { procedure, scope } = this.#settings;
    return { procedure, state: this.#state, writer: { head: { scope } } };
  }

  #recordedTime(step: ConnectedStep): number | undefined {
    const visit = visitPath({ nodeId: step.node.id, visit: "visit" in step ? step.visit : step.intent.visit });
    const { call, attempt } = step.do === "intend" ? step.call : { call: this.#nextCall(), attempt: 1 };
    const intent = `intent ${visit}/${call}/${attempt}`;
    // For a later attempt, the record has its intent, or one more review of the earlier attempts.
    const unknownOutcome = `asked ${visit}/outcome_unknown/${1 + this.#unknownOutcomesOf(step)}`;
    const kinds = ["human_review", "guard", "function", "outcome_unknown"];
    const first = kinds.map((kind) => `asked ${visit}/${kind}/1`);
    const places =
      step.do === "ask_outcome" ? [unknownOutcome] : attempt > 1 ? [intent, unknownOutcome] : [intent, ...first];
    return places.map((place) => this.#record.timeAt(place)).find((atMs) => atMs !== undefined);
  }

  /** The number of reviews about calls of unknown outcome in this visit. */
  #unknownOutcomesOf({ node }: ConnectedStep): number {
    const visit = this.#state.visits[node.id];
    return this.#entries.filter(
      (entry) =>
        entry.type === "review_opened" &&
        entry.nodeId === node.id &&
        entry.visit === visit &&
        entry.review.kind === "outcome_unknown",
    ).length;
  }

  /**
   * A recorded failure of the node before any call or review, for a reason outside both versions: a missing connection,
   * or an action that had changed.
   */
  #recordedFailure(entry: Entry): Entry | undefined {
    if (entry.type !== "review_opened" && entry.type !== "intent" && entry.type !== "node_failed") return undefined;
    const { nodeId, visit } = entry;
    const failure = this.#record.nodeFailed({ nodeId, visit });
    const { unchanged, budgets } = this.#settings;
    if (failure === undefined || !unchanged.has(nodeId) || !budgets.isPossible(failure)) return undefined;
    // Two rules of the node may have failed it; the version itself decides which of them comes first.
    if (entry.type === "node_failed" && failure.error.code !== "action_unavailable") return undefined;
    const { call, attempt } = entry.type === "intent" ? entry : { call: this.#nextCall(), attempt: 1 };
    const wasMade = this.#record.timeAt(`intent ${callPath({ nodeId, visit, call })}/${attempt}`) !== undefined;
    const wasAsked = entry.type === "review_opened" && this.#record.hasReview({ nodeId, visit }, entry.review.kind);
    return wasMade || wasAsked ? undefined : failure;
  }

  /** The recorded entry after an unusable reply: the action's schema of that time is no longer known. */
  #recordedVerdict({ node, visit, agent }: Extract<Step, { do: "judge" }>): Entry | undefined {
    const place = { nodeId: node.id, visit };
    if (!this.#settings.unchanged.has(node.id) || this.#otherTalk.has(visitPath(place))) return undefined;
    const verdict = this.#record.afterReply({ ...place, turn: agent.turns.length });
    if (verdict?.type === "node_failed") return this.#settings.budgets.isPossible(verdict) ? verdict : undefined;
    return verdict?.type === "prompted" ? verdict : undefined;
  }

  async #askModel(step: ModelStep): Promise<Move> {
    const { askLiveModel, strict, unchanged, procedure, scope, budgets } = this.#settings;
    const place = { nodeId: step.node.id, visit: step.visit };
    if (askLiveModel !== undefined) {
      this.#otherTalk.add(visitPath(place));
      return { entry: await askLiveModel(this.#run(), step, () => this.#nowMs) };
    }
    const isUnchanged = unchanged.has(place.nodeId);
    const { models, resolveConnection } = this.#ports;
    const nowMs = this.#nowMs;
    const run = { procedure, state: this.#state, scope };
    const takeTurn = createTakeTurn({ record: this.#record, budgets, run, models, resolveConnection, nowMs });
    const reply = await answerModel(this.#record, step, { strict, isUnchanged, nowMs, takeTurn });
    if (reply.status === "recorded" && reply.isReused) this.#otherTalk.add(visitPath(place));
    return this.#taken(reply, place, "reply", (entry) => entry);
  }

  #answer({ review }: Extract<Step, { do: "wait" }>): Move {
    const { strict, assumeApproved, procedure } = this.#settings;
    const { cursor } = this.#state;
    if (review === undefined || cursor.at !== "review") return { status: "running", diverged: undefined };
    const { nodeId } = cursor;
    const recorded = this.#record.takeReview({ nodeId, visit: this.#state.visits[nodeId] ?? 1 }, review.kind);
    const node = procedure.nodes.get(nodeId);
    const earlier = approvalsIn(this.#entries);
    const answer = answerReview({ review, recorded, node, strict, assumeApproved, earlier });
    if (answer.status === "open") return { status: "awaiting_review", diverged: undefined };
    return this.#taken(answer, { nodeId }, "decision", ({ answer: given, atMs = this.#nowMs }) => {
      return { type: "review_closed", atMs, reviewId: review.reviewId, answer: given };
    });
  }

  #taken<T>(
    given: RecordedAnswer<T>,
    { nodeId }: { readonly nodeId: string },
    what: Reused["what"],
    entryOf: (answer: T) => Entry,
  ): Move {
    switch (given.status) {
      case "open":
        return { status: "running", diverged: undefined };
      case "diverged":
        return { status: "running", diverged: { nodeId, why: given.why } };
      case "recorded":
        if (given.isReused) this.#reused.push({ nodeId, what });
        return { entry: entryOf(given.answer) };
    }
  }

  /** The number of the next call of the node or of its agent. */
  #nextCall(): number {
    return (this.#state.agent?.calls.length ?? 0) + 1;
  }
}
