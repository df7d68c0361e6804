import type { Environment, JsonObject, JsonValue } from "@procedo/contract";
import type { Entry, OpenReview, PromptMessage, ReplyPart, ReviewAnswer, RunState } from "@procedo/procedure";
import { eventOf } from "../runs/event-of.ts";
import type { ActionEffect } from "../integrations/integration.ts";

/** One attempt of a call of a run. */
export interface TestCall {
  /** Id of the tool_call. */
  readonly nodeId: string;
  /** Number of the node's visit, from 1. */
  readonly visit: number;
  /** Number of the call within the visit, from 1. */
  readonly call: number;
  /** From 1. */
  readonly attempt: number;
  /** Name of the connection. */
  readonly connection: string;
  /** Name of the action. */
  readonly action: string;
  /** The effect of a repeated call: `read`, `idempotent` or `once`. */
  readonly effect: ActionEffect;
  /** The arguments, exactly as sent. */
  readonly arguments: JsonObject;
  /** The same for every attempt of a call. */
  readonly idempotencyKey: string;
  /** `undefined` while it is under way. */
  readonly outcome: "ok" | "error" | "unknown" | undefined;
  /** The result of a successful attempt. */
  readonly output: JsonValue | undefined;
  /** Why it failed, or why its outcome is unknown. */
  readonly error: string | undefined;
}

/** A call that may have had an external effect. */
export type TestEffect = Pick<TestCall, "connection" | "action" | "arguments">;

/** An event as in its webhook's `data`, without the facts of the run. */
export type TestEvent = {
  /** Name of the event, such as `run_completed` or `custom.payment_sent`. */
  readonly event: string;
} & JsonObject;

/** One request to a model. */
export interface TestTurn {
  /** Id of the node that asks the model. */
  readonly nodeId: string;
  /** Number of the node's visit, from 1. */
  readonly visit: number;
  /** From 1, within the visit. */
  readonly turn: number;
  /** From 1; higher after a failed request. */
  readonly attempt: number;
  /** The messages that were added in this turn. */
  readonly prompt: readonly PromptMessage[];
  /** The model's answer; `undefined` when the request failed. */
  readonly reply: readonly ReplyPart[] | undefined;
  /** Why the model stopped, such as `stop` or `tool-calls`; `undefined` when the request failed. */
  readonly finishReason: string | undefined;
  /** Why the request failed. */
  readonly error: string | undefined;
}

/** A review and its answer. */
export type TestReview = Pick<OpenReview, "reviewId" | "kind" | "title" | "data" | "call" | "digest" | "rules"> & {
  /** Id of the node that opened the review. */
  readonly nodeId: string;
  /** `undefined` while it is open. */
  readonly answer: ReviewAnswer | undefined;
};

export function callsIn(entries: readonly Entry[]): readonly TestCall[] {
  const calls: TestCall[] = [];
  for (const entry of entries) {
    if (entry.type === "intent") {
      const { nodeId, visit, call, attempt, key, frozen } = entry;
      const { connection, action, effect, args } = frozen;
      const named = { nodeId, visit, call, attempt, connection, action, effect, arguments: args, idempotencyKey: key };
      calls.push({ ...named, outcome: undefined, output: undefined, error: undefined });
    }
    if (entry.type !== "outcome") continue;
    const { result } = entry;
    const at = calls.findLastIndex(
      (one) =>
        one.nodeId === entry.nodeId &&
        one.visit === entry.visit &&
        one.call === entry.call &&
        one.attempt === entry.attempt,
    );
    const made = calls[at];
    if (made === undefined) continue;
    const error = result.status === "ok" ? undefined : result.status === "error" ? result.error.message : result.reason;
    const output = result.status === "ok" ? result.output : undefined;
    calls[at] = { ...made, outcome: result.status, output, error };
  }
  return calls;
}

/**
 * Each call once, also after several attempts. Reads are omitted, and so are calls that certainly had no effect.
 */
export function effectsIn(calls: readonly TestCall[]): readonly TestEffect[] {
  const acted = calls.filter(({ effect, outcome }) => effect !== "read" && outcome !== "error");
  const first = acted.filter((call, at) => acted.findIndex((one) => one.idempotencyKey === call.idempotencyKey) === at);
  return first.map(({ connection, action, arguments: args }) => ({ connection, action, arguments: args }));
}

/** The list of events shows their order, so that sequence numbers are not needed. */
const uncounted = { nodeVisits: 0, toolCalls: 0, modelCalls: 0, tokens: 0, recoveries: 0, events: 0 };

export function eventsIn(facts: RunState["facts"], entries: readonly Entry[]): readonly TestEvent[] {
  return entries.flatMap((entry) => {
    const event = eventOf({ facts, counts: uncounted }, entry, 0, 0);
    if (event === undefined) return [];
    const {
      runId: _runId,
      procedureId: _procedureId,
      environment: _environment,
      sequence: _sequence,
      ...shown
    } = JSON.parse(event.data) as JsonObject & { readonly environment: Environment };
    return [{ event: event.event, ...shown }];
  });
}

export function turnsIn(entries: readonly Entry[]): readonly TestTurn[] {
  let prompt: readonly PromptMessage[] = [];
  const turns: TestTurn[] = [];
  for (const entry of entries) {
    if (entry.type === "prompted") prompt = entry.added;
    if (entry.type !== "replied") continue;
    const { nodeId, visit, turn, attempt, result } = entry;
    const answer =
      result.status === "ok"
        ? { reply: result.reply.content, finishReason: result.reply.finishReason, error: undefined }
        : { reply: undefined, finishReason: undefined, error: result.error.message };
    turns.push({ nodeId, visit, turn, attempt, prompt, ...answer });
  }
  return turns;
}

export function reviewsIn(entries: readonly Entry[]): readonly TestReview[] {
  const answers = new Map(
    entries.flatMap((entry) => (entry.type === "review_closed" ? [[entry.reviewId, entry.answer] as const] : [])),
  );
  return entries.flatMap((entry) => {
    if (entry.type !== "review_opened") return [];
    const { effectKey: _key, waivesLimits: _waives, proposed: _proposed, ...review } = entry.review;
    return [{ ...review, nodeId: entry.nodeId, answer: answers.get(review.reviewId) }];
  });
}
