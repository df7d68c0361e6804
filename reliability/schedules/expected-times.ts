import { matcherOf } from "./match-fields.ts";
import { readingOf } from "./minute-table.ts";

/**
 * The times of an expression by the documented rule, from a table of what the clock shows at each minute.
 *
 * @param table the ordinals of the readings at each minute from `fromMs`; the clock is not changed in its first minute
 */
export function expectedTimes(cron: string, table: Float64Array, fromMs: number): readonly number[] {
  const matcher = matcherOf(cron);
  const matches = (ordinal: number): boolean => matcher(readingOf(ordinal));
  const countsElapsedTime = cron.split(" ")[1]?.startsWith("*") === true;
  const times: number[] = [];
  let furthest = (table[0] ?? 0) - 1;
  for (const [index, ordinal] of table.entries()) {
    const ms = fromMs + index * 60_000;
    if (countsElapsedTime) {
      if (matches(ordinal)) times.push(ms);
      continue;
    }
    // All readings up to the clock's were reached by now, also those that it skipped. A repeated reading is not new.
    let isNamed = false;
    for (let reached = furthest + 1; reached <= ordinal; reached++) isNamed ||= matches(reached);
    if (isNamed) times.push(ms);
    furthest = Math.max(furthest, ordinal);
  }
  return times;
}
