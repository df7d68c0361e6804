import type { JsonObject, JsonValue } from "@procedo/contract";
import type { CompiledProcedure, CompiledToolCall } from "../compiled.ts";
import { callsOf, type AgentCall, type FailedCall } from "./conversation.ts";
import type { StepError } from "./step-error.ts";
import type { Intent } from "./journal.ts";
import { failedCall } from "./error-details.ts";
import { failNode, nodeOf, succeed } from "./node-visit.ts";
import type { RunState } from "./state.ts";

/** The effect of a call's result on its node. Pure; a part of `fold.ts`. */

/** The result becomes the node's, unless its agent may make several calls: then the agent receives it. */
export function callSucceeded(
  procedure: CompiledProcedure,
  state: RunState,
  intent: Intent,
  output: JsonValue,
): RunState {
  const node = nodeOf(procedure, intent.nodeId, "tool_call");
  if (!makesSeveral(node)) return succeed(procedure, state, node.id, { output });
  return callEnded(procedure, state, node, { arguments: intent.frozen.args, result: { output } });
}

/** If an agent may make several calls, the agent handles a failed call, except when a limit of the run was reached. */
export function callFailed(procedure: CompiledProcedure, state: RunState, intent: Intent, error: StepError): RunState {
  const node = nodeOf(procedure, intent.nodeId, "tool_call");
  const result = failedCall(error);
  if (!makesSeveral(node) || error.code === "limit") {
    return failNode(procedure, state, node.id, error, result.errorDetails);
  }
  return callEnded(procedure, state, node, { arguments: intent.frozen.args, result });
}

function callEnded(procedure: CompiledProcedure, state: RunState, node: CompiledToolCall, call: AgentCall): RunState {
  const { agent } = state;
  if (agent === undefined) throw new Error(`A call of "${node.id}" has an outcome but no conversation.`);
  const told: RunState = { ...state, agent: { ...agent, calls: [...agent.calls, call] } };
  if (agent.calls.length + 1 >= (node.agent?.maxCalls ?? 1)) return concludeCalls(procedure, told, node.id, "");
  return { ...told, cursor: { at: "answered", nodeId: node.id } };
}

/** No further call is made: the recorded calls determine the node's result. `text`: the model's final text. */
export function concludeCalls(procedure: CompiledProcedure, state: RunState, nodeId: string, text: string): RunState {
  const result = resultOfCalls(state.agent?.calls ?? [], text);
  return result.ok
    ? succeed(procedure, state, nodeId, { output: result.output })
    : failNode(procedure, state, nodeId, { message: result.error }, result.errorDetails);
}

/**
 * The result of a node whose agent made several calls: all of them, and the final text. If every call failed, the node
 * fails with the last error, so that the successful path is not followed.
 */
export function resultOfCalls(
  calls: readonly AgentCall[],
  text: string,
): { readonly ok: true; readonly output: JsonObject } | ({ readonly ok: false } & FailedCall) {
  const last = calls.at(-1)?.result;
  const allFailed = calls.every(({ result }) => "error" in result);
  if (allFailed && last !== undefined && "error" in last) return { ok: false, ...last };
  return { ok: true, output: { calls: callsOf(calls), text } };
}

function makesSeveral({ agent }: CompiledToolCall): boolean {
  return agent !== undefined && agent.maxCalls > 1;
}
