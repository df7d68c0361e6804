import type { CallLimits } from "../integrations/integration.ts";
import type { Clock } from "../ports/clock.ts";
import type { Notice } from "../ports/notice.ts";

/** The place of one call among those of its connection. */
export interface CallPlace {
  readonly connectionId: string;
  /** Gives the place back, once its attempt has an outcome. Later calls do nothing. */
  leave(): void;
}

/** Keeps the calls of this process within the limits of their services. */
export interface CallLimiter {
  /** A place for a call that need not wait; `undefined` if it would have to. */
  tryTake(connectionId: string, limits: CallLimits): CallPlace | undefined;
  /** Waits for a place, in the order of the calls. `undefined` if the notice is given first. */
  take(connectionId: string, limits: CallLimits, givesUp: Notice): Promise<CallPlace | undefined>;
  /**
   * A later turn for a call, because too many wait already: how long until then, in milliseconds. Each turn is given once.
   * `undefined` if the call may wait here.
   */
  laterTurn(connectionId: string, limits: CallLimits): number | undefined;
}

/**
 * The share of the worker's places that runs may hold whose calls wait here: those of one connection, and all together. More
 * of them would hold up the runs that need other services.
 */
const waitingShare = { ofConnection: 1 / 10, ofAll: 1 / 2 };

interface Calls {
  active: number;
  /** Monotonic times of the latest calls, oldest first; as many as the limit of a minute. */
  begun: number[];
  readonly waiting: (() => void)[];
  /** Monotonic time of the last turn that was given. */
  lastTurn: number;
  /** Cancels the timer of the first call that waits for the minute to pass. */
  cancelTimer: (() => void) | undefined;
}

const minuteMs = 60_000;

/** The assumed duration of a call, for the turns at a limit on calls at the same time. */
const callMs = 1_000;

/** How long after another a call can be made, on average. */
function spacingMs({ concurrent = Infinity, perMinute = Infinity }: CallLimits): number {
  return Math.max(callMs / concurrent, minuteMs / perMinute);
}

/**
 * Each process counts its own calls: with several nodes, a service that counts all of them answers some with 429, which
 * are repeated.
 *
 * @param capacity - runs that the worker holds at once
 */
export function createCallLimiter(clock: Pick<Clock, "monotonic" | "after">, capacity: number): CallLimiter {
  const byConnection = new Map<string, Calls>();
  const mostOfConnection = Math.max(1, Math.floor(capacity * waitingShare.ofConnection));
  const mostOfAll = Math.max(1, Math.floor(capacity * waitingShare.ofAll));
  let waitingOfAll = 0;

  const callsOf = (connectionId: string): Calls => {
    const known = byConnection.get(connectionId);
    if (known !== undefined) return known;
    const none: Calls = { active: 0, begun: [], waiting: [], lastTurn: -Infinity, cancelTimer: undefined };
    byConnection.set(connectionId, none);
    return none;
  };

  /** How long a call has to wait for the limit of a minute. */
  const minuteLeftMs = ({ begun }: Calls, { perMinute }: CallLimits): number => {
    const oldest = perMinute === undefined || begun.length < perMinute ? undefined : begun[0];
    return oldest === undefined ? 0 : Math.max(0, oldest + minuteMs - clock.monotonic());
  };

  const hasRoom = (calls: Calls, limits: CallLimits): boolean =>
    calls.active < (limits.concurrent ?? Infinity) && minuteLeftMs(calls, limits) === 0;

  const enter = (connectionId: string, calls: Calls, limits: CallLimits): CallPlace => {
    calls.active += 1;
    if (limits.perMinute !== undefined) {
      calls.begun.push(clock.monotonic());
      if (calls.begun.length > limits.perMinute) calls.begun.shift();
    }
    let isTaken = true;
    return {
      connectionId,
      leave: () => {
        if (!isTaken) return;
        isTaken = false;
        calls.active -= 1;
        admit(calls, limits);
        if (calls.active === 0 && calls.waiting.length === 0 && calls.begun.length === 0)
          byConnection.delete(connectionId);
      },
    };
  };

  /** Lets calls in that wait, or sets a timer for the first one. */
  const admit = (calls: Calls, limits: CallLimits): void => {
    calls.cancelTimer?.();
    calls.cancelTimer = undefined;
    while (calls.waiting.length > 0 && hasRoom(calls, limits)) calls.waiting.shift()?.();
    // The later turns are over, or their runs are.
    if (calls.waiting.length === 0) calls.lastTurn = -Infinity;
    const waitMs = minuteLeftMs(calls, limits);
    if (calls.waiting.length > 0 && waitMs > 0) calls.cancelTimer = clock.after(waitMs, () => admit(calls, limits));
  };

  const tryTake = (connectionId: string, limits: CallLimits): CallPlace | undefined => {
    const calls = callsOf(connectionId);
    return calls.waiting.length === 0 && hasRoom(calls, limits) ? enter(connectionId, calls, limits) : undefined;
  };

  return {
    tryTake,
    laterTurn: (connectionId, limits) => {
      const calls = byConnection.get(connectionId);
      if (calls === undefined || (calls.waiting.length < mostOfConnection && waitingOfAll < mostOfAll))
        return undefined;
      const now = clock.monotonic();
      const spacing = spacingMs(limits);
      calls.lastTurn = Math.max(calls.lastTurn, now + calls.waiting.length * spacing) + spacing;
      return Math.ceil(calls.lastTurn - now);
    },
    take: async (connectionId, limits, givesUp) => {
      if (givesUp.given) return undefined;
      const place = tryTake(connectionId, limits);
      if (place !== undefined) return place;
      const calls = callsOf(connectionId);
      waitingOfAll += 1;
      return await new Promise((resolve) => {
        let unlisten = (): void => {};
        const give = (): void => {
          waitingOfAll -= 1;
          unlisten();
          resolve(enter(connectionId, calls, limits));
        };
        calls.waiting.push(give);
        unlisten = givesUp.listen(() => {
          waitingOfAll -= 1;
          calls.waiting.splice(calls.waiting.indexOf(give), 1);
          resolve(undefined);
        });
        admit(calls, limits);
      });
    },
  };
}
