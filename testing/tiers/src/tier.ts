/** The extent of the tests: for each commit, each night, or before a release. */
export type Tier = "commit" | "nightly" | "release";

/** A figure for each tier. */
export type TierFigures = { readonly [tier in Tier]: number };

/** Environment variable with the tier of the tests; `prove` sets it for its suites. @defaultValue commit */
export const tierVariable = "PROCEDO_TIER";

/** @throws Error when the text is not the name of a tier */
export function tierOf(text: string): Tier {
  if (text === "commit" || text === "nightly" || text === "release") return text;
  throw new Error(`"${text}" is not a tier. Use commit, nightly or release.`);
}
