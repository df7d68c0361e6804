import { judgeOccurrences, type JudgedTrigger } from "../../triggers/judge-occurrences.ts";
import { readOccurrences } from "../../triggers/read-occurrences.ts";
import type { KnownTrigger } from "../history.ts";
import { epochMs } from "../machine.ts";
import type { Checker, Evidence } from "./checker.ts";

const minuteMs = 60_000;
/** A time that is due is accounted for within this time without faults. */
const slowestMs = 9_000;
/** Without catch-up, times fire that are a minute late at most. Storage may do its part some seconds later. */
const graceMs = minuteMs + 10_000;

export const triggers: Checker = {
  invariant: "triggers",
  promise: "each event and each time of a schedule is accounted for once, and each started firing has one run",
  always: false,
  check: async (evidence) => {
    const { history, storage, workspace } = evidence;
    if (history.triggers.length === 0) return [];
    const { environment } = history.triggers[0] as KnownTrigger;
    const stored = await readOccurrences(storage, { workspace, environment });
    const judged = history.triggers.map((known): JudgedTrigger => {
      const kept = stored.triggers.get(known.name);
      if (kept === undefined) throw new Error(`Storage has no trigger "${known.name}".`);
      const { name } = known;
      return { name, triggerId: kept.triggerId, firings: kept.firings, occurrences: expected(known, evidence) };
    });
    return [...judgeOccurrences(judged, stored.runs, "idle"), ...judged.flatMap((one) => overlaps(one, evidence))];
  },
};

/** Runs of a trigger that were open at the same time, against its rule. */
function overlaps({ name, firings }: JudgedTrigger, { history }: Evidence): readonly string[] {
  const known = history.triggers.find((trigger) => trigger.name === name);
  if (known === undefined || known.mayOverlap) return [];
  const spans = firings
    .flatMap(({ run }) => history.runs.get(run?.runId ?? "") ?? [])
    .map(({ runId, rows }) => ({ runId, fromMs: rows[0]?.atMs ?? 0, untilMs: rows.at(-1)?.atMs ?? 0 }))
    .sort((a, b) => a.fromMs - b.fromMs || a.untilMs - b.untilMs);
  return spans.flatMap(({ runId, fromMs }, index) => {
    const before = spans[index - 1];
    if (before === undefined || before.untilMs <= fromMs) return [];
    return [`Run ${runId} of "${name}" started while ${before.runId} was open.`];
  });
}

/** The number of firings that have not ended. */
export async function openFirings({ history, storage, workspace }: Evidence): Promise<number> {
  const { environment } = history.triggers[0] ?? {};
  if (environment === undefined) return 0;
  const { triggers: stored } = await readOccurrences(storage, { workspace, environment });
  const firings = [...stored.values()].flatMap((trigger) => trigger.firings);
  return firings.filter(({ status }) => status === "pending" || status === "waiting").length;
}

function expected(known: KnownTrigger, evidence: Evidence): JudgedTrigger["occurrences"] {
  switch (known.kind) {
    case "events":
      return known;
    case "emitted": {
      const ids = emittedIds(known, evidence);
      return { kind: "events", sent: ids, acknowledged: ids };
    }
    case "times":
      return {
        kind: "times",
        times: timesOf(known, evidence.history.wallJumpsMs),
        dueFromMs: epochMs + 1,
        dueUntilMs: evidence.wallMs - slowestMs,
        clockWentBack: evidence.history.wallJumpsMs.some((jumpMs) => jumpMs < 0),
        ...(known.catchesUp || evidence.history.wallJumpsMs.length > 0 ? {} : { firesWithinMs: graceMs }),
      };
  }
}

/**
 * Full multiples of the interval within the hour, since the beginning of the simulation. A clock that goes back may show
 * earlier times, which the schedule accounts for again.
 */
function timesOf(
  { everyMinutes, endsAtMs }: Extract<KnownTrigger, { readonly kind: "times" }>,
  wallJumpsMs: readonly number[],
): readonly number[] {
  const backMs = wallJumpsMs.reduce((sum, jumpMs) => sum - Math.min(0, jumpMs), 0);
  const times: number[] = [];
  for (let time = epochMs - backMs; time < endsAtMs; time += minuteMs) {
    if (new Date(time).getUTCMinutes() % everyMinutes === 0) times.push(time);
  }
  return times;
}

/** The ids of the events of a procedure's runs, as their rows contain them. */
function emittedIds(
  { environment, event, procedureId }: Extract<KnownTrigger, { readonly kind: "emitted" }>,
  { history }: Evidence,
): ReadonlySet<string> {
  const runs = [...history.runs.values()].filter(
    ({ scope, rows }) => scope.environment === environment && rows[0]?.commit.create?.procedureId === procedureId,
  );
  const events = runs.flatMap(({ rows }) => rows.flatMap(({ commit }) => commit.events ?? []));
  return new Set(events.filter((one) => one.event === event).map(({ eventId }) => eventId));
}
