/** Inbound addresses of the signed services, and requests to them. */
import { request as send } from "node:http";
import { interceptVerbs } from "@procedo-testing/faults";
import type { Environment, JsonObject } from "@procedo/contract";
import { systemClock } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { expect } from "vitest";
import { createHarness, owner } from "./harness.ts";
import { books, cards, chat, debits, signingSecret } from "./signed-services.ts";

/** The answer to a request of a service. */
export interface Sent {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A service with a connection to each of the signed services, over TCP. */
export async function createReceiver(environment: Environment = "live") {
  let laterMs = 0;
  let addressReads = 0;
  // The rates stand still until a test moves the clock.
  const clock = { ...systemClock, now: () => systemClock.now() + laterMs, monotonic: () => laterMs };
  const storage = createMemoryStorage({ now: clock.now });
  const harness = await createHarness({
    clock,
    started: false,
    integrations: [cards, books, debits, chat],
    storage: interceptVerbs(storage, {
      "records.find": async (pass, { uniqueKey }) => {
        if (uniqueKey.startsWith('["inbound"')) addressReads += 1;
        return await pass();
      },
    }),
  });
  const { url } = await harness.listen();
  const settings: Readonly<Record<string, JsonObject>> = { books: { tenantId: "ours" }, chat: { botId: "B_OURS" } };
  const addresses = new Map<string, string>();
  const triggers = new Map<string, string>();
  for (const [name, type] of [
    ["cards", "payment.succeeded"],
    ["books", "invoice.update"],
    ["debits", "paid_out"],
    ["chat", "message"],
  ] as const) {
    const { inbound } = await harness.engine.connections.create({
      name,
      integration: name,
      environment,
      settings: settings[name] ?? {},
      secrets: { signingSecret },
      by: owner,
    });
    addresses.set(name, inbound?.address ?? "");
    const { triggerId } = await harness.engine.triggers.create({
      name,
      environment,
      procedureId: "echo",
      source: { kind: "integration", connection: name, events: [type] },
      by: owner,
    });
    triggers.set(name, triggerId);
  }
  const post = (
    name: string,
    body: string | Uint8Array,
    headers: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<Sent> =>
    new Promise((resolve, reject) => {
      const target = `${url}/in/v1/${addresses.get(name) ?? name}`;
      const request = send(
        target,
        { method: "POST", headers: { ...headers } as Record<string, string> },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (part: string) => (text += part));
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
          );
        },
      );
      request.on("error", reject).end(body);
    });
  /** In process, from the network address of a sender. */
  const postFrom = async (
    from: string,
    address: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> => {
    const request = new Request(`http://procedo.test/in/v1/${address}`, { method: "POST", body, headers });
    return await harness.http.fetch(request, { address: from });
  };
  return {
    harness,
    post,
    postFrom,
    /** How often an address was looked up in storage. */
    addressReads: () => addressReads,
    seconds: () => Math.floor(clock.now() / 1_000),
    later: (ms: number) => (laterMs += ms),
    address: (name: string) => addresses.get(name) ?? "",
    firings: async (name: string) =>
      (await harness.engine.triggers.firings({ environment, triggerId: triggers.get(name) ?? "", limit: 1_000 })).items,
  };
}

/** An event of `cards`. */
export const payment = (id: string, more: JsonObject = {}): string =>
  JSON.stringify({ id, type: "payment.succeeded", created: Math.floor(Date.now() / 1_000), livemode: true, ...more });

/** No body, no cookie, and nothing else that the service did not ask for. */
export function expectEmpty({ body, headers }: Sent): void {
  expect(body).toBe("");
  expect(headers["content-length"]).toBe("0");
  expect(headers["set-cookie"]).toBeUndefined();
  expect(headers["content-type"]).toBeUndefined();
  expect(headers["x-request-id"]).toMatch(/^req_/);
}
