import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { SeededRandom } from "@procedo-testing/faults";

/**
 * Lets statements of several connections reach one Postgres one at a time, in an order that a seed decides. A statement that waits
 * for a lock stays on its way, and others go on; so a seed decides what happens between any two statements of a transaction.
 */
export interface StatementScheduler {
  /** Sends a statement when its turn comes. Those of one connection keep their order. */
  submit<T>(connection: ScheduledConnection, label: string, send: () => Promise<T>): Promise<T>;
  /**
   * Hands out turns until the work is done.
   *
   * @throws Error when nothing moves any more and the work is not done
   */
  drive(work: Promise<unknown>): Promise<void>;
  /** What was sent, in order; a `…` in front marks one that had to wait for a lock. */
  readonly trace: readonly string[];
}

export interface ScheduledConnection {
  readonly name: string;
  /** Of its process in Postgres. */
  readonly pid: number;
}

interface Turn {
  readonly connection: ScheduledConnection;
  readonly label: string;
  readonly go: () => Promise<void>;
}

/** Nearly every statement is answered by then, and asking whether one waits for a lock costs more. */
const patienceMs = 2;
/** Looks in a row at which nothing had moved. */
const mostIdleLooks = 5_000;

/**
 * @param blockedAmong which of these processes wait for a lock right now
 */
export function createStatementScheduler(
  random: SeededRandom,
  blockedAmong: (pids: readonly number[]) => Promise<ReadonlySet<number>>,
): StatementScheduler {
  const waiting: Turn[] = [];
  const underWay = new Map<Turn, Promise<void>>();
  const trace: string[] = [];
  let moved = 0;

  /** Resolves when every statement that was sent is answered or waits for a lock. */
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
        // Connections come in the order of their names, so that the choice does not hang on who was answered first.
        const eligible = waiting.filter(hasTurn).sort((a, b) => a.connection.name.localeCompare(b.connection.name));
        if (eligible.length === 0) {
          // A deadlock that Postgres has not noticed yet, or a retry that waits for its time.
          if (++idleLooks > mostIdleLooks) throw new Error(`Nothing moves after: ${trace.slice(-8).join(" | ")}`);
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
