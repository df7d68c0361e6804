/** An item of one list or of both, with its positions. */
export type Aligned<Before, After> =
  | { readonly kind: "kept"; readonly before: Before; readonly after: After; readonly at: number }
  | { readonly kind: "removed"; readonly before: Before; readonly at: number }
  | { readonly kind: "added"; readonly after: After; readonly at: number };

/** Returns the text by which items of both lists are found equal. */
export interface AlignmentKey<Before, After> {
  before(item: Before): string;
  after(item: After): string;
}

/**
 * Pairs the items of two lists: by the first key, then the remaining ones by the next key. Items with the same key are
 * paired in order. The result has the order of `after`; a removed item stands behind the item that it followed.
 */
export function alignLists<Before, After>(
  before: readonly Before[],
  after: readonly After[],
  keys: readonly AlignmentKey<Before, After>[],
): readonly Aligned<Before, After>[] {
  const formerOf = new Map<number, number>();
  const unpaired = new Set(before.keys());
  for (const key of keys) {
    const byKey = Map.groupBy(unpaired, (at) => key.before(before[at] as Before));
    for (const [at, item] of after.entries()) {
      const former = formerOf.has(at) ? undefined : byKey.get(key.after(item))?.shift();
      if (former === undefined) continue;
      formerOf.set(at, former);
      unpaired.delete(former);
    }
  }
  const removedFrom = (first: number): Aligned<Before, After>[] => {
    const removed: Aligned<Before, After>[] = [];
    for (let at = first; unpaired.has(at); at++) removed.push({ kind: "removed", before: before[at] as Before, at });
    return removed;
  };
  const aligned = removedFrom(0);
  for (const [at, item] of after.entries()) {
    const former = formerOf.get(at);
    if (former === undefined) aligned.push({ kind: "added", after: item, at });
    else aligned.push({ kind: "kept", before: before[former] as Before, after: item, at }, ...removedFrom(former + 1));
  }
  return aligned;
}
