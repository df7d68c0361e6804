import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import type { Service } from "../src/service.ts";

/** Webhooks in sandbox: one whose events arrive, one that fails, and one that a person deactivated. */
export interface SeededWebhooks {
  readonly accepted: string;
  readonly failing: string;
  /** Waits until each event was sent once. */
  settled(): Promise<void>;
  /** Shows the address that a receiver would have in place of the one in this process. */
  rename(page: Page): Promise<void>;
  stop(): void;
}

const shownOrigin = "https://hooks.acme.example";

export async function seedWebhooks(service: Service, by: { readonly person: string }): Promise<SeededWebhooks> {
  const receiver = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(request.url === "/warehouse" ? 503 : 204).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const create = async (name: string, path: string, events: readonly string[]): Promise<string> => {
    const webhook = { name, url: origin + path, events, environment: "sandbox", by } as const;
    return (await service.engine.webhooks.create(webhook)).webhookId;
  };
  const accepted = await create("ERP", "/erp/procedo", ["run_completed", "run_failed"]);
  const failing = await create("Data warehouse", "/warehouse", ["run_completed"]);
  const inactive = await create("Treasury chat", "/chat", ["human_review_requested", "custom.payment_made"]);
  await service.engine.webhooks.update({ environment: "sandbox", webhookId: inactive, isActive: false, by });
  const hasUnsent = async (webhookId: string): Promise<boolean> => {
    const { items } = await service.engine.webhooks.deliveries({ environment: "sandbox", webhookId, limit: 100 });
    return items.some(({ status, responseCode }) => status === "pending" && responseCode === undefined);
  };
  return {
    accepted,
    failing,
    settled: async () => {
      for (const id of [accepted, failing]) while (await hasUnsent(id)) await new Promise(setImmediate);
    },
    rename: async (page) => {
      await page.route("**/api/v1/webhooks**", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replaceAll(origin, shownOrigin) });
      });
      await page.reload();
    },
    stop: () => {
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}
