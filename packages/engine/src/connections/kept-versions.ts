import type { JsonObject } from "@procedo/contract";
import type { ActionChanges } from "../integrations/integration.ts";

/** A version of a documented connection, with all that a call frozen with it needs. */
export interface KeptVersion {
  /** Digest of the document. */
  readonly document: string;
  readonly settings: JsonObject;
  readonly baseUrl?: string;
}

export const maxKeptVersions = 20;

/** The number of operations that a document may have. */
const maxFormerNames = 25_000;

/**
 * The versions to keep after `before` was replaced by `after`: newest first, without duplicates and without `after`.
 */
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

/** A key of the inputs that determine a version's actions. */
export function keyOf({ document, settings, baseUrl }: KeptVersion): string {
  return JSON.stringify([document, baseUrl ?? null, settings]);
}

/**
 * The former names of actions after a change, each with the current one. If an action was renamed again, its former
 * names lead to the newest name. A former name is dropped when an action has this name again, and when its action was
 * removed.
 *
 * @param isAction whether an action has this name now
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
