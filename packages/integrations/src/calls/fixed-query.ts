import { placeholderOf, queryPairs } from "../openapi/operations/path-template.ts";
import { encodeKeepingReserved, encodeStrictly } from "./percent-encoding.ts";

/** A pair that a path key fixes. */
export interface FixedPair {
  /** As names are written on the wire. */
  readonly name: string;
  /** The whole pair; of `?full` the name alone. */
  readonly written: string;
}

/** The fixed pairs of a path key's query, `?method=pay&full`, in the order in which they stand there. */
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
