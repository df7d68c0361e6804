import type { RunStatus } from "@procedo/contract";

/**
 * Decides whether what several clients saw of one run can be explained by one order of events, in which everything
 * happens at one instant between its request and its answer (Herlihy and Wing, "Linearizability"). The search is Wing and
 * Gong's, with the states that were seen remembered.
 *
 * A run of the procedure that asks once: it runs, awaits the review, is decided by the first vote, runs again, ends as
 * decided. All but the vote it does by itself, at any instant.
 */

/** What a client asked and heard, in milliseconds of one clock. */
export interface Seen {
  readonly beganMs: number;
  /** `Infinity`: no answer ever came, so that it may still take effect. */
  readonly endedMs: number;
  readonly what:
    | { readonly kind: "read"; readonly status: RunStatus }
    /** `outcome` `undefined`: nothing is known. */
    | { readonly kind: "vote"; readonly approved: boolean; readonly outcome: "won" | "too_late" | undefined };
}

interface RunModel {
  readonly at: "before" | "asking" | "after" | "ended";
  readonly approved?: boolean;
}

/** Whether some order explains everything. */
export function isLinearizable(seen: readonly Seen[]): boolean {
  const inOrder = seen.toSorted((a, b) => a.beganMs - b.beganMs);
  const dead = new Set<string>();
  const search = (placed: ReadonlySet<number>, model: RunModel): boolean => {
    // What was never answered need not have happened.
    if (inOrder.every((one, index) => placed.has(index) || one.endedMs === Infinity)) return true;
    const key = `${[...placed].sort((a, b) => a - b).join()} ${model.at} ${model.approved}`;
    if (dead.has(key)) return false;
    const soonestEnd = Math.min(...inOrder.map((one, index) => (placed.has(index) ? Infinity : one.endedMs)));
    for (const [index, one] of inOrder.entries()) {
      // What began after something else had ended happened after it.
      if (placed.has(index) || one.beganMs > soonestEnd) continue;
      for (const next of afterwards(model, one.what)) {
        if (search(new Set([...placed, index]), next)) return true;
      }
    }
    dead.add(key);
    return false;
  };
  return search(new Set(), { at: "before" });
}

/** What the run can be once this has happened to it; nothing: it cannot have. */
function afterwards(model: RunModel, what: Seen["what"]): readonly RunModel[] {
  return byItself(model).flatMap((now): readonly RunModel[] => {
    if (what.kind === "read") return statusOf(now) === what.status ? [now] : [];
    const decided: RunModel = { at: "after", approved: what.approved };
    switch (what.outcome) {
      case "won":
        return now.at === "asking" ? [decided] : [];
      case "too_late":
        return now.approved === undefined ? [] : [now];
      case undefined:
        return now.at === "asking" ? [decided, now] : [now];
    }
  });
}

/** The run as it is, and as it may have become without anybody. */
function byItself(model: RunModel): readonly RunModel[] {
  switch (model.at) {
    case "before":
      return [model, { at: "asking" }];
    case "after":
      return [model, { ...model, at: "ended" }];
    default:
      return [model];
  }
}

function statusOf({ at, approved }: RunModel): RunStatus {
  if (at === "asking") return "awaiting_review";
  if (at === "ended") return approved === true ? "completed" : "failed";
  return "running";
}
