import type { RunResult } from "@procedo/procedure";
import { createTransientMap } from "./transient-map.ts";

/** How a run came to rest: ended, or waiting for a person. */
export type Rest =
  | { readonly status: "completed" | "failed"; readonly result: RunResult; readonly atMs: number }
  | { readonly status: "awaiting_review" };

/** Those in this process who wait for a run to come to rest. */
export interface Waiters {
  /** Calls back once, at the next rest that this process sees; the returned function gives up. */
  wait(runId: string, callback: (rest: Rest | "changed") => void): () => void;
  /** The run came to rest here; its row is durable. */
  rested(runId: string, rest: Rest): void;
  /** The run was changed by somebody else: whoever waits has to read it again. */
  changed(runId: string): void;
  /** Anything may have changed. */
  allChanged(): void;
}

export function createWaiters(): Waiters {
  const waiting = createTransientMap<((rest: Rest | "changed") => void)[]>();
  const tell = (runId: string, rest: Rest | "changed"): void => {
    const callbacks = waiting.get(runId);
    if (callbacks === undefined) return;
    waiting.delete(runId);
    for (const callback of callbacks) callback(rest);
  };
  return {
    wait: (runId, callback) => {
      const callbacks = waiting.get(runId);
      if (callbacks === undefined) waiting.set(runId, [callback]);
      else callbacks.push(callback);
      return () => {
        const left = waiting.get(runId)?.filter((each) => each !== callback) ?? [];
        if (left.length > 0) waiting.set(runId, left);
        else waiting.delete(runId);
      };
    },
    rested: tell,
    changed: (runId) => tell(runId, "changed"),
    allChanged: () => {
      for (const [runId] of [...waiting.entries()]) tell(runId, "changed");
    },
  };
}
