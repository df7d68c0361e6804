/**
 * Where each value of a text stands. Values are numbered in the order of the text, a container before what it holds, so that
 * the first value within container `i` is `i + 1`, and the one after value `j` is `endOf(j)`.
 */
export interface PositionIndex {
  /** Offset of a member's name, or of an item or the whole itself. */
  startOf(value: number): number;
  /** The number of the first value that is neither `value` nor within it. */
  endOf(value: number): number;
  /** A member's name; `undefined` for items and the whole. */
  nameOf(value: number): string | undefined;
}

/** Makes a function that gives the offset of what a JSON pointer names, or of the deepest part of it that exists. */
export function createLocator(index: PositionIndex): (pointer: string) => number {
  const children = new Map<number, ReadonlyMap<string, number>>();

  /** Gathered once for each container: many problems stand below one and the same `/paths`. */
  function childrenOf(container: number): ReadonlyMap<string, number> {
    let known = children.get(container);
    if (known === undefined) {
      const gathered = new Map<string, number>();
      const end = index.endOf(container);
      for (let child = container + 1; child < end; child = index.endOf(child)) {
        const name = index.nameOf(child) ?? String(gathered.size);
        // The first of several that share a name is what a reader finds.
        if (!gathered.has(name)) gathered.set(name, child);
      }
      children.set(container, (known = gathered));
    }
    return known;
  }

  return (pointer) => {
    let at = 0;
    for (const token of pointer.split("/").slice(1)) {
      const child = childrenOf(at).get(token.replaceAll("~1", "/").replaceAll("~0", "~"));
      if (child === undefined) break;
      at = child;
    }
    return index.startOf(at);
  };
}
