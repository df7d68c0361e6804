import type { InputMode } from "../forms/input-draft.ts";
import { searchReader } from "../values/search-params.ts";

/** What the address of the page says about the run to start. */
export interface StartRunSearch {
  readonly procedure?: string;
  readonly version?: string;
  /** The run whose input is taken over. */
  readonly from?: string;
  /** How the input is shown. */
  readonly as?: InputMode;
}

const textNames = ["procedure", "version", "from"] as const;

/** Reads the search parameters of an address. Values that are not valid are left out. */
export const readStartRunSearch = searchReader<StartRunSearch>([...textNames, "as"], (search) => {
  const texts = textNames.flatMap((name): readonly [string, string][] => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? [[name, value]] : [];
  });
  return { ...Object.fromEntries<string>(texts), ...(search["as"] === "json" && { as: "json" }) };
});
