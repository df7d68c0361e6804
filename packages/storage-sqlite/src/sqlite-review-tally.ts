import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenReviews, ReviewStore } from "@procedo/storage";
import { tallyReviews } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare } from "./statement.ts";

/** Rows that are read in one turn of the event loop. */
const rowsAtOnce = 2_000;

interface OpenReview {
  readonly review: number;
  readonly openedAtMs: number;
  readonly procedureId: string;
  readonly kind: string;
  readonly expiresAtMs: number | null;
}

/** Counts open reviews in pieces, between which other calls proceed. */
export function sqliteReviewTally({ db, reader, scopes }: SqliteContext): ReviewStore["tally"] {
  const selectOpen = prepare<OpenReview>(
    db,
    `SELECT review, opened_at_ms AS "openedAtMs", procedure_id AS "procedureId", kind, expires_at_ms AS "expiresAtMs"
       FROM reviews INDEXED BY reviews_open
      WHERE scope = ? AND status = 'open' AND (opened_at_ms, review) > (?, ?)
      ORDER BY opened_at_ms, review LIMIT ${rowsAtOnce}`,
  );

  return async ({ scope, expiresBeforeMs }) => {
    const cells: OpenReviews[] = [];
    const number = scopes.find(scope);
    if (number === undefined) return tallyReviews(cells);
    for (let [openedAtMs, review] = [-Infinity, 0]; ;) {
      const rows = await reader.read(() => selectOpen.all(number, openedAtMs, review));
      for (const { procedureId, kind, expiresAtMs } of rows) {
        cells.push({ procedureId, kind, open: 1, expiring: (expiresAtMs ?? Infinity) < expiresBeforeMs ? 1 : 0 });
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsAtOnce) return tallyReviews(cells);
      ({ openedAtMs, review } = last);
      await nextTurn();
    }
  };
}
