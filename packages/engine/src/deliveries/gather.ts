import type { Clock } from "../ports/clock.ts";

/**
 * Turns of the event loop in which nothing more comes, or for which somebody else waits at most: a tenth of a millisecond on
 * the whole while it has time, up to 12 where it has none. A write costs as much as sending ten deliveries.
 */
const turnsToWait = 10;

/** Beyond, a write costs hardly less for each, and the room that they leave comes back later. */
const maxGathered = 1_024;

/** What comes one by one, each within {@link turnsToWait} of the last, is held back for so long, or for that many turns. */
const maxGatherMs = 100;

/** What is gathered, so that it shares a write. */
export interface Gathered {
  readonly clock: Pick<Clock, "soon" | "monotonic">;
  /** How much there is now. */
  readonly count: () => number;
  /** Whether something waits that begins with the write; asked in each turn. */
  readonly isAwaited: () => boolean;
}

/**
 * Calls `then` once: when no more comes; after some turns also when enough has come, it took long, or it is awaited.
 */
export function gather({ clock, count, isAwaited }: Gathered, then: () => void): void {
  const sinceMs = clock.monotonic();
  let turns = 0;
  let quietTurns = 0;
  let before = count();

  const hasEnough = (): boolean => isAwaited() || before >= maxGathered || clock.monotonic() - sinceMs >= maxGatherMs;

  const turn = (): void => {
    turns++;
    quietTurns = count() === before ? quietTurns + 1 : 0;
    before = count();
    if (quietTurns >= turnsToWait || (turns >= turnsToWait && hasEnough())) then();
    else clock.soon(turn);
  };
  clock.soon(turn);
}
