import type { Change } from "@procedo/storage";

/** Least time between two notices of writes in one scope, in milliseconds. */
export const writtenMs = 1_000;

export interface Announcer {
  /** Announces changes after their commit. */
  readonly announce: (changes: readonly Change[]) => void;
  /** Sends what was collected, so that pages at other nodes miss nothing of a process that ends. */
  readonly flush: () => void;
}

/**
 * Announces changes after their commit to the listeners of this process and to the other nodes. Writes that only other
 * nodes have to be told of are collected, since each notification is a transaction that every node receives.
 */
export function createAnnouncer(to: {
  readonly emit: (change: Change) => void;
  readonly send: (changes: readonly Change[]) => void;
}): Announcer {
  /** By environment and workspace. */
  const written = new Map<string, Change>();
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (written.size === 0) return;
    const collected = [...written.values()];
    written.clear();
    to.send(collected);
  };
  const note = (change: Extract<Change, { readonly type: "written" }>): void => {
    timer ??= setTimeout(flush, writtenMs).unref();
    written.set(`${change.scope.environment} ${change.scope.workspace}`, change);
  };

  return {
    announce: (changes) => {
      const named: Change[] = [];
      for (const change of changes) {
        if (change.type === "written") {
          note(change);
        } else {
          to.emit(change);
          named.push(change);
        }
      }
      if (named.length > 0) to.send(named);
    },
    flush,
  };
}
