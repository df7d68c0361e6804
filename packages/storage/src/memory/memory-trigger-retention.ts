import type { TriggerStore } from "../triggers.ts";
import { isOpen, removeFiring } from "./memory-firings.ts";
import { sameScope, type MemoryState } from "./state.ts";

/** @returns the number of contents, firings and events that were removed */
export function removeExpired(
  state: MemoryState,
  { scope, contentsOlderThanMs, firingsOlderThanMs, limit }: Parameters<TriggerStore["removeExpired"]>[0],
): number {
  const nowMs = state.now();
  const isOlder = ({ receivedAtMs }: { readonly receivedAtMs: number }, ageMs: number): boolean =>
    receivedAtMs < nowMs - ageMs;
  const queued = new Set([...state.queuedFirings].map(({ event }) => event));
  const contents = [...state.events]
    .filter((event) => sameScope(event.scope, scope) && isOlder(event, contentsOlderThanMs))
    .filter((event) => event.content !== undefined && !queued.has(event))
    .slice(0, limit);
  for (const event of contents) event.content = undefined;

  const firings = [...state.firings.values()]
    .filter((firing) => sameScope(firing.scope, scope) && isOlder(firing, firingsOlderThanMs))
    .filter((firing) => !state.queuedFirings.has(firing) && !isOpen(firing))
    .slice(0, limit);
  for (const firing of firings) removeFiring(state, firing);

  const used = new Set([...state.firings.values()].map(({ event }) => event));
  const events = [...state.events]
    .filter((event) => sameScope(event.scope, scope) && isOlder(event, firingsOlderThanMs))
    .filter((event) => event.knownUntilMs <= nowMs && !used.has(event))
    .slice(0, limit);
  for (const event of events) state.events.delete(event);
  for (const [key, event] of state.knownEvents) if (!state.events.has(event)) state.knownEvents.delete(key);
  return contents.length + firings.length + events.length;
}
