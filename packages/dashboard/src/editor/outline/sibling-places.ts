/** The place of a row among those of the same parent, from 1, and their number. */
export interface SiblingPlace {
  readonly position: number;
  readonly count: number;
}

/** The places of all rows of a tree, which are given in their order with their levels. */
export function siblingPlaces(rows: readonly { readonly level: number }[]): readonly SiblingPlace[] {
  const open: { count: number }[] = [];
  const placed = rows.map(({ level }) => {
    open.length = Math.min(open.length, level);
    const group = (open[level - 1] ??= { count: 0 });
    group.count += 1;
    return { position: group.count, group };
  });
  return placed.map(({ position, group: { count } }) => ({ position, count }));
}
