import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { SeededRandom } from "@procedo-testing/faults";

/**
 * Lets statements of several connections reach one Postgres one at a time, in an order that a seed decides. While a
 * statement waits for a lock, others are sent. A seed therefore decides which statements run between two statements of
 * a transaction.
 */
export interface StatementScheduler {
  /** Sends a statement when its turn comes. Those of one connection keep their order. */
  submit<T>(connection: ScheduledConnection, label: string, send: () => Promise<T>): Promise<T>;
  /**
   * Sends statements until the work is done.
   *
   * @throws Error if no statement makes progress and the work is not done
   */
  drive(work: Promise<unknown>): Promise<void>;
  /** The sent statements, in order; a leading `…` marks a statement that had to wait for a lock. */
  readonly trace: readonly string[];
}

export interface ScheduledConnection {
  readonly name: string;
  /** The id of its process in Postgres. */
  readonly pid: number;
}

interface Turn {
  readonly connection: ScheduledConnection;
  readonly label: string;
  readonly go: () => Promise<void>;
}

/** Nearly every statement is answered by then. Asking Postgres whether one waits for a lock costs more. */
const patienceMs = 2;
/** Consecutive checks without progress. */
const mostIdleLooks = 5_000;

/** @param blockedAmong returns those of the given processes that wait for a lock */
export function createStatementScheduler(
  random: SeededRandom,
  blockedAmong: (pids: readonly number[]) => Promise<ReadonlySet<number>>,
): StatementScheduler {
  const waiting: Turn[] = [];
  const underWay = new Map<Turn, Promise<void>>();
  const trace: string[] = [];
  let moved = 0;

  /** Resolves when every sent statement is answered or waits for a lock. */
  const untilStill = async (): Promise<void> => {
    for (;;) {
      await nextTurn();
      if (underWay.size === 0) return;
      const before = moved;
      await Promise.race([...underWay.values(), pause(patienceMs)]);
      if (moved !== before) continue;
      const pids = [...underWay.keys()].map(({ connection }) => connection.pid);
      const blocked = await blockedAmong(pids);
      if (moved === before && pids.every((pid) => blocked.has(pid))) return;
    }
  };

  const hasTurn = (turn: Turn): boolean => {
    const isSame = (other: Turn): boolean => other.connection.pid === turn.connection.pid;
    return ![...underWay.keys()].some(isSame) && waiting.find(isSame) === turn;
  };

  return {
    trace,
    submit: (connection, label, send) =>
      new Promise((resolve, reject) => {
        const go = () =>
          send().then(
            (result) => resolve(result),
            (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
          );
        waiting.push({ connection, label, go });
      }),
    drive: async (work) => {
      let over = false;
      const end = (): void => void (over = true);
      work.then(end, end);
      let idleLooks = 0;
      for (;;) {
        await untilStill();
        if (over) break;
        // Connections are sorted by name, so that the choice does not depend on which answer arrived first.
        const eligible = waiting.filter(hasTurn).sort((a, b) => a.connection.name.localeCompare(b.connection.name));
        if (eligible.length === 0) {
          // A deadlock that Postgres has not detected yet, or a retry that waits for its time.
          if (++idleLooks > mostIdleLooks)
            throw new Error(`No statement makes progress after: ${trace.slice(-8).join(" | ")}`);
          await pause(1);
          continue;
        }
        idleLooks = 0;
        const turn = random.pick(eligible);
        waiting.splice(waiting.indexOf(turn), 1);
        const line = trace.push(`${turn.connection.name}: ${turn.label}`) - 1;
        const sent = turn.go().finally(() => {
          underWay.delete(turn);
          moved += 1;
        });
        underWay.set(turn, sent);
        await untilStill();
        if (underWay.has(turn)) trace[line] = `… ${trace[line]}`;
      }
      await work;
    },
  };
}
