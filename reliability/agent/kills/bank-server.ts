import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@procedo/contract";
import type { LedgerEffect } from "@procedo-examples/ledger";
import { blockedVendor } from "./loop-procedure.ts";
import type { Side } from "./loop-points.ts";

/** A payment or an entry of the bank. */
export interface BankAnswer extends JsonObject {
  readonly id: string;
  readonly amount: number;
}

/** The point at which a request is held forever. */
export type Hold = (side: Side) => Promise<void>;

/**
 * The oracle of effects, outside the killed processes. It does the work of `/pay` for every request that arrives, and
 * that of `/book` once per key. It refuses to pay one vendor.
 */
export interface Bank {
  readonly url: string;
  readonly token: string;
  /** The requests and effects under each key, without refused ones. */
  effects(): readonly LedgerEffect[];
  close(): Promise<void>;
}

interface Work {
  requests: number;
  readonly bodies: Set<string>;
  readonly made: BankAnswer[];
}

/** `hold` is awaited before the work (`arrived`) and before the answer (`done`). */
export async function startBank(token: string, hold: Hold): Promise<Bank> {
  const works = new Map<string, Work>();
  let made = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = /^\/done\?key=(.+)$/.exec(request.url ?? "");
    if (asked !== null) {
      send(response, 200, works.get(asked[1] ?? "")?.made[0] ?? null);
      return;
    }
    const body = await textOf(request);
    const key = request.headers["idempotency-key"];
    if (request.headers.authorization !== `Bearer ${token}` || typeof key !== "string") {
      send(response, 401, { message: "Who asks?" });
      return;
    }
    const work = works.get(key) ?? { requests: 0, bodies: new Set<string>(), made: [] };
    works.set(key, work);
    work.bodies.add(body);
    await hold("arrived");
    const { vendorId, amount } = JSON.parse(body) as { readonly vendorId?: string; readonly amount: number };
    if (vendorId === blockedVendor) {
      send(response, 422, { message: "The vendor is blocked." });
      return;
    }
    work.requests += 1;
    const known = request.url === "/book" ? work.made[0] : undefined;
    const result = known ?? { id: `made_${++made}`, amount };
    if (known === undefined) work.made.push(result);
    await hold("done");
    send(response, 200, result);
  };

  const server = createServer((request, response) => {
    // The client may die during its request.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    effects: () =>
      [...works].map(([key, { requests, bodies, made: done }]) => ({
        key,
        requests,
        executions: done.length,
        bodies: [...bodies],
        paymentIds: done.map(({ id }) => id),
      })),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8") as AsyncIterable<string>) text += chunk;
  return text;
}

export function send(response: ServerResponse, status: number, body: object | null): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
