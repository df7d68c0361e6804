import type { Mutation } from "./mutation.ts";

const memory = "storage/src/memory";

function mutation(name: string, file: string, search: string, replace: string): Mutation {
  return { name, edits: [{ file, search, replace }] };
}

/** The seeded bugs of seeded-bugs-triggers. */
export const triggerMutations: readonly Mutation[] = [
  mutation(
    "a gate does not count claimed firings",
    `${memory}/memory-firing-queue.ts`,
    "const leased = all.length - queued.length;",
    "const leased = 0;",
  ),
  mutation(
    "a known event is taken again",
    `${memory}/memory-events.ts`,
    "event !== undefined && event.knownUntilMs > state.now() ? event : undefined",
    "event !== undefined && event.knownUntilMs < 0 ? event : undefined",
  ),
  mutation(
    "the commit that creates a run does not fence its firing",
    `${memory}/memory-commit.ts`,
    "return claimedFiring(state, scope, firing)?.triggerId === firing.triggerId;",
    "return (claimedFiring(state, scope, firing)?.triggerId ?? firing.triggerId) === firing.triggerId;",
  ),
  {
    // Each alone is harmless, because the other holds.
    name: "a schedule advances without comparing its due time or knowing its firings",
    edits: [
      { file: `${memory}/memory-triggers.ts`, search: "gate.schedule.dueAtMs !== dueAtMs || ", replace: "" },
      {
        file: `${memory}/memory-triggers.ts`,
        search: `const firingId = firingIdOf(triggerId, scheduledDedupeKey(firing));`,
        replace: `const firingId = firingIdOf(triggerId, scheduledDedupeKey(firing) + String(state.nextNumber()));`,
      },
    ],
  },
  mutation(
    "a schedule without catch-up catches up",
    "engine/src/schedules/account.ts",
    `schedule.catchUp === "none" ? punctualMs : schedule.catchUpWithinMs;`,
    "schedule.catchUpWithinMs;",
  ),
  mutation(
    "a firing of a dead worker stays claimed",
    `${memory}/memory-firings.ts`,
    "return isClaimed && dueAtMs > nowMs;",
    "return isClaimed && nowMs > 0;",
  ),
  mutation(
    "an open run does not close its gate",
    `${memory}/memory-firing-queue.ts`,
    "const open = openOf(state, scope, triggerId);",
    "const open = Math.min(0, openOf(state, scope, triggerId));",
  ),
  mutation(
    "the last missed time is not counted",
    "engine/src/schedules/account.ts",
    `...skipped(schedule, "missed", sinceMs, missedUntilMs),`,
    `...skipped(schedule, "missed", sinceMs, missedUntilMs - 60_000),`,
  ),
  mutation(
    "an event is acknowledged before it is stored",
    "engine/src/triggers/create-inbound.ts",
    "(await take({ ...target.batch, events, maxBacklog }))",
    "(void take({ ...target.batch, events, maxBacklog }).catch(() => false), true)",
  ),
];
