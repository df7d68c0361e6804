import type { Environment } from "../../api/models.ts";

/** A version with which a draft is compared before it is published. */
export interface Comparison {
  /** `undefined`: new runs execute nothing there yet. */
  readonly version: string | undefined;
  /** The environments whose new runs execute it now; empty for the newest version, where no default changes. */
  readonly environments: readonly Environment[];
}

/**
 * What a draft replaces: the default of each environment whose default it becomes, one comparison for the same version.
 * Without one, the present default of the page's environment or the newest version.
 */
export function comparisons(
  becomesDefaultIn: readonly Environment[],
  {
    defaults,
    present,
  }: {
    readonly defaults: Readonly<Partial<Record<Environment, string>>>;
    readonly present: string | undefined;
  },
): readonly Comparison[] {
  if (becomesDefaultIn.length === 0) return [{ version: present, environments: [] }];
  const byVersion = Map.groupBy(becomesDefaultIn, (environment) => defaults[environment]);
  return [...byVersion].map(([version, environments]) => ({ version, environments }));
}
