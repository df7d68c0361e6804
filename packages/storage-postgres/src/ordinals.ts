/*
 * A statement that answers for some of its items names their ordinals in one row: a row per item costs the driver a
 * microsecond each.
 */

/** An aggregate of ordinals, from 1; to be read by {@link ordinalsIn}. */
export function ordinalsSql(ordinal: string): string {
  return `string_agg(${ordinal}::text, ',')`;
}

/** @param ordinals null: none */
export function ordinalsIn(ordinals: string | null | undefined): readonly number[] {
  return ordinals?.split(",").map(Number) ?? [];
}
