/* Engines that deliver to real receivers on this machine, in the harness's time. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Delivery, Engine, NewWebhook, Webhook } from "@procedo/engine";
import { onTestFinished } from "vitest";
import { alice, createHarness, type Harness, type HarnessOptions } from "./harness.ts";
import { procedure } from "./documents.ts";

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The event id of the envelope. */
  readonly id: string;
}

export type Answer = number | ((response: ServerResponse, request: ReceivedRequest) => void);

/** A real HTTP server that records its requests and answers as configured. */
export interface Receiver {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Sets the answer from now on. @defaultValue 200 */
  answer(answer: Answer): void;
}

export async function receive(first: Answer = 200): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  let current = first;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      const { url: path = "", headers, rawHeaders } = incoming;
      const { id } = JSON.parse(body.toString()) as { id: string };
      const request = { path, headers, rawHeaders, body, id };
      requests.push(request);
      if (typeof current === "function") current(response, request);
      else response.writeHead(current).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    answer: (answer) => {
      current = answer;
    },
  };
}

export interface WebhookHarness extends Harness {
  subscribe(url: string, changes?: Partial<NewWebhook>): Promise<Webhook & { readonly secret: string }>;
  /** A run that completes at once, with an event for every webhook. */
  emitEvent(environment?: "sandbox" | "live"): Promise<void>;
  /** Newest first. */
  deliveries(webhook: Webhook): Promise<readonly Delivery[]>;
  /** The webhook's only delivery, as soon as it satisfies the condition. */
  deliveryThat(webhook: Webhook, isWanted: (delivery: Delivery) => boolean): Promise<Delivery>;
  /** Stops an engine while time passes. */
  stop(engine: Engine): Promise<void>;
  /** Advances time by `ms` at once, and then runs everything that is late. */
  leap(ms: number): Promise<void>;
  /** Runs everything until the condition holds: real connections take turns of the event loop, not time. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>;
}

export async function createWebhookHarness(options: HarnessOptions = {}): Promise<WebhookHarness> {
  const harness = await createHarness({ egress: { allowNetworks: ["127.0.0.1/32"] }, ...options });
  const { clock, engine } = harness;
  await harness.publish(procedure([]), { defaultIn: ["sandbox", "live"] });
  // The engine has looked for deliveries once before a test starts.
  await clock.settle();
  const stop: WebhookHarness["stop"] = async (stopping) => {
    let stopped = false;
    void stopping.stop({ drainMs: 0 }).then(() => (stopped = true));
    while (!stopped) await clock.advance(1_000);
  };
  onTestFinished(() => stop(engine));

  const until: WebhookHarness["until"] = async (isSo) => {
    while (!(await isSo())) await clock.settle();
  };
  const deliveries = async ({ environment, webhookId }: Webhook): Promise<readonly Delivery[]> =>
    (await engine.webhooks.deliveries({ environment, webhookId, limit: 1000 })).items;
  return {
    ...harness,
    until,
    stop,
    deliveries,
    subscribe: (url, changes = {}) =>
      engine.webhooks.create({ url, events: ["run_completed"], environment: "sandbox", by: alice, ...changes }),
    emitEvent: async (environment = "sandbox") => {
      await harness.run({}, { environment });
    },
    deliveryThat: async (webhook, isWanted) => {
      let found: Delivery | undefined;
      await until(async () => {
        const [delivery, ...others] = await deliveries(webhook);
        if (others.length > 0) throw new Error("The webhook has more than one delivery.");
        found = delivery;
        return found !== undefined && isWanted(found);
      });
      return found as Delivery;
    },
    leap: async (ms) => {
      await clock.settle();
      clock.leap(ms);
      await clock.advance(0);
    },
  };
}

/** Settled at least once. */
export const wasTried = ({ url, error, status }: Delivery): boolean =>
  url !== "" && (error !== undefined || status !== "pending");
export const hasEnded = ({ status }: Delivery): boolean => status !== "pending";
