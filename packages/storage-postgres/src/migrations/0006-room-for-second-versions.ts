import type { Migration } from "../migrate.ts";

/**
 * A delivery is written twice, as it is made and as it is settled, and each version has an entry in each of these indexes,
 * next to the other's. The first two grow at their end, where pages now leave room for the second version rather than be
 * searched for entries that could be merged or removed, of which there are none yet, and then be split. In the primary key,
 * whose entries come in any order, only merging is left out. It is seven of the thirty microseconds that settling a
 * delivery takes (docs/decisions/2026-11-25-room-for-second-versions.md).
 *
 * Holds for pages that are written from now on, takes no lock that readers or writers wait for, and changes nothing for
 * running nodes of the version before.
 */
export const roomForSecondVersions: Migration = {
  name: "room for second versions",
  sql: `
ALTER INDEX deliveries_by_time SET (fillfactor = 45, deduplicate_items = off);
ALTER INDEX deliveries_of_run SET (fillfactor = 45, deduplicate_items = off);
ALTER INDEX deliveries_pkey SET (deduplicate_items = off);
`,
};
