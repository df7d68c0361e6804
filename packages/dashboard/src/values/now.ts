import { useSyncExternalStore } from "react";

const tickMs = 1_000;
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  // Without a listener the time stood still.
  if (listeners.size === 0) nowMs = Date.now();
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const each of listeners) each();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The present time, to the second. One timer serves the page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}
