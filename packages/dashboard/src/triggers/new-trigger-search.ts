import { searchReader } from "../values/search-params.ts";
import { kindWords, type TriggerKind } from "./kind-words.ts";

/** The choices with which the form of a new trigger begins. */
export const readNewTriggerSearch = searchReader<{ readonly kind?: TriggerKind; readonly procedure?: string }>(
  ["kind", "procedure"],
  (search) => {
    const kind = (Object.keys(kindWords) as readonly TriggerKind[]).find((one) => one === search["kind"]);
    const { procedure } = search;
    return {
      ...(kind !== undefined && { kind }),
      ...(typeof procedure === "string" && procedure !== "" && { procedure }),
    };
  },
);
