import type { JsonObject } from "@procedo/contract";
import type { ActionChanges } from "../integrations/integration.ts";

/** What a documented connection was made of before: enough to make a call that was frozen then. */
export interface KeptVersion {
  /** Digest of the document. */
  readonly document: string;
  readonly settings: JsonObject;
  readonly baseUrl?: string;
}

export const maxKeptVersions = 20;

/** As many as a document may have operations. */
const maxFormerNames = 25_000;

/** The versions to keep once `before` was replaced by `after`, newest first; each once, and `after` not among them. */
export function keepVersion(
  kept: readonly KeptVersion[],
  before: KeptVersion,
  after: KeptVersion,
): readonly KeptVersion[] {
  const known = new Set([keyOf(after)]);
  return [before, ...kept]
    .filter((version) => {
      const key = keyOf(version);
      if (known.has(key)) return false;
      known.add(key);
      return true;
    })
    .slice(0, maxKeptVersions);
}

/** Names what a version's actions follow from. */
export function keyOf({ document, settings, baseUrl }: KeptVersion): string {
  return JSON.stringify([document, baseUrl ?? null, settings]);
}

/**
 * Former names after a change, in pairs. A name that is an action's again leads nowhere else, one whose action was renamed
 * again leads on to the newest name, and one whose action was removed leads nowhere.
 *
 * @param isAction whether there is an action of this name now
 */
export function formerNamesAfter(
  before: readonly (readonly [former: string, today: string])[],
  { renamed }: Pick<ActionChanges, "renamed">,
  isAction: (name: string) => boolean,
): readonly (readonly [former: string, today: string])[] {
  const toOf = new Map(renamed.map(({ from, to }) => [from, to]));
  const names = new Map<string, string>(toOf);
  for (const [former, today] of before) {
    if (!names.has(former)) names.set(former, toOf.get(today) ?? today);
  }
  return [...names].filter(([former, today]) => !isAction(former) && isAction(today)).slice(0, maxFormerNames);
}
