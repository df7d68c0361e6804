import { ProcedoError } from "@procedo/contract";
import { notAwaited } from "../audit/shown-once.ts";
import type { Clock } from "../ports/clock.ts";

/**
 * Runs work that hashes a password, two at a time: each hash occupies 32 MiB and a thread. Sources take turns, so that
 * the work of one source delays another source by no more than one piece of work. Work whose caller disconnected does
 * not begin.
 *
 * @throws ProcedoError `rate_limited` when the turn did not come within 5 seconds, and when too much work of the source
 *   waits; `overloaded` when the caller no longer waits
 */
export type HashTurns = <T>(turn: HashTurn, work: () => Promise<T>) => Promise<T>;

/** The origin of a piece of work. */
export interface HashTurn {
  /** The source; `undefined` for one of its own. */
  readonly source: string | undefined;
  /** Whether the caller still waits. @defaultValue always true */
  readonly isAwaited?: (() => boolean) | undefined;
}

interface Waiting {
  readonly isAwaited: () => boolean;
  readonly begin: () => void;
  readonly refuse: (error: ProcedoError) => void;
}

const most = 2;
const maxWaitMs = 5_000;
/** A reverse proxy is one source, behind which a whole company signs in. */
const mostOfSource = 32;

export function createHashTurns(clock: Pick<Clock, "after">): HashTurns {
  /** By source, in the order of their turns. No queue is empty. */
  const queues = new Map<string | symbol, Waiting[]>();
  let busy = 0;

  const leave = (source: string | symbol, gone: (one: Waiting) => boolean): void => {
    const rest = (queues.get(source) ?? []).filter((one) => !gone(one));
    if (rest.length === 0) queues.delete(source);
    else queues.set(source, rest);
  };

  const dropGone = (source: string | symbol): void => {
    const gone = (queues.get(source) ?? []).filter(({ isAwaited }) => !isAwaited());
    leave(source, (one) => gone.includes(one));
    for (const { refuse } of gone) refuse(notAwaited());
  };

  const turn = (source: string | symbol, isAwaited: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      dropGone(source);
      const before = queues.get(source) ?? [];
      if (before.length >= mostOfSource) return reject(tooMany(1_000));
      const cancel = clock.after(maxWaitMs, () => {
        leave(source, (one) => one === waiting);
        reject(tooMany(maxWaitMs));
      });
      const waiting: Waiting = {
        isAwaited,
        begin: () => {
          cancel();
          resolve();
        },
        refuse: (error) => {
          cancel();
          reject(error);
        },
      };
      queues.set(source, [...before, waiting]);
    });

  /** Lets the next work begin, in the place of work that ended. */
  const passOn = (): void => {
    for (;;) {
      const [source] = queues.keys();
      if (source === undefined) {
        busy--;
        return;
      }
      dropGone(source);
      const [next, ...rest] = queues.get(source) ?? [];
      queues.delete(source);
      if (rest.length > 0) queues.set(source, rest);
      if (next !== undefined) return next.begin();
    }
  };

  return async ({ source = Symbol("unknown"), isAwaited = () => true }, work) => {
    if (busy >= most) await turn(source, isAwaited);
    else busy++;
    try {
      return await work();
    } finally {
      passOn();
    }
  };
}

function tooMany(retryAfterMs: number): ProcedoError {
  const message = "Too many people sign in at this moment. Try again shortly.";
  return new ProcedoError("rate_limited", message, { retryAfterMs });
}
