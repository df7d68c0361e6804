import type { CompiledProcedure } from "../compiled.ts";
import { concludeCalls } from "./agent-calls.ts";
import { silentAgent, tokensOf, type Concluded, type Prompted, type Replied } from "./conversation.ts";
import type { Recovered } from "./journal.ts";
import { failNode, outOfPlace, visited } from "./node-visit.ts";
import type { RunState } from "./state.ts";

/** The effect of an agent's conversation on the state. Pure; a part of `fold.ts`. */

/** The first prompt of a visit, the result of a call, or feedback on a faulty reply. */
export function foldPrompted(state: RunState, entry: Prompted): RunState {
  const { nodeId, turn, added } = entry;
  const { cursor } = state;
  const begins = cursor.at === "node";
  const continues = cursor.at === "replied" || cursor.at === "answered";
  const agent = begins ? silentAgent : state.agent;
  const isNext = (begins || continues) && cursor.nodeId === nodeId && turn === (agent?.turns.length ?? 0) + 1;
  if (agent === undefined || !isNext) throw outOfPlace(entry, state);
  return {
    ...visited(state, nodeId),
    agent: { ...agent, turns: [...agent.turns, { added, reply: undefined }] },
    cursor: { at: "asking", nodeId, turn, attempt: 1 },
  };
}

export function foldReplied(procedure: CompiledProcedure, state: RunState, entry: Replied): RunState {
  const { cursor, agent, counts } = state;
  const turn = agent?.turns.at(-1);
  const isAsked = cursor.at === "asking" || cursor.at === "model_backoff";
  if (!isAsked || agent === undefined || turn === undefined) throw outOfPlace(entry, state);
  const { nodeId, result, attempt, atMs: failedAtMs, retryAtMs } = entry;
  const isDue = cursor.nodeId === nodeId && cursor.turn === entry.turn && cursor.attempt === attempt;
  if (!isDue) throw outOfPlace(entry, state);
  const heard = { ...agent, modelCalls: agent.modelCalls + 1 };
  const counted = { ...counts, modelCalls: counts.modelCalls + 1 };
  if (result.status === "error") {
    const asked: RunState = { ...state, agent: heard, counts: counted };
    if (retryAtMs === undefined) return failNode(procedure, asked, nodeId, result.error);
    const again = { nodeId, turn: cursor.turn, attempt: attempt + 1, failedAtMs, retryAtMs };
    return { ...asked, cursor: { at: "model_backoff", ...again } };
  }
  const { reply } = result;
  return {
    ...state,
    agent: { ...heard, turns: [...agent.turns.slice(0, -1), { ...turn, reply }] },
    counts: { ...counted, tokens: counts.tokens + tokensOf(reply.usage) },
    cursor: { at: "replied", nodeId },
  };
}

/**
 * A lost worker may have asked the model at this point. Whether it did is unknown, and the provider bills each request.
 * The attempt counts as one, so that a request that repeatedly kills its worker reaches the run's limit.
 */
export function foldLostAsk(state: RunState, { atMs }: Recovered): RunState {
  const { cursor, agent, counts } = state;
  const mayHaveAsked = cursor.at === "asking" || (cursor.at === "model_backoff" && cursor.retryAtMs <= atMs);
  if (!mayHaveAsked || agent === undefined) return state;
  return {
    ...state,
    agent: { ...agent, modelCalls: agent.modelCalls + 1 },
    counts: { ...counts, modelCalls: counts.modelCalls + 1 },
  };
}

/** The agent has made its calls and needs no other. */
export function foldConcluded(procedure: CompiledProcedure, state: RunState, entry: Concluded): RunState {
  const { cursor, agent } = state;
  if (cursor.at !== "replied" || cursor.nodeId !== entry.nodeId || agent === undefined) throw outOfPlace(entry, state);
  return concludeCalls(procedure, state, entry.nodeId, entry.text);
}
