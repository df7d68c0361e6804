import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Answers the requests of a connection one at a time, in order of arrival. A request starts when the operating system
 * has accepted the previous answer. A connection with pipelined requests (RFC 9112, 9.3.2) that reads no answers
 * therefore holds at most one unread answer.
 */
export interface Turns {
  /** Starts a request now, or after the previous ones. A connection with too many waiting requests is closed. */
  take(request: IncomingMessage, response: ServerResponse, begin: () => void): void;
  /** Whether a request of this connection is in progress. */
  isBusy(socket: Socket): boolean;
}

/** Maximum number of waiting requests per connection. Clients rarely pipeline at all. */
export const maxPipelined = 16;

interface Turn {
  isBusy: boolean;
  readonly waiting: (() => void)[];
}

export function createTurns(): Turns {
  // Keyed by connection rather than request, to avoid constant insertions and garbage.
  const turns = new WeakMap<Socket, Turn>();

  const run = (turn: Turn, socket: Socket, response: ServerResponse, begin: () => void): void => {
    turn.isBusy = true;
    response.once("close", () => next(turn, socket));
    begin();
  };
  const next = (turn: Turn, socket: Socket): void => {
    turn.isBusy = false;
    // An answer that closes its connection is the last one; later requests are dropped.
    if (socket.destroyed || socket.writableEnded) turn.waiting.length = 0;
    const following = turn.waiting.shift();
    if (following !== undefined) following();
    else if (socket.isPaused()) socket.resume();
  };

  return {
    take: (request, response, begin) => {
      const { socket } = request;
      let turn = turns.get(socket);
      if (turn === undefined) turns.set(socket, (turn = { isBusy: false, waiting: [] }));
      const own = turn;
      if (!own.isBusy) return run(own, socket, response, begin);
      if (own.waiting.length >= maxPipelined) {
        own.waiting.length = 0;
        socket.destroy();
        return;
      }
      own.waiting.push(() => run(own, socket, response, begin));
      // No more is read from the connection until this request starts.
      socket.pause();
    },
    isBusy: (socket) => turns.get(socket)?.isBusy === true,
  };
}
