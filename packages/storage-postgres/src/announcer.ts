import type { Change } from "@procedo/storage";

/** Least time between two notices of writes in one scope, in milliseconds. */
export const writtenMs = 1_000;

/**
 * Announces changes after their commit to the listeners of this process and to the other nodes. Writes that only other
 * nodes have to be told of are collected, since each notification is a transaction that every node receives.
 */
export function createAnnouncer(to: {
  readonly emit: (change: Change) => void;
  readonly send: (changes: readonly Change[]) => void;
}): (changes: readonly Change[]) => void {
  /** By environment and workspace. */
  const written = new Map<string, Change>();

  const sendWritten = (): void => {
    const collected = [...written.values()];
    written.clear();
    to.send(collected);
  };
  const note = (change: Extract<Change, { readonly type: "written" }>): void => {
    if (written.size === 0) setTimeout(sendWritten, writtenMs).unref();
    written.set(`${change.scope.environment} ${change.scope.workspace}`, change);
  };

  return (changes) => {
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
  };
}
