import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "@procedo/engine";

/** Tracks the requests of a listener, and shuts it down. */
export interface Drain {
  /** Whether the listener has stopped accepting connections. */
  readonly begun: boolean;
  began(socket: Duplex): void;
  answered(socket: Duplex): void;
  isAnswering(socket: Duplex): boolean;
  /** Fires when the response's caller disconnects, or the drain time is over. */
  waitSignal(response: ServerResponse): AbortSignal;
  /** Fires when the response's caller disconnects, or the shutdown begins. */
  pollSignal(response: ServerResponse): AbortSignal;
  end(drainMs: number): Promise<void>;
}

/** Time to send the answers that fall due at the end of the drain time. */
const lastAnswersMs = 1_000;

export function createDrain(server: Server, clock: Pick<Clock, "after">): Drain {
  // Keyed by connection rather than request, to avoid constant insertions and garbage.
  const underWay = new WeakMap<Duplex, { requests: number }>();
  let requests = 0;
  const waits = new Set<AbortController>();
  const polls = new Set<AbortController>();
  let ended: Promise<void> | undefined;
  let timeIsOver = false;

  const end = (drainMs: number): Promise<void> =>
    new Promise((resolve) => {
      for (const poll of polls) poll.abort();
      let cancel = clock.after(drainMs, () => {
        timeIsOver = true;
        for (const wait of waits) wait.abort();
        cancel = clock.after(lastAnswersMs, () => server.closeAllConnections());
        // Connections without a request in progress need no answer.
        if (requests === 0) server.closeAllConnections();
      });
      server.close(() => {
        cancel();
        resolve();
      });
    });

  return {
    get begun() {
      return ended !== undefined;
    },
    began: (socket) => {
      requests += 1;
      const own = underWay.get(socket);
      if (own === undefined) underWay.set(socket, { requests: 1 });
      else own.requests += 1;
    },
    answered: (socket) => {
      const own = underWay.get(socket);
      if (own !== undefined) own.requests -= 1;
      requests -= 1;
    },
    isAnswering: (socket) => (underWay.get(socket)?.requests ?? 0) > 0,
    waitSignal: (response) => signalOf(response, waits, timeIsOver),
    pollSignal: (response) => signalOf(response, polls, ended !== undefined),
    end: (drainMs) => (ended ??= end(drainMs)),
  };
}

function signalOf(response: ServerResponse, all: Set<AbortController>, isOver: boolean): AbortSignal {
  const wait = new AbortController();
  if (isOver || response.destroyed) wait.abort();
  all.add(wait);
  response.once("close", () => {
    all.delete(wait);
    // After a complete answer there is no waiter left, and each abort would create an error with a stack.
    if (!response.writableFinished) wait.abort();
  });
  return wait.signal;
}
