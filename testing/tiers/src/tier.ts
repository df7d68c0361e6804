/** How much is tried: with each commit, each night, before a release. */
export type Tier = "commit" | "nightly" | "release";

/** A figure for each tier. */
export type TierFigures = { readonly [tier in Tier]: number };

/** Names the tier that tests run at; `prove` sets it for the suites that it runs. @defaultValue commit */
export const tierVariable = "PROCEDO_TIER";

/** @throws Error when the text names no tier */
export function tierOf(text: string): Tier {
  if (text === "commit" || text === "nightly" || text === "release") return text;
  throw new Error(`"${text}" is no tier; use commit, nightly or release.`);
}
