import type { Environment } from "@procedo/contract";
import type { LiveHint } from "./live-hint.ts";

/** Things of one kind that are named one by one. Of more, the kind is named: a page shows fewer, and reads its list. */
export const namedThings = 50;

/** A hint with the environment that it concerns. */
export interface CollectedHint {
  /** `undefined`: both environments. */
  readonly environment: Environment | undefined;
  readonly hint: LiveHint;
}

/** Hints of a short time. Their number does not grow with the number of changes. */
export interface Collector {
  add(hint: LiveHint, environment: Environment | undefined): void;
  /** Returns the hints since the last call. A hint of any thing of a kind stands for all of the kind. */
  take(): readonly CollectedHint[];
}

interface Group {
  readonly environment: Environment | undefined;
  readonly kind: LiveHint["kind"];
  /** `undefined`: any of the kind. */
  ids: Set<string> | undefined;
}

export function createCollector(): Collector {
  const groups = new Map<string, Group>();

  return {
    add: ({ kind, id }, environment) => {
      const name = `${environment ?? ""} ${kind}`;
      let group = groups.get(name);
      if (group === undefined) groups.set(name, (group = { environment, kind, ids: new Set() }));
      if (group.ids === undefined) return;
      if (id !== undefined) group.ids.add(id);
      if (id === undefined || group.ids.size > namedThings) group.ids = undefined;
    },
    take: () => {
      const hints = [...groups.values()].flatMap(({ environment, kind, ids }): readonly CollectedHint[] =>
        ids === undefined
          ? [{ environment, hint: { kind } }]
          : Array.from(ids, (id) => ({ environment, hint: { kind, id } })),
      );
      groups.clear();
      return hints;
    },
  };
}
