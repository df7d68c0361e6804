import { connect } from "node:net";
import { LOOPBACK } from "./loopback.ts";

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** One kept connection with one request at a time. */
export interface HttpConnection {
  send(request: string): Promise<HttpAnswer>;
  close(): void;
}

const endOfHead = "\r\n\r\n";

/**
 * A minimal client: the cost of a general one would reduce the server's figures, on a machine with one core for each.
 * Reads answers with a Content-Length only, as every subject sends them.
 */
export async function openConnection(port: number): Promise<HttpConnection> {
  const socket = connect({ port, host: LOOPBACK, noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  socket.setEncoding("latin1");
  let waiting: PromiseWithResolvers<HttpAnswer> | undefined;
  let received = "";

  const fail = (error: Error): void => {
    waiting?.reject(error);
    waiting = undefined;
  };
  socket.on("data", (chunk: string) => {
    received += chunk;
    const answer = readAnswer(received);
    if (answer === undefined) return;
    if (answer instanceof Error) return fail(answer);
    received = "";
    waiting?.resolve(answer);
  });
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("The server closed the connection.")));

  return {
    send: (request) => {
      waiting = Promise.withResolvers<HttpAnswer>();
      socket.write(request, "latin1");
      return waiting.promise;
    },
    close: () => void socket.destroy(),
  };
}

/** The answer once it is complete; an error if it is unreadable. */
export function readAnswer(received: string): HttpAnswer | Error | undefined {
  const head = received.indexOf(endOfHead);
  if (head === -1) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, head))?.[1];
  if (length === undefined) return new Error(`The answer has no Content-Length: ${received.slice(0, head)}`);
  const begin = head + endOfHead.length;
  const missing = begin + Number(length) - received.length;
  if (missing > 0) return undefined;
  if (missing < 0) return new Error("The server sent more than one answer.");
  return { status: Number(received.slice(9, 12)), body: received.slice(begin) };
}
