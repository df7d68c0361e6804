/** One call as its caller saw it. In a correct storage it took effect at one instant between these two moments. */
export interface Observed<State> {
  readonly label: string;
  /** Moments of one counter; all differ. */
  readonly calledAt: number;
  readonly answeredAt: number;
  /** The state after the call; `undefined` if this state contradicts the answer. */
  apply(state: State): State | undefined;
}

/** The result of the search, with the longest valid order for the report of a failure. */
export interface Order {
  readonly found: boolean;
  /** The labels of the longest order that fits the answers. */
  readonly longest: readonly string[];
}

/**
 * Searches for an order of the calls that explains every answer, and in which no call precedes another that was
 * answered before it began (linearizability, by the search of Wing and Gong with memoized dead ends).
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
