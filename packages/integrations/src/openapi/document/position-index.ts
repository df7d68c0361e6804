import { pointerTokens } from "@procedo/contract/syntax";

/**
 * Positions of all values of a text. Values are numbered in text order, a container before its contents: the first
 * value within container `i` is `i + 1`, and the value after `j` is `endOf(j)`.
 */
export interface PositionIndex {
  /** Offset of a member's name, of an item, or of the root. */
  startOf(value: number): number;
  /** The number of the first value after `value` and its contents. */
  endOf(value: number): number;
  /** A member's name; `undefined` for items and the root. */
  nameOf(value: number): string | undefined;
}

/** Creates a function that returns the offset of the value at a JSON pointer, or of its deepest existing ancestor. */
export function createLocator(index: PositionIndex): (pointer: string) => number {
  const children = new Map<number, ReadonlyMap<string, number>>();

  /** Built once per container, because many problems lie below the same `/paths`. */
  function childrenOf(container: number): ReadonlyMap<string, number> {
    let known = children.get(container);
    if (known === undefined) {
      const gathered = new Map<string, number>();
      const end = index.endOf(container);
      for (let child = container + 1; child < end; child = index.endOf(child)) {
        const name = index.nameOf(child) ?? String(gathered.size);
        // Points to the first of several members with the same name.
        if (!gathered.has(name)) gathered.set(name, child);
      }
      children.set(container, (known = gathered));
    }
    return known;
  }

  return (pointer) => {
    let at = 0;
    for (const token of pointerTokens(pointer)) {
      const child = childrenOf(at).get(token);
      if (child === undefined) break;
      at = child;
    }
    return index.startOf(at);
  };
}
