import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "@procedo/engine";

/** What a listener has under way, and how it comes to an end. */
export interface Drain {
  /** No new connections are taken. */
  readonly begun: boolean;
  began(socket: Duplex): void;
  answered(socket: Duplex): void;
  isAnswering(socket: Duplex): boolean;
  /** Gives notice when the response's caller is gone, or the time to drain is over. */
  waitSignal(response: ServerResponse): AbortSignal;
  /** Gives notice when the response's caller is gone, or the end has begun. */
  pollSignal(response: ServerResponse): AbortSignal;
  end(drainMs: number): Promise<void>;
}

/** For the answers that are given when the time is over. */
const lastAnswersMs = 1_000;

export function createDrain(server: Server, clock: Pick<Clock, "after">): Drain {
  // Per connection and not per request: a table in which sockets come and go all the time is mostly garbage.
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
        // What has no request under way has nothing to be told.
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
    // Nobody waits behind an answer, and each notice would make an error with its stack.
    if (!response.writableFinished) wait.abort();
  });
  return wait.signal;
}
