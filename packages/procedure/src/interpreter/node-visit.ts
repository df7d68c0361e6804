import type { CompiledNode, CompiledProcedure } from "../compiled.ts";
import type { ErrorDetails, NodeResult } from "../expressions/expression.ts";
import { callsOf, type AgentState } from "./conversation.ts";
import type { StepError } from "./step-error.ts";
import type { Entry } from "./journal.ts";
import type { Cursor, RunState } from "./state.ts";

/** The beginning and end of a node's visit. Pure; a part of `fold.ts`. */

export function arrive(nodeId: string): Cursor {
  return { at: "node", nodeId };
}

/**
 * Counts a visit if the run has just arrived; later entries of the same visit do not change the counts. The visit
 * consumes the approval that was waiting for it, regardless of its result.
 */
export function visited(state: RunState, nodeId: string): RunState {
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

export function leave(state: RunState, nodeId: string, result: NodeResult, to: string): RunState {
  return { ...state, nodes: { ...state.nodes, [nodeId]: result }, agent: undefined, cursor: arrive(to) };
}

/** A tool call is done. Its event comes next, if it has one. */
export function succeed(procedure: CompiledProcedure, state: RunState, nodeId: string, result: NodeResult): RunState {
  const node = nodeOf(procedure, nodeId, "tool_call");
  if (node.emit === undefined) return leave(state, nodeId, result, node.to);
  return { ...state, nodes: { ...state.nodes, [nodeId]: result }, agent: undefined, cursor: { at: "emit", nodeId } };
}

/** The run leaves a failed step by its `error` branch. Without one, or at a limit of the run, the run fails. */
export function failNode(
  procedure: CompiledProcedure,
  state: RunState,
  nodeId: string,
  error: StepError,
  details?: ErrorDetails,
): RunState {
  const node = procedure.nodes.get(nodeId);
  const mayGoOn = state.cursor.at !== "emit" && error.code !== "limit";
  const onError = node?.kind === "tool_call" && mayGoOn ? node.onError : undefined;
  if (onError === undefined) return { ...state, cursor: { at: "failed", nodeId, error: error.message } };
  return leave(state, nodeId, failure(state.agent, error.message, details), onError);
}

/**
 * The result of a failed or rejected step. It includes earlier calls of its agent, because those were made.
 *
 * @param details of the refused call, if there was one
 */
export function failure(agent: AgentState | undefined, message: string, details?: ErrorDetails): NodeResult {
  const made = agent === undefined || agent.calls.length === 0 ? {} : { calls: callsOf(agent.calls) };
  const errorDetails = details === undefined ? {} : { errorDetails: details };
  return { output: { error: message, ...made }, error: message, ...errorDetails };
}

export function nodeOf<K extends CompiledNode["kind"]>(
  procedure: CompiledProcedure,
  nodeId: string,
  kind: K,
): Extract<CompiledNode, { kind: K }> {
  const node = procedure.nodes.get(nodeId);
  if (node?.kind !== kind) throw new Error(`Node "${nodeId}" is not a ${kind} of this version.`);
  return node as Extract<CompiledNode, { kind: K }>;
}

export function outOfPlace(entry: Entry, state: RunState): Error {
  return new Error(`Journal entry "${entry.type}" cannot follow a run that is at "${state.cursor.at}".`);
}
