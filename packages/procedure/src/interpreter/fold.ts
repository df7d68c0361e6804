import type { CompiledNode, CompiledProcedure } from "../compiled.ts";
import type { NodeResult } from "../expressions/expression.ts";
import type { Answered, Asked, Entry, Intent, Outcome, Started, StepError } from "./journal.ts";
import { cancelMessage, type Cursor, type ReadyCall, type RunState } from "./state.ts";

/** State of a run that has only just started: the fold of its first entry. */
export function initialState(procedure: CompiledProcedure, started: Started): RunState {
  return {
    facts: started.facts,
    input: started.input,
    nodes: unvisited(procedure),
    visits: { [procedure.startId]: 1 },
    cursor: arrive(nodeOf(procedure, procedure.startId, "start").to),
    approved: {},
    cancel: undefined,
    counts: { nodeVisits: 1, toolCalls: 0, recoveries: 0 },
  };
}

/**
 * What an entry makes of the state. Pure; it reads the graph, never the limits, a clock or an expression, so that every
 * journal means the same for ever.
 *
 * @throws Error when the entry cannot follow this state: the journal is not one that `next` led to.
 */
export function fold(procedure: CompiledProcedure, state: RunState, entry: Entry): RunState {
  switch (entry.type) {
    case "started":
      throw outOfPlace(entry, state);
    case "recovered":
      return {
        ...state,
        counts: { ...state.counts, recoveries: state.counts.recoveries + 1 },
        cursor: state.cursor.at === "calling" ? { ...state.cursor, lost: true } : state.cursor,
      };
    case "chose": {
      const node = nodeOf(procedure, entry.nodeId, "condition");
      const to = node.to.get(entry.branch);
      if (to === undefined) throw outOfPlace(entry, state);
      return leave(visited(state, entry.nodeId), entry.nodeId, { output: { branch: entry.branch } }, to);
    }
    case "intent":
      return foldIntent(state, entry);
    case "outcome":
      return foldOutcome(procedure, state, entry);
    case "raised":
      return failNode(procedure, visited(state, entry.nodeId), entry.nodeId, entry.error);
    case "asked":
      return foldAsked(state, entry);
    case "answered":
      return foldAnswered(procedure, state, entry);
    case "emitted":
      return { ...state, cursor: arrive(nodeOf(procedure, entry.nodeId, "tool_call").to) };
    case "cancel_requested":
      return {
        ...state,
        cancel: state.cancel ?? {
          by: entry.by,
          ...(entry.reason === undefined ? {} : { reason: entry.reason }),
        },
      };
    case "overtaken":
      return state;
    case "ended": {
      const atEnd = entry.nodeId !== undefined && procedure.nodes.get(entry.nodeId)?.kind === "end";
      const ended = atEnd ? visited(state, entry.nodeId) : state;
      return { ...ended, cursor: { at: "ended", result: entry.result } };
    }
  }
}

function foldIntent(state: RunState, entry: Intent): RunState {
  const { nodeId } = entry;
  const arrived = visited(state, nodeId);
  return {
    ...arrived,
    cursor: { at: "calling", nodeId, intent: entry, lost: false },
    counts: { ...arrived.counts, toolCalls: arrived.counts.toolCalls + 1 },
  };
}

function foldOutcome(procedure: CompiledProcedure, state: RunState, entry: Outcome): RunState {
  const intent = openIntent(state.cursor);
  if (intent === undefined || intent.nodeId !== entry.nodeId || intent.attempt !== entry.attempt) {
    throw outOfPlace(entry, state);
  }
  const { nodeId } = entry;
  if (entry.retryAtMs !== undefined) {
    const doubted = entry.result.status === "unknown" ? entry.result.reason : intent.doubted;
    return { ...state, cursor: { at: "backoff", nodeId, call: again(intent, doubted), retryAtMs: entry.retryAtMs } };
  }
  switch (entry.result.status) {
    case "ok":
      return succeed(procedure, state, nodeId, { output: entry.result.output });
    case "error":
      return failNode(procedure, state, nodeId, entry.result.error);
    case "unknown": {
      const lost = state.cursor.at === "calling" && state.cursor.lost;
      return { ...state, cursor: { at: "unknown", nodeId, intent, reason: entry.result.reason, lost } };
    }
  }
}

function foldAsked(state: RunState, entry: Asked): RunState {
  const { nodeId, review } = entry;
  if (state.cursor.at === "unknown") {
    const intent = { ...state.cursor.intent, doubted: state.cursor.reason };
    return { ...state, cursor: { at: "review", nodeId, review, intent } };
  }
  return { ...visited(state, nodeId), cursor: { at: "review", nodeId, review } };
}

function foldAnswered(procedure: CompiledProcedure, state: RunState, entry: Answered): RunState {
  const { cursor } = state;
  if (cursor.at !== "review" || cursor.review.reviewId !== entry.reviewId) throw outOfPlace(entry, state);
  const { nodeId, review, intent } = cursor;
  const { answer } = entry;
  switch (answer.status) {
    case "expired":
      return {
        ...state,
        cursor: { at: "failed", nodeId, error: `Review "${review.title}" expired without a decision.` },
      };
    case "cancelled":
      return { ...state, cursor: { at: "failed", nodeId, error: cancelMessage(state) } };
    case "settled":
      // The outcome entry that follows closes the call, so the call has to be open again.
      if (intent === undefined) throw outOfPlace(entry, state);
      return { ...state, cursor: { at: "calling", nodeId, intent, lost: false } };
    case "rejected":
      return rejectReview(procedure, state, nodeId, review.kind, answer.reason);
    case "approved":
      break;
  }
  switch (review.kind) {
    case "human_review": {
      const node = nodeOf(procedure, nodeId, "human_review");
      const left = leave(state, nodeId, { output: answer.outputs ?? { approved: true } }, node.to);
      if (review.call === undefined) return left;
      const { nodeId: covered, digest, ...frozen } = review.call;
      return { ...left, approved: { ...left.approved, [covered]: { frozen, digest, reviewId: review.reviewId } } };
    }
    case "guard": {
      if (review.call === undefined) throw outOfPlace(entry, state);
      const { nodeId: _node, digest, ...frozen } = review.call;
      return {
        ...state,
        cursor: { at: "ready", nodeId, call: { frozen, call: 1, attempt: 1, approvedDigest: digest } },
      };
    }
    case "outcome_unknown": {
      if (intent === undefined) throw outOfPlace(entry, state);
      if (answer.outputs !== undefined) return succeed(procedure, state, nodeId, { output: answer.outputs });
      return { ...state, cursor: { at: "ready", nodeId, call: again(intent, intent.doubted) } };
    }
  }
}

function rejectReview(
  procedure: CompiledProcedure,
  state: RunState,
  nodeId: string,
  kind: Asked["review"]["kind"],
  reason: string,
): RunState {
  const node = procedure.nodes.get(nodeId);
  if (kind === "guard" && node?.kind === "tool_call" && node.onRejected !== undefined) {
    return leave(state, nodeId, { output: { error: reason }, error: reason }, node.onRejected);
  }
  return { ...state, cursor: { at: "failed", nodeId, error: reason } };
}

function succeed(procedure: CompiledProcedure, state: RunState, nodeId: string, result: NodeResult): RunState {
  const node = nodeOf(procedure, nodeId, "tool_call");
  if (node.emit === undefined) return leave(state, nodeId, result, node.to);
  return { ...state, nodes: { ...state.nodes, [nodeId]: result }, cursor: { at: "emit", nodeId } };
}

/** The same call once more; what an earlier attempt may have done stays in doubt. */
function again({ frozen, call, attempt, approvedDigest }: Intent, doubted: string | undefined): ReadyCall {
  return {
    frozen,
    call,
    attempt: attempt + 1,
    ...(approvedDigest === undefined ? {} : { approvedDigest }),
    ...(doubted === undefined ? {} : { doubted }),
  };
}

/** A failed step is left by its `error` branch; without one, or at a limit of the run, the run has failed. */
function failNode(procedure: CompiledProcedure, state: RunState, nodeId: string, error: StepError): RunState {
  const node = procedure.nodes.get(nodeId);
  const mayGoOn = state.cursor.at !== "emit" && error.code !== "limit";
  const onError = node?.kind === "tool_call" && mayGoOn ? node.onError : undefined;
  if (onError === undefined) return { ...state, cursor: { at: "failed", nodeId, error: error.message } };
  return leave(state, nodeId, { output: { error: error.message }, error: error.message }, onError);
}

function leave(state: RunState, nodeId: string, result: NodeResult, to: string): RunState {
  return { ...state, nodes: { ...state.nodes, [nodeId]: result }, cursor: arrive(to) };
}

/**
 * Counts a visit when the run has only just arrived; later entries of the same visit leave the counts alone. The visit
 * uses up the approval that was waiting for it, whatever becomes of it.
 */
function visited(state: RunState, nodeId: string): RunState {
  if (state.cursor.at !== "node") return state;
  let { approved } = state;
  if (approved[nodeId] !== undefined) {
    const { [nodeId]: _used, ...others } = approved;
    approved = others;
  }
  return {
    ...state,
    approved,
    visits: { ...state.visits, [nodeId]: (state.visits[nodeId] ?? 0) + 1 },
    counts: { ...state.counts, nodeVisits: state.counts.nodeVisits + 1 },
  };
}

/** The call that an outcome may still close. */
function openIntent(cursor: Cursor): Intent | undefined {
  switch (cursor.at) {
    case "calling":
    case "unknown":
      return cursor.intent;
    default:
      return undefined;
  }
}

function arrive(nodeId: string): Cursor {
  return { at: "node", nodeId };
}

function unvisited(procedure: CompiledProcedure): RunState["nodes"] {
  const nodes: { [nodeId: string]: NodeResult } = {};
  for (const id of procedure.nodes.keys()) nodes[id] = {};
  return nodes;
}

function nodeOf<K extends CompiledNode["kind"]>(
  procedure: CompiledProcedure,
  nodeId: string,
  kind: K,
): Extract<CompiledNode, { kind: K }> {
  const node = procedure.nodes.get(nodeId);
  if (node?.kind !== kind) throw new Error(`Node "${nodeId}" is not a ${kind} of this version.`);
  return node as Extract<CompiledNode, { kind: K }>;
}

function outOfPlace(entry: Entry, state: RunState): Error {
  return new Error(`Journal entry "${entry.type}" cannot follow a run that is at "${state.cursor.at}".`);
}
