/*
 * What a statement says of some of its items: their places, in one row. A row for each costs the driver a microsecond.
 */

/** Aggregate: the places, from 1. To be read by {@link placesIn}. */
export function placesSql(place: string): string {
  return `string_agg(${place}::text, ',')`;
}

/** @param places null: none */
export function placesIn(places: string | null | undefined): readonly number[] {
  return places?.split(",").map(Number) ?? [];
}
