import { placeholderOf, queryPairs } from "../openapi/operations/path-template.ts";
import { encodeKeepingReserved, encodeStrictly } from "./percent-encoding.ts";

/** A fixed pair in the query of a path key. */
export interface FixedPair {
  /** The name in its encoded form. */
  readonly name: string;
  /** The whole pair; only the name for `?full`. */
  readonly written: string;
}

/** The fixed pairs of a path key's query, such as `?method=pay&full`, in their original order. */
export function fixedPairs(query: string): readonly FixedPair[] {
  const fixed = queryPairs(query).filter((pair) => placeholderOf(pair) === undefined);
  return fixed.flatMap((part) =>
    [...new URLSearchParams(part)].map(([name, value]) => {
      const writtenName = encodeStrictly(name, name);
      const written = part.includes("=") ? `${writtenName}=${encodeKeepingReserved(name, value)}` : writtenName;
      return { name: writtenName, written };
    }),
  );
}
