import { environments } from "@procedo/contract";
import { judgeGate } from "../judge-gate.ts";
import type { ClaimedFiring, FiringClaim } from "../firings.ts";
import type { TriggerStore } from "../triggers.ts";
import { endFiring, isLeased, openOf, triggerKey } from "./memory-firings.ts";
import type { MemoryFiring, MemoryGate, MemoryState } from "./state.ts";

/** Firings that their gates let pass: triggers take turns, and of one trigger the oldest firing comes first. */
export function claimFirings(
  state: MemoryState,
  { workspace, limits, leaseMs }: Parameters<TriggerStore["claim"]>[0],
): FiringClaim {
  const nowMs = state.now();
  const queued = [...state.queuedFirings].filter(({ scope }) => scope.workspace === workspace);
  const laterMs = queued.map(({ dueAtMs }) => dueAtMs).filter((dueAtMs) => dueAtMs > nowMs);
  const ofTriggers = Map.groupBy(queued, ({ scope, triggerId }) => triggerKey(scope, triggerId));
  const gates = [...ofTriggers.keys()].flatMap((key) => state.gates.get(key) ?? []).sort(byId);
  const judged = environments.map((environment) => ({
    most: limits[environment],
    ofGates: gates
      .filter(({ scope }) => scope.environment === environment)
      .map((gate) => judge(state, gate, ofTriggers.get(triggerKey(gate.scope, gate.triggerId)) ?? [], nowMs)),
  }));
  const passing = judged.flatMap(({ most, ofGates }) =>
    ofGates
      .flatMap(({ passing }) => passing)
      .sort(inTurn)
      .slice(0, most),
  );
  return {
    firings: passing.sort(inTurn).map(({ firing }) => lease(firing, nowMs + leaseMs)),
    skipped: judged.flatMap(({ ofGates }) => ofGates.flatMap(({ skipped }) => skipped)),
    nextDueAtMs: laterMs.length === 0 ? undefined : laterMs.reduce((a, b) => Math.min(a, b)),
  };
}

interface Candidate {
  readonly firing: MemoryFiring;
  /** Number of firings of the same trigger before it, including leased ones. */
  readonly rank: number;
}

interface Judged {
  readonly passing: readonly Candidate[];
  readonly skipped: FiringClaim["skipped"];
}

/** @param all the pending and waiting firings of the trigger, the oldest first */
function judge(state: MemoryState, gate: MemoryGate, all: readonly MemoryFiring[], nowMs: number): Judged {
  const { scope, triggerId } = gate;
  const queued = all.filter((firing) => !isLeased(firing, nowMs));
  const requested = queued.filter(({ requestedBy, dueAtMs }) => requestedBy !== undefined && dueAtMs <= nowMs);
  const others = queued.filter(({ requestedBy }) => requestedBy === undefined);
  const leased = all.length - queued.length;
  const open = openOf(state, scope, triggerId);
  const verdict = judgeGate(gate, { leased, open });

  let passing: readonly MemoryFiring[] = [];
  let skipped: FiringClaim["skipped"] = [];
  const isDue = ({ dueAtMs }: MemoryFiring): boolean => dueAtMs <= nowMs;
  const skip = (firings: readonly MemoryFiring[], reason: "overlap" | "superseded"): void => {
    for (const firing of firings) endFiring(state, firing, "skipped", reason);
    if (firings.length > 0) skipped = [{ scope, triggerId, reason, count: firings.length }];
  };
  switch (verdict.kind) {
    case "some":
      passing = others.filter(isDue).slice(0, verdict.most);
      if (verdict.most !== Infinity) wait(others.filter((firing) => !passing.includes(firing)));
      break;
    case "oldest":
      passing = others.slice(0, 1).filter(isDue);
      break;
    case "newest":
      skip(others.slice(0, -1), "superseded");
      if (verdict.passes) passing = others.slice(-1).filter(isDue);
      else wait(others.slice(-1));
      break;
    case "skip":
      skip(others, "overlap");
      break;
    case "none":
      break;
  }
  const inOrder = [...requested, ...passing].sort((a, b) => a.number - b.number);
  return { passing: inOrder.map((firing, index) => ({ firing, rank: leased + index })), skipped };
}

/** A worker whose lease has ended loses the firing: its gate holds it back now. */
function wait(firings: readonly MemoryFiring[]): void {
  for (const firing of firings) {
    firing.status = "waiting";
    firing.isClaimed = false;
  }
}

function lease(firing: MemoryFiring, endsAtMs: number): ClaimedFiring {
  firing.status = "pending";
  firing.epoch += 1;
  firing.isClaimed = true;
  firing.dueAtMs = endsAtMs;
  const { scope, triggerId, firingId, epoch, requestedBy, refireOf, event } = firing;
  const { scheduledAtMs, occurredAtMs, receivedAtMs } = firing;
  return {
    ...{ scope, triggerId, firingId, epoch, requestedBy, scheduledAtMs, occurredAtMs, receivedAtMs, refireOf },
    event: event && { ...event.facts, content: event.content, chainDepth: event.chainDepth },
  };
}

function inTurn(a: Candidate, b: Candidate): number {
  return a.rank - b.rank || a.firing.number - b.firing.number;
}

function byId(a: MemoryGate, b: MemoryGate): number {
  return a.triggerId < b.triggerId ? -1 : 1;
}
