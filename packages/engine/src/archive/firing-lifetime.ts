const dayMs = 86_400_000;

/** How long the content of an event is kept. */
const contentsKeptMs = 30 * dayMs;

/** How long a firing is kept, and the facts of its event. */
const firingsKeptMs = 400 * dayMs;

/** The ages from which contents and firings are removed. */
export const firingLifetime = { contentsOlderThanMs: contentsKeptMs, firingsOlderThanMs: firingsKeptMs };
