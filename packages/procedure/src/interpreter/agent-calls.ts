import type { JsonValue } from "@procedo/contract";
import type { CompiledProcedure, CompiledToolCall } from "../compiled.ts";
import { callsOf, silentAgent, type AgentCall } from "./conversation.ts";
import type { Intent, StepError } from "./journal.ts";
import { failNode, nodeOf, succeed } from "./node-visit.ts";
import type { RunState } from "./state.ts";

/** What the result of a call makes of its node. Pure; a part of `fold.ts`. */

/** The result is the node's, unless its agent may make several: then the agent is told. */
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

/** A call of several that failed is for the agent to answer; a limit of the run is not. */
export function callFailed(procedure: CompiledProcedure, state: RunState, intent: Intent, error: StepError): RunState {
  const node = nodeOf(procedure, intent.nodeId, "tool_call");
  if (!makesSeveral(node) || error.code === "limit") return failNode(procedure, state, node.id, error);
  return callEnded(procedure, state, node, { arguments: intent.frozen.args, result: { error: error.message } });
}

function callEnded(procedure: CompiledProcedure, state: RunState, node: CompiledToolCall, call: AgentCall): RunState {
  const { agent = silentAgent } = state;
  const calls = [...agent.calls, call];
  // Behind a call that was approved before any agent was asked stands nobody who could go on.
  const isLast = state.agent === undefined || calls.length >= (node.agent?.maxCalls ?? 1);
  if (isLast) return succeed(procedure, state, node.id, { output: { calls: callsOf(calls) } });
  return { ...state, agent: { ...agent, calls }, cursor: { at: "answered", nodeId: node.id } };
}

function makesSeveral({ agent }: CompiledToolCall): boolean {
  return agent !== undefined && agent.maxCalls > 1;
}
