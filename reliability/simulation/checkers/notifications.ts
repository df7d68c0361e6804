import type { Entry } from "@procedo/procedure";
import type { KeptRow } from "../history.ts";
import type { Checker } from "./checker.ts";
import type { FollowedRun, PlacedEntry } from "./followed-run.ts";

export const notifications: Checker = {
  invariant: "notifications",
  promise: "each notification is folded in once, and no work begins after a cancellation",
  always: false,
  check: ({ runs }) => runs.flatMap((followed) => [...swallowed(followed), ...goesOnAfterCancel(followed)]),
};

/** A row contains an entry for each notification that it consumes; none is consumed twice. */
function swallowed({ run, entries }: FollowedRun): readonly string[] {
  const told = new Map<KeptRow, number>();
  for (const { entry, row } of entries) if (tellsOfNotification(entry)) told.set(row, (told.get(row) ?? 0) + 1);
  const consumed = new Set<string>();
  return run.rows.flatMap((row) => {
    const keys = row.commit.consume ?? [];
    const again = keys.filter((key) => consumed.has(key));
    for (const key of keys) consumed.add(key);
    const count = told.get(row) ?? 0;
    return [
      ...again.map((key) => `Run ${run.runId}: row ${row.seq} folds in "${key}" a second time.`),
      ...(count === keys.length
        ? []
        : [`Run ${run.runId}: row ${row.seq} consumes ${keys.length} notifications and records ${count}.`]),
    ];
  });
}

function tellsOfNotification(entry: Entry): boolean {
  switch (entry.type) {
    case "cancel_requested":
    case "superseded":
      return true;
    case "review_closed":
      // The entry belongs to the late answer or the cancellation beside it.
      return entry.answer.status !== "settled" && entry.answer.status !== "cancelled";
    case "outcome":
      return entry.late === true;
    default:
      return false;
  }
}

function goesOnAfterCancel({ run, entries }: FollowedRun): readonly string[] {
  const at = entries.findIndex(({ entry }) => entry.type === "cancel_requested");
  const endedBefore = (index: number): boolean => entries.slice(0, index).some(({ entry }) => entry.type === "ended");
  const overlooked = entries.flatMap(({ entry }: PlacedEntry, index) =>
    entry.type === "superseded" && entry.effectKey === "cancel" && !endedBefore(index)
      ? [`Run ${run.runId} ignored its cancellation.`]
      : [],
  );
  if (at === -1) return overlooked;
  const begun = entries
    .slice(at)
    .find(({ entry }) => ["intent", "review_opened", "emitted", "branch_taken"].includes(entry.type));
  return begun === undefined
    ? overlooked
    : [...overlooked, `Run ${run.runId} continued with "${begun.entry.type}" after its cancellation.`];
}
