import { searchReader } from "../values/search-params.ts";

/** The row of the record that the page points out. @defaultValue none */
export const readRecordSearch = searchReader<{ readonly row?: number }>(["row"], (search) => {
  const row = Number(search["row"]);
  return Number.isSafeInteger(row) && row > 0 ? { row } : {};
});
