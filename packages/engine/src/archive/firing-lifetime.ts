const dayMs = 86_400_000;

/** How long the content of an event is kept. */
const contentsKeptMs = 30 * dayMs;

/** How long a firing is kept, and the facts of its event. */
const firingsKeptMs = 400 * dayMs;

/** The times before which contents and firings are removed. */
export function firingLifetime(nowMs: number): { readonly contentsBeforeMs: number; readonly firingsBeforeMs: number } {
  return { contentsBeforeMs: nowMs - contentsKeptMs, firingsBeforeMs: nowMs - firingsKeptMs };
}
