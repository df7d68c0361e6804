import type { Firing } from "../api/models.ts";
import { searchReader } from "../values/search-params.ts";
import { firingStatuses } from "./firing-words.ts";

/** Which firings the page of a trigger shows. @defaultValue all */
export const readFiringsSearch = searchReader<{ readonly firings?: Firing["status"] }>(["firings"], (search) => {
  const firings = firingStatuses.find((one) => one === search["firings"]);
  return firings === undefined ? {} : { firings };
});
