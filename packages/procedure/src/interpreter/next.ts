import type { CompiledProcedure, CompiledToolCall } from "../compiled.ts";
import { declineTool } from "./conversation.ts";
import type { RunLimits } from "./limits.ts";
import { cancelMessage, uncertainIntent, type Cursor, type RunState } from "./state.ts";
import type { AgentNode, Step } from "./step.ts";

/** The next step of a run. Pure: the same version, state and limits give the same step. */
export function next(procedure: CompiledProcedure, state: RunState, limits: RunLimits): Step {
  const { cursor } = state;
  if (cursor.at === "ended") return { do: "done", result: cursor.result };
  // A recorded failure is final. A cancellation waits for open calls, so that it never hides the effect of a call.
  if (cursor.at === "failed") return fail(cursor.error, cursor.nodeId);
  // The worker that made the call may still receive its answer and record it.
  const answerUntilMs = cursor.at === "unknown" ? mayStillAnswerUntilMs(cursor) : undefined;
  if (answerUntilMs !== undefined) return { do: "wait", untilMs: answerUntilMs, review: undefined };
  if (state.cancel !== undefined && cursor.at !== "calling") return fail(cancelMessage(state), cursor.nodeId);

  switch (cursor.at) {
    case "node":
      return atNode(procedure, state, cursor.nodeId, limits);
    case "asking":
      return askModel(procedure, state, cursor, limits);
    case "model_backoff":
      return { do: "wait", untilMs: cursor.retryAtMs, review: undefined };
    case "replied":
      return judge(procedure, state, cursor.nodeId, limits);
    case "answered": {
      const node = agentNode(procedure, cursor.nodeId);
      return { do: "prompt", node, visit: visitOf(state, node.id), agent: state.agent };
    }
    case "ready":
      return intend(procedure, state, cursor, limits);
    case "calling": {
      const node = toolCall(procedure, cursor.nodeId);
      const { intent } = cursor;
      if (intent.frozen.dispatched === true)
        return { do: "await", node, intent, cancelled: state.cancel !== undefined };
      return cursor.lost ? { do: "reconsider", node, intent } : { do: "call", node, intent };
    }
    case "backoff":
      return { do: "wait", untilMs: cursor.retryAtMs, review: undefined };
    case "unknown":
      return afterUnknown(procedure, cursor);
    case "review":
      return { do: "wait", untilMs: cursor.review.rules.expiresAtMs, review: cursor.review };
    case "emit":
      return { do: "emit", node: toolCall(procedure, cursor.nodeId), visit: visitOf(state, cursor.nodeId) };
  }
}

/** The step after a wait without a review, once its time has come. */
export function resume(procedure: CompiledProcedure, state: RunState, limits: RunLimits): Step {
  const { cursor } = state;
  if (state.cancel !== undefined && cursor.at === "unknown") return fail(cancelMessage(state), cursor.nodeId);
  if (state.cancel !== undefined) return next(procedure, state, limits);
  if (cursor.at === "model_backoff") return askModel(procedure, state, cursor, limits);
  if (cursor.at === "unknown") return afterUnknown(procedure, cursor, mayStillAnswerUntilMs(cursor));
  if (cursor.at !== "backoff") return next(procedure, state, limits);
  return intend(procedure, state, cursor, limits);
}

/**
 * The step that replaces the repetition of a call in backoff whose idempotency key has become too old meanwhile. A late
 * answer may already have used the key of the failed attempt's outcome.
 */
export function insteadOfRepeating(
  procedure: CompiledProcedure,
  cursor: Extract<Cursor, { at: "backoff" }>,
  reason: string,
): Extract<Step, { do: "ask_outcome" | "end" }> {
  const { nodeId } = cursor;
  return afterUnknown(procedure, {
    nodeId,
    intent: uncertainIntent(cursor),
    reason,
    answered: true,
  });
}

function askModel(
  procedure: CompiledProcedure,
  state: RunState,
  { nodeId, turn, attempt }: Extract<Cursor, { at: "asking" | "model_backoff" }>,
  limits: RunLimits,
): Step {
  const { agent } = state;
  const node = agentNode(procedure, nodeId);
  if (agent === undefined) throw new Error(`Node "${nodeId}" has a prompt but no conversation.`);
  const limit = modelLimit(procedure, state, limits, nodeId);
  return limit ?? { do: "ask_model", node, visit: visitOf(state, nodeId), turn, attempt, agent };
}

function judge(procedure: CompiledProcedure, state: RunState, nodeId: string, limits: RunLimits): Step {
  const { agent } = state;
  const node = agentNode(procedure, nodeId);
  if (agent === undefined) throw new Error(`Node "${nodeId}" has a reply but no conversation.`);
  // An agent may still conclude or decline, but it cannot make another call.
  const parts = agent.turns.at(-1)?.reply?.content ?? [];
  const proposes =
    node.kind === "tool_call" &&
    parts.some((part) => part.type === "tool_call" && part.toolName !== declineTool(node.action));
  const limit = proposes ? callLimit(procedure, state, limits, nodeId) : undefined;
  return limit ?? { do: "judge", node, visit: visitOf(state, nodeId), agent };
}

/** A limit never ends a call that may have done its work, because that would hide the uncertainty. */
function intend(
  procedure: CompiledProcedure,
  state: RunState,
  { nodeId, call }: Extract<Cursor, { at: "ready" | "backoff" }>,
  limits: RunLimits,
): Step {
  const node = toolCall(procedure, nodeId);
  const limit = call.uncertainReason === undefined ? callLimit(procedure, state, limits, nodeId) : undefined;
  return limit ?? { do: "intend", node, visit: visitOf(state, nodeId), call };
}

function atNode(procedure: CompiledProcedure, state: RunState, nodeId: string, limits: RunLimits): Step {
  const node = procedure.nodes.get(nodeId);
  if (node === undefined) throw new Error(`Node "${nodeId}" is not part of this version.`);
  if (state.counts.nodeVisits >= limits.nodeVisits) {
    return fail(`The run reached its limit of ${limits.nodeVisits} node visits.`, nodeId);
  }
  const visit = visitOf(state, nodeId) + 1;
  switch (node.kind) {
    case "start":
      throw new Error(`An edge leads into the start node "${nodeId}".`);
    case "end":
      return { do: "finish", node };
    case "condition":
      if (node.question !== undefined) return { do: "prompt", node, visit, agent: undefined };
      return { do: "choose", node, visit };
    case "human_review":
      return {
        do: "ask",
        node,
        visit,
        covered: node.covers === undefined ? undefined : toolCall(procedure, node.covers),
      };
    case "tool_call":
      return callLimit(procedure, state, limits, nodeId) ?? beginCall(state, node, visit);
  }
}

/** An approved call is sent as it was shown. For an agent's node nothing was shown: its agent proposes only now. */
function beginCall({ approved }: RunState, node: CompiledToolCall, visit: number): Step {
  if (node.agent !== undefined) return { do: "prompt", node, visit, agent: undefined };
  return { do: "propose", node, visit, approved: approved[node.id] };
}

type Unknown = Extract<Cursor, { at: "unknown" }>;

/**
 * The latest time at which the answer to a call that was lost with its worker can arrive; `undefined` if none will. A
 * worker that received the answer during a storage outage needs some time to record it afterwards, and its successor
 * may see storage first: the allowance is twice the time that the call had for sending.
 */
function mayStillAnswerUntilMs({ intent, lost, answered, atMs }: Unknown): number | undefined {
  if (!lost || answered === true) return undefined;
  const { sendByMs, timeoutMs } = intent;
  const windowMs = sendByMs - intent.atMs;
  // The intent precedes the later entry, even if a clock was set back in between.
  return Math.max(Math.min(sendByMs, atMs + windowMs) + timeoutMs, atMs + 2 * windowMs);
}

function afterUnknown(
  procedure: CompiledProcedure,
  cursor: Pick<Unknown, "nodeId" | "intent" | "reason" | "answered">,
  notBeforeMs?: number,
): Extract<Step, { do: "ask_outcome" | "end" }> {
  const node = toolCall(procedure, cursor.nodeId);
  const { intent, reason, answered = false } = cursor;
  switch (node.onUnknownOutcome) {
    // All permitted attempts were made; after the last one, a person has to decide.
    case "retry":
    case "review":
    case undefined:
      return {
        do: "ask_outcome",
        node,
        intent,
        reason,
        answered,
        notBeforeMs,
      };
    case "fail":
      return fail(`It is not known whether "${node.id}" did its work: ${reason}`, node.id);
  }
}

/* The limits of the engine and, within them, those of the procedure. */

function callLimit(
  { document }: CompiledProcedure,
  { counts }: RunState,
  limits: RunLimits,
  nodeId: string,
): Step | undefined {
  const { toolCalls = Infinity } = document.budgets?.run ?? {};
  const mostCalls = Math.min(limits.toolCalls, toolCalls);
  if (counts.toolCalls < mostCalls) return undefined;
  return fail(`The run reached its limit of ${mostCalls} tool calls.`, nodeId);
}

function modelLimit(
  { document }: CompiledProcedure,
  { counts }: RunState,
  limits: RunLimits,
  nodeId: string,
): Step | undefined {
  const { modelCalls = Infinity, tokens = Infinity } = document.budgets?.run ?? {};
  const mostCalls = Math.min(limits.modelCalls, modelCalls);
  const mostTokens = Math.min(limits.tokens, tokens);
  if (counts.modelCalls >= mostCalls) return fail(`The run reached its limit of ${mostCalls} model calls.`, nodeId);
  if (counts.tokens >= mostTokens) return fail(`The run reached its limit of ${mostTokens} tokens.`, nodeId);
  return undefined;
}

function fail(error: string, nodeId: string): Extract<Step, { do: "end" }> {
  return { do: "end", result: { status: "failed", error }, nodeId };
}

function visitOf(state: RunState, nodeId: string): number {
  return state.visits[nodeId] ?? 0;
}

function toolCall(procedure: CompiledProcedure, nodeId: string) {
  const node = procedure.nodes.get(nodeId);
  if (node?.kind !== "tool_call") throw new Error(`Node "${nodeId}" is not a tool call of this version.`);
  return node;
}

function agentNode(procedure: CompiledProcedure, nodeId: string): AgentNode {
  const node = procedure.nodes.get(nodeId);
  if (node?.kind === "tool_call" && node.agent !== undefined) return node;
  if (node?.kind === "condition" && node.question !== undefined) return node;
  throw new Error(`Node "${nodeId}" has no agent in this version.`);
}
