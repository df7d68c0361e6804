/** One call as its caller saw it. It took effect at one instant between the two moments, if the storage is right. */
export interface Observed<State> {
  readonly label: string;
  /** Moments of one counter: no two are the same. */
  readonly calledAt: number;
  readonly answeredAt: number;
  /** The state after it; `undefined` when this state would have been answered otherwise. */
  apply(state: State): State | undefined;
}

/** How far an order could be found, for the report of a failure. */
export interface Order {
  readonly found: boolean;
  /** The labels of the longest order that agrees with the answers. */
  readonly longest: readonly string[];
}

/**
 * Looks for an order of the calls in which every answer is right and nothing comes before something that had been answered when it
 * was called (linearizability, by the search of Wing and Gong with remembered dead ends).
 */
export function linearize<State>(initial: State, calls: readonly Observed<State>[]): Order {
  const sorted = calls.toSorted((a, b) => a.calledAt - b.calledAt);
  const deadEnds = new Set<string>();
  const order: string[] = [];
  let longest: readonly string[] = [];
  const extend = (state: State, left: readonly Observed<State>[]): boolean => {
    if (order.length > longest.length) longest = [...order];
    const firstAnswer = Math.min(...left.map(({ answeredAt }) => answeredAt));
    if (left.length === 0) return true;
    const place = `${left.map(({ calledAt }) => calledAt).join()} ${JSON.stringify(state)}`;
    if (deadEnds.has(place)) return false;
    for (const call of left) {
      if (call.calledAt > firstAnswer) break;
      const next = call.apply(state);
      if (next === undefined) continue;
      order.push(call.label);
      if (
        extend(
          next,
          left.filter((other) => other !== call),
        )
      )
        return true;
      order.pop();
    }
    deadEnds.add(place);
    return false;
  };
  return { found: extend(initial, sorted), longest };
}
