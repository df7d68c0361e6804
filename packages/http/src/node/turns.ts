import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Requests of one connection, answered one at a time in the order in which they came. A request begins when the answer
 * before it has left for the operating system: pipelined requests (RFC 9112, 9.3.2) cost a connection that reads no
 * answers one answer, not one for each request.
 */
export interface Turns {
  /** Begins a request now, or after those before it. A connection on which too many wait is closed. */
  take(request: IncomingMessage, response: ServerResponse, begin: () => void): void;
  /** Whether a request of this connection is under way. */
  isBusy(socket: Socket): boolean;
}

/** Requests that wait on one connection. Hardly any client sends even one before it has the answer to the last. */
export const maxPipelined = 16;

interface Turn {
  isBusy: boolean;
  readonly waiting: (() => void)[];
}

export function createTurns(): Turns {
  // Per connection and not per request: a table in which sockets come and go all the time is mostly garbage.
  const turns = new WeakMap<Socket, Turn>();

  const run = (turn: Turn, socket: Socket, response: ServerResponse, begin: () => void): void => {
    turn.isBusy = true;
    response.once("close", () => next(turn, socket));
    begin();
  };
  const next = (turn: Turn, socket: Socket): void => {
    turn.isBusy = false;
    // An answer that ends its connection is the last one: what was sent after its request is not looked at.
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
      // Nothing more is read from it until then.
      socket.pause();
    },
    isBusy: (socket) => turns.get(socket)?.isBusy === true,
  };
}
