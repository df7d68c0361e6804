import type { CompiledProcedure } from "../compiled.ts";
import type { NodeResult } from "../expressions/expression.ts";
import { callFailed, callSucceeded } from "./agent-calls.ts";
import { isNotStarted } from "./attempts.ts";
import { foldConcluded, foldLostAsk, foldPrompted, foldReplied } from "./fold-conversation.ts";
import { foldReviewClosed, foldReviewOpened } from "./fold-review.ts";
import type { BranchTaken, Entry, Intent, Outcome, Started } from "./journal.ts";
import { arrive, failNode, leave, nodeOf, outOfPlace, visited } from "./node-visit.ts";
import { again, nextCall, type Cursor, type RunState } from "./state.ts";

/*
 * The history of a run, entry by entry. This file has the path from node to node and the attempts of a call;
 * fold-conversation.ts has the conversation with an agent, agent-calls.ts the results of its calls, fold-review.ts the
 * reviews and their answers, and node-visit.ts the beginning and end of a visit.
 */

/** State of a run that has just started: the fold of its first entry. */
export function initialState(procedure: CompiledProcedure, started: Started): RunState {
  return {
    facts: started.facts,
    trigger: started.trigger,
    input: started.input,
    nodes: unvisited(procedure),
    visits: { [procedure.startId]: 1 },
    cursor: arrive(nodeOf(procedure, procedure.startId, "start").to),
    approved: {},
    agent: undefined,
    cancel: undefined,
    held: undefined,
    counts: { nodeVisits: 1, toolCalls: 0, modelCalls: 0, tokens: 0, recoveries: 0, events: 0 },
  };
}

/**
 * The state after an entry. Pure; it reads the graph, but never the limits, a clock or an expression, so that the
 * meaning of a journal never changes.
 *
 * @throws Error if the entry cannot follow this state: `next` did not lead to this journal
 */
export function fold(procedure: CompiledProcedure, state: RunState, entry: Entry): RunState {
  switch (entry.type) {
    case "started":
      throw outOfPlace(entry, state);
    case "recovered": {
      const counted = foldLostAsk(state, entry);
      return {
        ...counted,
        counts: { ...counted.counts, recoveries: counted.counts.recoveries + 1 },
        cursor: losesCall(state.cursor) ? { ...state.cursor, lost: true } : state.cursor,
      };
    }
    case "branch_taken":
      return foldBranchTaken(procedure, state, entry);
    case "prompted":
      return foldPrompted(state, entry);
    case "replied":
      return foldReplied(procedure, state, entry);
    case "concluded":
      return foldConcluded(procedure, state, entry);
    case "intent":
      return foldIntent(state, entry);
    case "outcome":
      return foldOutcome(procedure, state, entry);
    case "node_failed":
      return failNode(procedure, visited(state, entry.nodeId), entry.nodeId, entry.error);
    case "review_opened":
      return withEvent(foldReviewOpened(state, entry));
    case "review_closed":
      return foldReviewClosed(procedure, state, entry);
    case "held":
      return { ...state, held: entry };
    case "emitted":
      return withEvent({ ...state, cursor: arrive(nodeOf(procedure, entry.nodeId, "tool_call").to) });
    case "cancel_requested":
      return {
        ...state,
        cancel: state.cancel ?? {
          by: entry.by,
          ...(entry.reason === undefined ? {} : { reason: entry.reason }),
        },
      };
    case "superseded":
      return state;
    case "ended": {
      const atEnd = entry.nodeId !== undefined && procedure.nodes.get(entry.nodeId)?.kind === "end";
      const ended = atEnd ? visited(state, entry.nodeId) : state;
      return withEvent({ ...ended, cursor: { at: "ended", result: entry.result } });
    }
  }
}

/** The state after an entry that emits an event. */
function withEvent(state: RunState): RunState {
  return { ...state, counts: { ...state.counts, events: state.counts.events + 1 } };
}

function foldBranchTaken(procedure: CompiledProcedure, state: RunState, entry: BranchTaken): RunState {
  const { nodeId, branch, reason } = entry;
  const to = nodeOf(procedure, nodeId, "condition").to.get(branch);
  if (to === undefined) throw outOfPlace(entry, state);
  const output = reason === undefined ? { branch } : { branch, reason };
  return leave(visited(state, nodeId), nodeId, { output }, to);
}

function foldIntent(state: RunState, entry: Intent): RunState {
  const { nodeId } = entry;
  if (entry.call !== nextCall(state)) throw outOfPlace(entry, state);
  const arrived = visited(state, nodeId);
  return {
    ...arrived,
    held: undefined,
    cursor: { at: "calling", nodeId, intent: entry, lost: false },
    counts: { ...arrived.counts, toolCalls: arrived.counts.toolCalls + 1 },
  };
}

function foldOutcome(procedure: CompiledProcedure, state: RunState, entry: Outcome): RunState {
  const intent = openIntent(state.cursor);
  const { nodeId, result, atMs: failedAtMs, retryAtMs } = entry;
  if (intent?.nodeId !== nodeId || intent.call !== entry.call || !settlesAttempt(entry, intent.attempt))
    throw outOfPlace(entry, state);
  if (retryAtMs !== undefined) {
    const { counts } = state;
    const uncertainReason = result.status === "unknown" ? result.reason : intent.uncertainReason;
    const { deferrals = 0 } = intent;
    const deferred = entry.deferred === true ? { deferrals: deferrals + 1 } : {};
    const call = { ...again(intent, uncertainReason), ...deferred };
    const next = { at: "backoff", nodeId, call, failedAtMs, retryAtMs, failed: intent } as const;
    if (!isNotStarted(result)) return { ...state, cursor: next };
    const { notStarted = 0, waivesKeyAge } = intent;
    const waived = waivesKeyAge === undefined ? {} : { waivesKeyAge };
    return {
      ...state,
      cursor: { ...next, call: { ...next.call, notStarted: notStarted + 1, ...waived } },
      counts: { ...counts, toolCalls: counts.toolCalls - 1 },
    };
  }
  switch (result.status) {
    case "ok":
      return callSucceeded(procedure, state, intent, result.output);
    case "error":
      return callFailed(procedure, state, intent, result.error);
    case "unknown": {
      const lost = state.cursor.at === "calling" && state.cursor.lost;
      const { reason, answered } = result;
      const doubt = { intent, reason, atMs: entry.atMs, lost, ...(answered !== undefined && { answered }) };
      return { ...state, cursor: { at: "unknown", nodeId, ...doubt } };
    }
  }
}

/** Whether a call is lost together with the owner that made it. */
function losesCall(cursor: Cursor): cursor is Extract<Cursor, { at: "calling" }> {
  return cursor.at === "calling" && cursor.intent.frozen.dispatched !== true;
}

/** Whether an outcome settles the latest attempt. The late success of an earlier attempt settles the whole call. */
function settlesAttempt({ attempt, late, result }: Outcome, latest: number): boolean {
  return attempt === latest || (late === true && attempt < latest && result.status === "ok");
}

/** The call that an outcome may still close. A late answer may also close one that waits for its repetition. */
function openIntent(cursor: Cursor): Intent | undefined {
  switch (cursor.at) {
    case "backoff":
      return cursor.failed;
    case "calling":
    case "unknown":
      return cursor.intent;
    default:
      return undefined;
  }
}

function unvisited(procedure: CompiledProcedure): RunState["nodes"] {
  const nodes: { [nodeId: string]: NodeResult } = {};
  for (const id of procedure.nodes.keys()) nodes[id] = {};
  return nodes;
}
