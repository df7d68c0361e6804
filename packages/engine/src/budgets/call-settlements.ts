import type { CompiledProcedure, Cursor, Entry, Intent, RunState } from "@procedo/procedure";
import type { BudgetSettlement } from "@procedo/storage";
import { callKey } from "../journal/effect-keys.ts";
import { isBounded } from "./call-bounds.ts";

/**
 * The key under which a call's amounts are reserved: the same for every attempt and every owner. A call that an agent
 * proposes in another turn is a different call.
 */
export function reservationKey(call: Pick<Intent, "key">, { agent }: Pick<RunState, "agent">): string {
  return agent === undefined ? `call:${call.key}` : `call:${call.key}:${agent.turns.length}`;
}

/**
 * The reservation that an entry releases: that of a call that certainly was not made. A call that was made, or whose
 * outcome is unknown, keeps its reservation.
 *
 * The result follows from the run's state alone, so that the current owner also releases the reservation of an earlier
 * owner who did not reach the intent. A reservation is made once all earlier entries are durable, so it belongs to the
 * current end of the journal. An entry that leaves this position without the call releases the reservation. `before`:
 * the state before the entry.
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
      // The agent was asked to correct its reply. The call that it proposes next is a different one.
      return before.cursor.at === "replied" ? givenUp(procedure, before) : undefined;
    default:
      return undefined;
  }
}

/**
 * The call that an outcome closes. For a call that waits for its next attempt, the outcome is a late answer to the
 * failed one.
 */
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

/** The reservation that was or may have been made at the run's current position and will not be used. */
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
      // The agent has not replied yet.
      if (node.agent !== undefined) return undefined;
      return isBounded(procedure, node) ? nothingOfCall(1, visit + 1) : undefined;
    case "replied":
      return isBounded(procedure, node) ? nothingOfCall((agent?.calls.length ?? 0) + 1) : undefined;
    case "review":
      // A call under review for its unknown outcome may have been made.
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
