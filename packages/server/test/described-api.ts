import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the API received. */
export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A service that has an OpenAPI document at `/openapi.json`. */
export interface DescribedApi {
  readonly url: string;
  /** All requests except those for the document. */
  readonly requests: readonly ApiRequest[];
  close(): Promise<void>;
}

const ok = { responses: { 200: { description: "Done" } } };
const order = { type: "object", required: ["amount"], properties: { amount: { type: "integer" } } };

/** The document of a service with payments. */
export function paymentsDocument(url: string): object {
  return {
    openapi: "3.0.3",
    info: { title: "Payments", version: "1" },
    servers: [{ url }],
    paths: {
      "/payments": {
        get: ok,
        post: { requestBody: { required: true, content: { "application/json": { schema: order } } }, ...ok },
      },
    },
  };
}

/** Starts the service on this machine. `answer` returns the status, headers and body of other requests. */
export async function openDescribedApi(
  answer: (request: ApiRequest) => {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): Promise<DescribedApi> {
  const requests: ApiRequest[] = [];
  const server = createServer((incoming, response) => {
    void incoming.toArray().then((chunks: readonly Buffer[]) => {
      const { method = "", url: path = "", headers } = incoming;
      if (path === "/openapi.json") return response.end(JSON.stringify(paymentsDocument(url)));
      const request = { method, url: path, headers, body: Buffer.concat(chunks).toString() };
      requests.push(request);
      const { status, headers: answered = {}, body = "" } = answer(request);
      return response.writeHead(status, { "content-type": "application/json", ...answered }).end(body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
