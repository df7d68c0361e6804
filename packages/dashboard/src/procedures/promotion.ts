/* Whether a person may make the default of sandbox the default of live, and which connections that needs. */
import type { Procedure, Version } from "../api/models.ts";

/** Why there is nothing to promote or the person may not; `undefined` if it can be done. */
export function whyNotPromoted(defaults: Procedure["defaults"], mayManageLive: boolean): string | undefined {
  if (!mayManageLive) return "Only builders and owners of live may promote.";
  if (defaults.sandbox === undefined) return "Sandbox has no default version to promote.";
  if (defaults.sandbox === defaults.live) return `Version ${defaults.live} is the default of live already.`;
  return undefined;
}

export interface UsedConnection {
  readonly name: string;
  /** Titles or ids of the steps that call it. */
  readonly steps: readonly string[];
}

export function usedConnections({ document }: Pick<Version, "document">): readonly UsedConnection[] {
  const calls = document.nodes.filter((node) => node.kind === "tool_call");
  return [...Map.groupBy(calls, ({ connection }) => connection)]
    .map(([name, nodes]) => ({ name, steps: nodes.map(({ id, title }) => title ?? id) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}
