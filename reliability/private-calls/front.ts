import { once } from "node:events";
import { request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { serverCertificate } from "@procedo-testing/certificates";

/** The kind of a client's request. */
export type Kind = "functions" | "poll" | "heartbeat" | "result" | "results";

export interface Passing {
  readonly kind: Kind;
  /** The direction: to the service, or back with this status. */
  readonly status: number | undefined;
  /** The body of the request or of the answer. */
  readonly text: string;
}

/** A TLS proxy between the clients and the service, which can lose any request or answer. */
export interface Front {
  readonly url: string;
  /** Sets the service's port; `undefined` while it is dead. */
  servicePort: number | undefined;
  /** Called for each request and answer; `lost`: it never arrives. */
  watch: (passing: Passing) => Promise<"passes" | "lost">;
  /** Lease tokens whose result was accepted, by invocation. */
  readonly accepted: ReadonlyMap<string, ReadonlySet<string>>;
  /** Number of results that were accepted in a request with several of them. */
  acceptedTogether: number;
  close(): Promise<void>;
}

export async function startFront(): Promise<Front> {
  const accepted = new Map<string, Set<string>>();
  const server = createServer(serverCertificate, (request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const front: Front = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    servicePort: undefined,
    watch: () => Promise.resolve("passes"),
    accepted,
    acceptedTogether: 0,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return front;

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const kind = /\/v1\/sdk\/(\w+)/.exec(request.url ?? "")?.[1] as Kind;
    const text = await textOf(request);
    if ((await front.watch({ kind, status: undefined, text })) === "lost") return void response.destroy();
    const answer = await ask(request, response, text);
    const answered = await textOf(answer);
    if (kind === "result" && answer.statusCode === 200) note(JSON.parse(text) as Lease);
    if (kind === "results" && answer.statusCode === 200) noteSeveral(text, answered);
    const passing = { kind, status: answer.statusCode, text: answered };
    if ((await front.watch(passing)) === "lost") return void response.destroy();
    response.writeHead(answer.statusCode ?? 502, { "content-type": "application/json" }).end(answered);
  }

  function ask(request: IncomingMessage, response: ServerResponse, text: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      if (front.servicePort === undefined) throw new Error("The service is dead.");
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const options = {
        host: "127.0.0.1",
        port: front.servicePort,
        method: request.method,
        path: request.url,
        headers,
      };
      const asking = send(options, resolve).on("error", reject);
      // A client that disconnected is disconnected from the service as well.
      response.on("close", () => asking.destroy());
      asking.end(text);
    });
  }

  function note({ invocationId, leaseToken }: Lease): void {
    accepted.set(invocationId, (accepted.get(invocationId) ?? new Set()).add(leaseToken));
  }

  function noteSeveral(asked: string, answered: string): void {
    const { results } = JSON.parse(asked) as { readonly results: readonly Lease[] };
    const { results: settled } = JSON.parse(answered) as { readonly results: readonly { readonly success: boolean }[] };
    const taken = results.filter((_lease, index) => settled[index]?.success === true);
    for (const lease of taken) note(lease);
    if (taken.length > 1) front.acceptedTogether += taken.length;
  }
}

interface Lease {
  readonly invocationId: string;
  readonly leaseToken: string;
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
