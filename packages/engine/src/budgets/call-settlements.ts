import type { CompiledProcedure, Cursor, Entry, Intent, RunState } from "@procedo/procedure";
import type { BudgetSettlement } from "@procedo/storage";
import { callKey } from "../journal/effect-keys.ts";
import { isBounded } from "./call-bounds.ts";

/**
 * Under which key a call's place in its budgets is reserved: the same for every attempt and every owner. What an agent
 * proposes in another turn is another call, whatever became of the one before.
 */
export function reservationKey(call: Pick<Intent, "key">, { agent }: Pick<RunState, "agent">): string {
  return agent === undefined ? `call:${call.key}` : `call:${call.key}:${agent.turns.length}`;
}

/**
 * The reservation that an entry gives back: of a call that surely was not made. What was done keeps its place, and so does
 * what nobody knows.
 *
 * It follows from the run's state alone, so that whoever owns the run by now gives back what an earlier owner reserved
 * without getting to its intent: a reservation is made where everything before it is durable, so that it belongs to the
 * place at which the journal stands, and is given back by whatever leaves that place without making the call. `before`: the
 * state that the entry is folded into.
 */
export function settledBy(procedure: CompiledProcedure, before: RunState, entry: Entry): BudgetSettlement | undefined {
  switch (entry.type) {
    case "outcome": {
      if (entry.result.status !== "error" || entry.retryAtMs !== undefined) return undefined;
      const intent = openIntent(before.cursor);
      return intent?.reserved === undefined ? undefined : nothingOf(reservationKey(intent, before));
    }
    case "review_closed":
      return entry.answer.status === "approved" ? undefined : givenUp(procedure, before);
    case "node_failed":
    case "ended":
      return givenUp(procedure, before);
    case "prompted":
      // The agent is told what was wrong with its reply; what it proposes next is another call.
      return before.cursor.at === "replied" ? givenUp(procedure, before) : undefined;
    default:
      return undefined;
  }
}

/** The call that an outcome closes; of one that waits to be repeated, a late answer of the attempt before. */
function openIntent(cursor: Cursor): Intent | undefined {
  switch (cursor.at) {
    case "calling":
    case "unknown":
      return cursor.intent;
    case "backoff":
      return cursor.failed;
    default:
      return undefined;
  }
}

/** What was or may have been reserved where the run stands, and is not going to be used. */
function givenUp(procedure: CompiledProcedure, state: RunState): BudgetSettlement | undefined {
  const { cursor, visits, facts, agent } = state;
  if (cursor.at === "ended") return undefined;
  const { nodeId } = cursor;
  const node = procedure.nodes.get(nodeId);
  if (node?.kind !== "tool_call") return undefined;
  const visit = visits[nodeId] ?? 0;
  const nothingOfCall = (number: number, ofVisit = visit): BudgetSettlement =>
    nothingOf(reservationKey({ key: callKey(facts.runId, nodeId, ofVisit, number) }, state));
  switch (cursor.at) {
    case "node":
      // An agent has said nothing yet.
      if (node.agent !== undefined) return undefined;
      return isBounded(procedure, node) ? nothingOfCall(1, visit + 1) : undefined;
    case "replied":
      return isBounded(procedure, node) ? nothingOfCall((agent?.calls.length ?? 0) + 1) : undefined;
    case "review":
      // A call that is asked about may have been made.
      if (cursor.intent !== undefined) return undefined;
      return isBounded(procedure, node) ? nothingOfCall((agent?.calls.length ?? 0) + 1) : undefined;
    case "ready":
    case "backoff": {
      const { call, attempt, reserved, uncertainReason } = cursor.call;
      if (uncertainReason !== undefined || (attempt > 1 && reserved === undefined)) return undefined;
      return isBounded(procedure, node) ? nothingOfCall(call) : undefined;
    }
    default:
      return undefined;
  }
}

function nothingOf(key: string): BudgetSettlement {
  return { key, spent: "nothing" };
}
