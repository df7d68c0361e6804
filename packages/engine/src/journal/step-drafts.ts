import type { JsonValue } from "@procedo/contract";
import {
  callsOf,
  failedCall,
  resultOfCalls,
  type AgentCall,
  type CallResult,
  type Held,
  type Intent,
  type Prompted,
  type Replied,
} from "@procedo/procedure";
import type { AttemptRecord, CallRecord, ReviewRecord, StepRecord, TurnRecord, TurnStop } from "./step-record.ts";

/** A step whose record is being built. The functions of this file add entries to the step. */
export type StepDraft = { -readonly [K in keyof StepRecord]: StepRecord[K] } & {
  attempts: AttemptRecord[];
  calls: CallRecord[];
  reviews: ReviewRecord[];
  turns: TurnRecord[];
};

/** The sequence number of a row, and the time of its entry. */
export interface Moment {
  readonly seq: number;
  readonly atMs: number;
}

/** The steps of one journal, in the order in which they began. */
export class StepDrafts {
  readonly all: StepDraft[] = [];
  /** Maximum number of calls that the agent of a step may make; only for steps of agents. */
  readonly #mostCalls = new Map<StepDraft, number>();

  /** The step of a visit; created if missing. A further entry ends its wait for a connection. */
  at(nodeId: string, kind: StepRecord["kind"], { seq, atMs }: Moment, visit: number): StepDraft {
    const open = this.all.findLast((known) => known.nodeId === nodeId && known.visit === visit);
    if (open !== undefined) {
      open.seq = seq;
      open.authorization = undefined;
      return open;
    }
    const draft: StepDraft = {
      nodeId,
      visit,
      kind,
      status: "running",
      startedAtMs: atMs,
      endedAtMs: undefined,
      input: undefined,
      output: undefined,
      error: undefined,
      reason: undefined,
      confidence: undefined,
      attempts: [],
      calls: [],
      reviews: [],
      turns: [],
      authorization: undefined,
      seq,
    };
    this.all.push(draft);
    return draft;
  }

  prompted(entry: Prompted, moment: Moment): void {
    const { nodeId, visit, turn, wants, added, atMs } = entry;
    const draft = this.at(nodeId, wants === "answer" ? "condition" : "tool_call", moment, visit);
    if (wants !== "answer") this.#mostCalls.set(draft, wants.calls);
    stopTurn(draft, "corrected");
    const fresh = { turn, startedAtMs: atMs, endedAtMs: undefined, added, asks: [], reply: undefined, stop: undefined };
    draft.turns.push(fresh);
  }

  /** Ends a call, and its step unless the agent may make another call. */
  callEnded(draft: StepDraft, call: number, result: Exclude<CallResult, { status: "unknown" }>, atMs: number): void {
    const answer = result.status === "ok" ? { output: result.output } : failedCall(result.error);
    draft.calls = draft.calls.map((one) => (one.call === call ? { ...one, ...answer, endedAtMs: atMs } : one));
    const most = this.#mostCalls.get(draft) ?? 1;
    const isLimit = result.status === "error" && result.error.code === "limit";
    if (most === 1 || isLimit) {
      if (result.status === "ok") end(draft, atMs, result.output);
      else this.fail(draft, atMs, result.error.message);
    } else if (call >= most) {
      this.#callsEnded(draft, "", atMs);
    } else {
      draft.status = "running";
    }
  }

  /** Ends the step: its agent, which may make several calls, declared that it is done. */
  concluded(draft: StepDraft, text: string, atMs: number): void {
    stopTurn(draft, "concluded");
    this.#callsEnded(draft, text, atMs);
  }

  #callsEnded(draft: StepDraft, text: string, atMs: number): void {
    const result = resultOfCalls(madeBy(draft), text);
    if (result.ok) end(draft, atMs, result.output);
    else this.fail(draft, atMs, result.error);
  }

  /** The calls that an agent made before its step failed stay part of the output. */
  fail(draft: StepDraft, atMs: number, message: string): void {
    stopTurn(draft, "failed");
    const several = (this.#mostCalls.get(draft) ?? 1) > 1 ? callsOf(madeBy(draft)) : [];
    end(draft, atMs, { error: message, ...(several.length > 0 && { calls: several }) }, message);
  }
}

export function end(draft: StepDraft, atMs: number, output: JsonValue | undefined, error?: string): void {
  draft.status = error === undefined ? "completed" : "failed";
  draft.endedAtMs = atMs;
  draft.authorization = undefined;
  draft.output = output;
  draft.error = error;
}

/** Sets the consequence of the latest reply: the first event that followed it. */
export function stopTurn(draft: StepDraft, stop: TurnStop): void {
  const turn = draft.turns.at(-1);
  if (turn?.stop === undefined && turn !== undefined) draft.turns[draft.turns.length - 1] = { ...turn, stop };
}

export function replied(draft: StepDraft, { attempt, result, latencyMs, retryAtMs, atMs }: Replied): void {
  const turn = draft.turns.at(-1);
  if (turn === undefined) return;
  const { modelId, reply, error } =
    result.status === "ok"
      ? { modelId: result.reply.modelId, reply: result.reply, error: undefined }
      : { modelId: result.modelId, reply: undefined, error: result.error.message };
  draft.turns[draft.turns.length - 1] = {
    ...turn,
    asks: [...turn.asks, { attempt, modelId, endedAtMs: atMs, latencyMs, error }],
    reply,
    ...(retryAtMs === undefined && { endedAtMs: atMs }),
  };
}

export function called(draft: StepDraft, { call, attempt, key, frozen, atMs }: Intent): void {
  stopTurn(draft, "called");
  draft.status = "running";
  draft.input = frozen.args;
  const open = { startedAtMs: atMs, endedAtMs: undefined };
  if (draft.calls.at(-1)?.call !== call) {
    draft.calls.push({ call, arguments: frozen.args, ...open, output: undefined, error: undefined });
  }
  const { connection, action } = frozen;
  const unknown = { outcome: undefined, message: undefined, retryAtMs: undefined, exchange: undefined };
  draft.attempts.push({ call, attempt, idempotencyKey: key, connection, action, ...open, ...unknown });
}

export function held(draft: StepDraft, { connection, connectionId, reason, atMs, untilMs }: Held): void {
  draft.authorization = { connection, connectionId, reason, sinceMs: atMs, untilMs };
}

/** Each call whose outcome is known. */
function madeBy({ calls }: StepDraft): readonly AgentCall[] {
  return calls.flatMap(({ endedAtMs, output, error, errorDetails, ...call }): AgentCall[] => {
    if (endedAtMs === undefined) return [];
    if (error === undefined) return [{ arguments: call.arguments, result: { output: output ?? null } }];
    const details = errorDetails === undefined ? {} : { errorDetails };
    return [{ arguments: call.arguments, result: { error, ...details } }];
  });
}
