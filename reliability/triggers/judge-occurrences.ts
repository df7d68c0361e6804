import type { RunTrigger } from "@procedo/contract";
import type { FiringRow } from "@procedo/storage";

/** A trigger with its firings as storage has them, and its occurrences as the outside world knows them. */
export interface JudgedTrigger {
  readonly triggerId: string;
  /** Name for messages. */
  readonly name: string;
  readonly firings: readonly FiringRow[];
  readonly occurrences: SentEvents | NominalTimes;
}

/** Events of a trigger, by the sender's ids. */
export interface SentEvents {
  readonly kind: "events";
  /** Every event that was sent, acknowledged or not. */
  readonly sent: ReadonlySet<string>;
  /** The events whose storage was acknowledged at least once. */
  readonly acknowledged: ReadonlySet<string>;
}

/** Times of a schedule, in milliseconds since the epoch. */
export interface NominalTimes {
  readonly kind: "times";
  /** Every nominal time, in order, also those that need not be accounted for. */
  readonly times: readonly number[];
  /** The times from this one on must be accounted for. @defaultValue from the first */
  readonly dueFromMs?: number;
  /** The times up to this one must be accounted for. */
  readonly dueUntilMs: number;
  /**
   * Whether the clock went back: a time may then be recorded as missed and fire, but not fire twice.
   * @defaultValue false
   */
  readonly clockWentBack?: boolean;
  /** The longest delay of a firing that is not skipped, for schedules without catch-up. @defaultValue any delay */
  readonly firesWithinMs?: number;
}

/** A run and its record of what started it. */
export interface TriggeredRun {
  readonly runId: string;
  readonly trigger: RunTrigger;
}

/**
 * The broken promises of triggers: every occurrence is accounted for once, and every started firing has one run.
 * `idle`: no work is left, so every firing has ended. Pure.
 */
export function judgeOccurrences(
  triggers: readonly JudgedTrigger[],
  runs: readonly TriggeredRun[],
  moment: "idle" | "under way",
): readonly string[] {
  const runsOf = Map.groupBy(runs, ({ trigger }) => trigger.firingId ?? "");
  const started = new Set(triggers.flatMap(({ firings }) => firings.filter(isStarted).map(({ firingId }) => firingId)));
  return [
    ...triggers.flatMap((trigger) => [
      ...trigger.firings.flatMap((firing) =>
        faultsOfFiring(trigger, firing, runsOf.get(firing.firingId) ?? [], moment),
      ),
      ...(trigger.occurrences.kind === "events"
        ? faultsOfEvents(trigger, trigger.occurrences)
        : faultsOfTimes(trigger, trigger.occurrences)),
    ]),
    ...runs
      .filter(({ trigger }) => trigger.firingId === undefined || !started.has(trigger.firingId))
      .map(({ runId, trigger }) => `Run ${runId} was started by firing ${trigger.firingId}, which is not started.`),
  ];
}

function faultsOfFiring(
  { name }: JudgedTrigger,
  { firingId, status, reason, run }: FiringRow,
  runs: readonly TriggeredRun[],
  moment: "idle" | "under way",
): readonly string[] {
  const what = `Firing ${firingId} of "${name}"`;
  const ids = runs.map(({ runId }) => runId);
  switch (status) {
    case "started":
      if (ids.length === 1 && run?.runId === ids[0]) return [];
      return [`${what} is started with run ${run?.runId}; its runs are: ${ids.join(", ") || "none"}.`];
    case "failed":
      return [`${what} failed: ${reason}.`];
    case "skipped":
      return [];
    case "pending":
    case "waiting":
      return moment === "idle" ? [`${what} is still ${status}.`] : [];
  }
}

function faultsOfEvents({ name, firings }: JudgedTrigger, { sent, acknowledged }: SentEvents): readonly string[] {
  const count = new Map<string, number>();
  for (const { event, refireOf } of firings) {
    if (event !== undefined && refireOf === undefined) count.set(event.id, (count.get(event.id) ?? 0) + 1);
  }
  return [
    ...[...acknowledged].filter((id) => !count.has(id)).map((id) => `Event ${id} of "${name}" is lost.`),
    ...[...count].filter(([, n]) => n > 1).map(([id, n]) => `Event ${id} of "${name}" has ${n} firings.`),
    ...[...count.keys()].filter((id) => !sent.has(id)).map((id) => `Event ${id} of "${name}" was never sent.`),
  ];
}

function faultsOfTimes({ name, firings }: JudgedTrigger, expected: NominalTimes): readonly string[] {
  const { times, dueFromMs = -Infinity, dueUntilMs, clockWentBack = false, firesWithinMs = Infinity } = expected;
  const places = new Map(times.map((time, place) => [time, place]));
  const faults: string[] = [];
  const accounted = times.map(() => 0);
  const fired = times.map(() => 0);
  for (const { firingId, scheduledAtMs, receivedAtMs, count, status } of firings) {
    if (scheduledAtMs === undefined) continue;
    const lateMs = receivedAtMs - scheduledAtMs;
    if (status !== "skipped" && lateMs > firesWithinMs) {
      faults.push(`The time ${isoOf(scheduledAtMs)} of "${name}" fired ${lateMs} ms late.`);
    }
    const last = places.get(scheduledAtMs);
    if (last === undefined || last - count + 1 < 0) {
      faults.push(`Firing ${firingId} of "${name}" stands for ${count} times up to ${isoOf(scheduledAtMs)}.`);
      continue;
    }
    for (let place = last - count + 1; place <= last; place++) {
      accounted[place] = (accounted[place] ?? 0) + 1;
      if (status !== "skipped") fired[place] = (fired[place] ?? 0) + 1;
    }
  }
  for (const [place, time] of times.entries()) {
    const [all = 0, own = 0] = [accounted[place], fired[place]];
    if (all === 0 && time >= dueFromMs && time <= dueUntilMs)
      faults.push(`The time ${isoOf(time)} of "${name}" is lost.`);
    if (own > 1 || (all > 1 && !clockWentBack)) {
      faults.push(`The time ${isoOf(time)} of "${name}" is accounted for ${all} times, and fired ${own} times.`);
    }
  }
  return faults;
}

function isStarted({ status }: FiringRow): boolean {
  return status === "started";
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
