import type { RunStatus } from "@procedo/contract";

/**
 * Decides whether one order of events explains all observations of a run by several clients, where each event takes
 * effect at one instant between its request and its answer (Herlihy and Wing, "Linearizability"). The search is that of
 * Wing and Gong, with memoized states.
 *
 * A run of the procedure with one review runs, awaits the review, is decided by the first vote, runs again and ends as
 * decided. It makes all transitions but the vote by itself, at any instant.
 */

/** A client's request and its answer, with times in milliseconds of one clock. */
export interface Seen {
  readonly beganMs: number;
  /** `Infinity` without an answer: the request may still take effect. */
  readonly endedMs: number;
  readonly what:
    | { readonly kind: "read"; readonly status: RunStatus }
    /** The outcome `undefined` is unknown. */
    | { readonly kind: "vote"; readonly approved: boolean; readonly outcome: "won" | "too_late" | undefined };
}

interface RunModel {
  readonly at: "before" | "asking" | "after" | "ended";
  readonly approved?: boolean;
}

/** Whether an order explains all observations. */
export function isLinearizable(seen: readonly Seen[]): boolean {
  const inOrder = seen.toSorted((a, b) => a.beganMs - b.beganMs);
  const dead = new Set<string>();
  const search = (placed: ReadonlySet<number>, model: RunModel): boolean => {
    // An unanswered request need not have had an effect.
    if (inOrder.every((one, index) => placed.has(index) || one.endedMs === Infinity)) return true;
    const key = `${[...placed].sort((a, b) => a - b).join()} ${model.at} ${model.approved}`;
    if (dead.has(key)) return false;
    const soonestEnd = Math.min(...inOrder.map((one, index) => (placed.has(index) ? Infinity : one.endedMs)));
    for (const [index, one] of inOrder.entries()) {
      // A request that began after the answer of another one took effect after it.
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

/** The possible states of the run after this event; empty if it is impossible. */
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

/** The state of the run, and the states that it can reach by itself. */
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
