import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the vault was asked: it is not answered until the test says so. */
export interface Question {
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  answer(text: string): void;
}

/** A service on loopback that a procedure calls. */
export interface Vault {
  readonly url: string;
  /** Resolves with the next question that has not been taken. */
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
