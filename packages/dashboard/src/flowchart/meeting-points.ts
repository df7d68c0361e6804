/* Where the branches of a node meet again: its immediate post-dominator, by the algorithm of Cooper, Harvey and Kennedy. */

interface Way {
  readonly from: string;
  readonly to: string;
}

/** Stands behind all ends. No node has this id. */
const exit = "";

/** By node id, the first node through which all ways from it to an end lead. Left out if there is none. */
export function meetingPoints(ids: readonly string[], ways: readonly Way[]): ReadonlyMap<string, string> {
  const waysOn = Map.groupBy(ways, ({ from }) => from);
  const ends = ids.filter((id) => !waysOn.has(id)).map((id): Way => ({ from: id, to: exit }));
  const order = fromTheExit([...ways, ...ends]);
  const rank = new Map(order.map((id, index) => [id, index]));
  const meeting = new Map<string, string>([[exit, exit]]);
  const common = (a: string, b: string): string => {
    let [x, y] = [a, b];
    while (x !== y) {
      if ((rank.get(x) ?? 0) > (rank.get(y) ?? 0)) x = meeting.get(x) ?? exit;
      else y = meeting.get(y) ?? exit;
    }
    return x;
  };
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const id of order.slice(1)) {
      const next = waysOn.get(id)?.map(({ to }) => to) ?? [exit];
      const found = next.filter((to) => meeting.has(to)).reduce(common);
      if (meeting.get(id) === found) continue;
      meeting.set(id, found);
      hasChanged = true;
    }
  }
  return new Map([...meeting].filter(([, to]) => to !== exit));
}

/** The exit, and the nodes that lead there, each after one of those to which it leads. */
function fromTheExit(ways: readonly Way[]): readonly string[] {
  const waysTo = Map.groupBy(ways, ({ to }) => to);
  const done: string[] = [];
  const seen = new Set([exit]);
  const open = [{ id: exit, next: 0 }];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const before = waysTo.get(last.id)?.[last.next]?.from;
    last.next += 1;
    if (before === undefined) {
      done.push(last.id);
      open.pop();
    } else if (!seen.has(before)) {
      seen.add(before);
      open.push({ id: before, next: 0 });
    }
  }
  return done.toReversed();
}
