import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A transfer in the book of the clearing house. */
export interface Transfer {
  readonly key: string;
  readonly payee: string;
  readonly amount: number;
}

/**
 * A clearing house behind a Custom API connection. It honours idempotency keys, and breaks the connection of the first
 * request for the payee `Lost answer` after it has booked the transfer, and for `Lost request` before.
 */
export interface Clearing {
  /** Address of its OpenAPI document. */
  readonly documentUrl: string;
  /** Transfers that were booked. */
  readonly book: readonly Transfer[];
  stop(): Promise<void>;
}

export async function startClearing(): Promise<Clearing> {
  const book: Transfer[] = [];
  const broken = new Set<string>();

  const transfer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { payee, amount } = JSON.parse(await text(request)) as Pick<Transfer, "payee" | "amount">;
    const key = String(request.headers["idempotency-key"]);
    const isFirst = !broken.has(key);
    broken.add(key);
    if (payee === "Lost request" && isFirst) return void request.socket.destroy();
    if (book.every((booked) => booked.key !== key)) book.push({ key, payee, amount });
    if (payee === "Lost answer" && isFirst) return void request.socket.destroy();
    const transferId = `T-${book.findIndex((booked) => booked.key === key) + 1}`;
    answer(response, { transferId, state: "booked" });
  };

  const server = createServer((request, response) => {
    if (request.method === "POST") void transfer(request, response);
    else answer(response, openApi);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const openApi = documentOf(url);
  return {
    documentUrl: `${url}/openapi.json`,
    book,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function documentOf(url: string) {
  const schema = (properties: object) => ({ type: "object", properties, required: Object.keys(properties) });
  const content = (properties: object) => ({ "application/json": { schema: schema(properties) } });
  const text = { type: "string" };
  const amount = { type: "integer", description: "In cents." };
  return {
    openapi: "3.0.3",
    info: { title: "Clearing", version: "2" },
    servers: [{ url: `${url}/v2` }],
    paths: {
      "/transfers": {
        post: {
          operationId: "create_transfer",
          requestBody: { required: true, content: content({ payee: text, amount, currency: text }) },
          responses: { 200: { description: "Booked.", content: content({ transferId: text, state: text }) } },
        },
      },
    },
  };
}
