import type { Migration } from "../migrate.ts";

/**
 * Changes no table. A program that knows only rows without their time cannot read what is written from here on: it is to
 * refuse the database when it starts, instead of setting runs aside one by one.
 */
export const rowsWithTheirTime: Migration = {
  name: "rows with their time",
  sql: "COMMENT ON COLUMN journal.body IS 'JSON: the time of the row''s first entry, and its entries'",
};
