import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to the vault, which the test answers explicitly. */
export interface Question {
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  answer(text: string): void;
}

/** A service on loopback, called by a procedure. */
export interface Vault {
  readonly url: string;
  /** Resolves with the next pending request. */
  next(): Promise<Question>;
  close(): void;
}

export async function openVault(): Promise<Vault> {
  const asked: Question[] = [];
  const takers: ((question: Question) => void)[] = [];
  const server = createServer((request, response: ServerResponse) => {
    request.resume().once("end", () => {
      const question: Question = {
        authorization: request.headers.authorization,
        idempotencyKey: request.headers["idempotency-key"] as string | undefined,
        answer: (text) => void response.end(text),
      };
      const take = takers.shift();
      if (take === undefined) asked.push(question);
      else take(question);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: () => {
      const question = asked.shift();
      return question === undefined ? new Promise((resolve) => takers.push(resolve)) : Promise.resolve(question);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
