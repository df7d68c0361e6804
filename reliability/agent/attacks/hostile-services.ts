import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { send, textOf } from "../kills/bank-server.ts";

/**
 * Services that the engine can reach: the bank and the API that procedures use, the receiver of a webhook, and others
 * to which no request may be sent.
 */
export const serviceNames = ["bank", "api", "receiver", "live bank", "vault", "sink"] as const;
export type ServiceName = (typeof serviceNames)[number];

/** A request, as it arrived. */
export interface Received {
  readonly service: ServiceName;
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly key: string;
  readonly headers: string;
  readonly body: string;
}

export interface HostileServices {
  readonly urls: Readonly<Record<ServiceName, string>>;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

/** A message in a service's answer; with `refuses` it replaces the answer. */
export type Reply = (received: Received) => { readonly refuses: boolean; readonly message: string };

/** Hostile services: each answer contains an attacker's text, and the request's credentials in every encoding. */
export async function startHostileServices(reply: Reply): Promise<HostileServices> {
  const received: Received[] = [];
  const servers = new Map<ServiceName, Server>();
  let made = 0;
  const answer = async (service: ServiceName, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "", headers } = request;
    const { authorization = "", "idempotency-key": key = "" } = headers;
    const body = await textOf(request);
    const one = { service, method, path, authorization, key: String(key), headers: JSON.stringify(headers), body };
    received.push(one);
    const { refuses, message } = reply(one);
    const echo = formsOf(authorization.replace(/^Bearer /, ""));
    if (refuses) send(response, 422, { message: `${message} ${echo.join(" ")}` });
    else send(response, 200, { id: `made_${++made}`, message, echo });
  };
  for (const service of serviceNames) {
    const server = createServer((request, response) => {
      answer(service, request, response).catch(() => response.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    servers.set(service, server);
  }
  const urlOf = (service: ServiceName): string => {
    const { port } = servers.get(service)?.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  };
  return {
    urls: Object.fromEntries(serviceNames.map((name) => [name, urlOf(name)])) as Record<ServiceName, string>,
    received,
    close: async () => {
      for (const server of servers.values()) {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      }
    },
  };
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString("base64"), bytes.toString("hex"), encodeURIComponent(secret)];
}
