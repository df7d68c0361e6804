import type { InputMode } from "../forms/input-draft.ts";

/** What the address of the page says about the run to start. */
export interface StartRunSearch {
  readonly procedure?: string;
  readonly version?: string;
  /** The run whose input is taken over. */
  readonly from?: string;
  /** How the input is shown. */
  readonly as?: InputMode;
}

/** Reads the search parameters of an address. Values that are not valid are left out. */
export function readStartRunSearch(search: Readonly<Record<string, unknown>>): StartRunSearch {
  const texts = (["procedure", "version", "from"] as const).flatMap((name): readonly [string, string][] => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? [[name, value]] : [];
  });
  return { ...Object.fromEntries<string>(texts), ...(search["as"] === "json" && { as: "json" }) };
}
