/*
 * A call of an action, from its proposal to its outcome.
 *
 *   propose-call.ts      the rules of a node before its call: guards, reviews, limits; then the intent
 *   find-action.ts       the connection and action that a call names
 *   freeze-call.ts       the arguments, rendered (render.ts) and checked; the approved call
 *   ask-about-call.ts    reviews about a call; ask-people.ts: the review of a Human Review node
 *   call-account.ts      the account that a call is bound to
 *   approved-operation.ts  the HTTP operation of an approved call, for reviewers
 *   call-limiter.ts      the wait for a place within the limits of the service
 *   make-call.ts         one attempt; call-in-progress.ts: its state and the action's context
 *   record-exchange.ts   the request and response as recorded; log-exception.ts: an exception of an action, in the log
 *   failure.ts           a failure and its effect; call-health.ts reports it to the connection
 *   settle-attempt.ts    the consequence of a failed attempt: a repetition (retries-unknown.ts, retry-delay.ts,
 *                        key-age.ts), a failure or a question to people; account-may-differ.ts: why a repetition is
 *                        not made
 *   node-failed.ts       the entry for a node that failed without a call
 */
import {
  repeatableUntilMs,
  type CompiledProcedure,
  type CompiledToolCall,
  type Entry,
  type FrozenCall,
  type Intent,
  type ReadyCall,
  type RunState,
} from "@procedo/procedure";
import type { Scope } from "@procedo/storage";
import { boundsOf, isBounded, type CallBound } from "../budgets/call-bounds.ts";
import { reservationKey } from "../budgets/call-settlements.ts";
import { reserveCall, type BudgetPorts, type CallReservation, type CallToReserve } from "../budgets/reserve-call.ts";
import type { Action } from "../integrations/integration.ts";
import { callKey } from "../journal/effect-keys.ts";
import type { Ids } from "../ports/ids.ts";
import type { AgentFacts } from "../reviews/open-review.ts";
import { askByGuards, askByLimits, askForFunction } from "./ask-about-call.ts";
import { nodeFailed } from "./node-failed.ts";
import { scopeOf } from "./render.ts";

export interface ProposePorts {
  readonly ids: Ids;
  /** How long after its intent a call may still be sent, in milliseconds. */
  readonly sendWindowMs: number;
}

/** The run that the call belongs to. */
export interface ProposingRun {
  readonly procedure: CompiledProcedure;
  readonly state: RunState;
  readonly writer: { readonly head: { readonly scope: Scope } };
}

/** A call that fits the schema of its action. The rules of its node are still to be checked. */
export interface ProposedCall {
  readonly node: CompiledToolCall;
  readonly visit: number;
  /** Number of the call within the visit, from 1. */
  readonly call: number;
  readonly frozen: FrozenCall;
  readonly action: Action;
  /** Digest of the call that was approved before it was proposed; `undefined` without an approval. */
  readonly approvedDigest: string | undefined;
  readonly atMs: number;
  /** Shown to reviewers of an agent's call. */
  readonly agent?: AgentFacts | undefined;
}

/** A call whose entry depends on a reservation of its amounts. */
export interface NeedsReservation {
  readonly reserve: CallToReserve;
  readonly entryAfter: (reservation: CallReservation) => Entry;
}

/**
 * Applies the rules of its node to a call: guards, the approval that its function requires, and sum limits. Writes
 * and sends nothing.
 *
 * @returns the call's `intent`, at once or after a reservation; `review_opened` if a person has to decide;
 *   `node_failed` if the call may not be made
 */
export function proposeCall(ports: ProposePorts, run: ProposingRun, proposed: ProposedCall): Entry | NeedsReservation {
  const { node, visit, frozen, action, approvedDigest, atMs, agent } = proposed;
  const { state } = run;
  const { startedBy } = state.facts;
  const held = { node, visit, call: frozen, startedBy, atMs, agent };
  if (node.guards.length > 0) {
    const scope = { ...scopeOf(state), args: frozen.args };
    // All guards are evaluated before a person is asked: the approval of one must not skip another.
    const forPeople: string[] = [];
    for (const { check, otherwise } of node.guards) {
      const result = check.evaluate(scope);
      const name = `Guard "${check.source}" of "${node.id}"`;
      if (!result.ok) return nodeFailed(node, visit, atMs, { ...result, message: `${name}: ${result.message}` });
      if (result.value === true) continue;
      if (otherwise === "fail") return nodeFailed(node, visit, atMs, { message: `${name} does not hold.` });
      forPeople.push(check.source);
    }
    if (forPeople.length > 0) return askByGuards(ports, held, forPeople);
  }
  // An approved call needs no second approval. Nothing is reserved while a review is open.
  if (action.dispatch?.requiresReview === true && approvedDigest === undefined) {
    return askForFunction(ports, held);
  }
  const ready = {
    frozen,
    call: proposed.call,
    attempt: 1,
    ...(approvedDigest === undefined ? {} : { approvedDigest }),
  };
  return intendCall(ports, run, { node, visit, ready, action, atMs, agent });
}

/**
 * Reserves the amounts of a prepared entry, if any. All earlier entries must be durable: a reservation belongs to the
 * current end of the journal (`call-settlements.ts`).
 *
 * @returns the entry
 * @throws ProcedoError `storage_unavailable`, after which the step may be prepared and reserved again
 */
export async function reserveFor(ports: BudgetPorts, prepared: Entry | NeedsReservation): Promise<Entry> {
  return "reserve" in prepared ? prepared.entryAfter(await reserveCall(ports, prepared.reserve)) : prepared;
}

/** A call that only the sum limits of its node can still prevent. */
export interface IntendedCall {
  readonly node: CompiledToolCall;
  readonly visit: number;
  readonly ready: ReadyCall;
  /** `undefined` when the connection no longer has the action; the attempt then fails. */
  readonly action: Action | undefined;
  readonly atMs: number;
  readonly agent?: AgentFacts | undefined;
}

/** Applies the sum limits to a call that has passed the other rules of its node, or to its next attempt. */
export function intendCall(ports: ProposePorts, run: ProposingRun, intended: IntendedCall): Entry | NeedsReservation {
  const { node, visit, ready, atMs } = intended;
  const { procedure, state } = run;
  // Later attempts are the same call and use the reservation of the first.
  if (ready.attempt > 1 || !isBounded(procedure, node)) return intentOf(ports, state, intended, ready);
  const scope = { ...scopeOf(state), args: ready.frozen.args };
  const found = boundsOf(procedure, node, scope, atMs);
  if (!found.ok) return nodeFailed(node, visit, atMs, found);
  const { waivesLimits = false, ...call } = ready;
  if (found.bounds.length === 0) return intentOf(ports, state, intended, call);
  return intentAfterReservation(ports, run, { ...intended, ready: call }, found.bounds, waivesLimits);
}

function intentAfterReservation(
  ports: ProposePorts,
  { state, writer }: ProposingRun,
  intended: IntendedCall,
  bounds: readonly CallBound[],
  waived: boolean,
): NeedsReservation {
  const { node, visit, ready, atMs, agent } = intended;
  const { runId, startedBy } = state.facts;
  const key = reservationKey({ key: callKey(runId, node.id, visit, ready.call) }, state);
  return {
    reserve: { scope: writer.head.scope, runId, key, nodeId: node.id, bounds, waived },
    entryAfter: (reservation) => {
      switch (reservation.status) {
        case "reserved":
          return intentOf(ports, state, intended, { ...ready, reserved: reservation.reserved });
        case "refused":
          return nodeFailed(node, visit, atMs, reservation.error);
        case "ask":
          return askByLimits(ports, { node, visit, call: ready.frozen, startedBy, atMs, agent }, reservation.limits);
      }
    },
  };
}

function intentOf(
  { sendWindowMs }: ProposePorts,
  { facts }: RunState,
  { node, visit, action, atMs }: IntendedCall,
  ready: ReadyCall,
): Intent {
  const dispatched = ready.frozen.dispatched === true;
  const wantedMs = node.timeoutMs ?? action?.timeoutMs ?? (dispatched ? defaultDispatchMs : defaultTimeoutMs);
  const leftMs = repeatableForMs(ready, atMs);
  // Within one attempt, another client may follow a client that went silent.
  const timeoutMs = dispatched ? Math.min(wantedMs, leftMs) : wantedMs;
  return {
    type: "intent",
    atMs,
    nodeId: node.id,
    visit,
    key: callKey(facts.runId, node.id, visit, ready.call),
    ...ready,
    // A dispatched call waits in storage for a client.
    sendByMs: atMs + (dispatched ? timeoutMs : Math.min(sendWindowMs, leftMs)),
    timeoutMs,
  };
}

/** How long an attempt may send requests before the other service may have forgotten its key; at least 1 ms. */
function repeatableForMs({ frozen, firstSentAtMs, waivesKeyAge }: ReadyCall, atMs: number): number {
  const isDispatchedAgain = frozen.dispatched === true && frozen.effect === "idempotent";
  const sentBefore = waivesKeyAge === true ? undefined : firstSentAtMs;
  const sinceMs = sentBefore ?? (isDispatchedAgain ? atMs : undefined);
  return Math.max(1, repeatableUntilMs({ frozen, firstSentAtMs: sinceMs }) - atMs);
}

const defaultTimeoutMs = 60_000;

/** A client may have to reconnect first, and by default gives its handlers 5 minutes. */
const defaultDispatchMs = 600_000;
