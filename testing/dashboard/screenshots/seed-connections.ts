import { createBrowser, type OAuthServer } from "@procedo-testing/oauth-server";
import type { Page } from "playwright-core";
import type { Service } from "../src/service.ts";

/** Connections in sandbox: to books that a person authorized, to a network of the house, and to a clearing house. */
export interface SeededConnections {
  readonly books: string;
  readonly clearing: string;
  readonly office: string;
  /** Shows the addresses that services would have in place of those in this process. */
  rename(page: Page): Promise<void>;
}

export async function seedConnections(
  service: Service,
  server: OAuthServer,
  by: { readonly person: string },
): Promise<SeededConnections> {
  const { engine, url } = service;
  const facts = { environment: "sandbox", by } as const;
  const { connectionId: books } = await engine.connections.create({
    ...facts,
    name: "books",
    integration: "books",
    settings: { clientId: server.client.id },
    secrets: { clientSecret: server.client.secret },
  });
  server.allowRedirect(`${url}/oauth/callback`);
  server.grantedScopes = ["accounting"];
  const { ticket } = await engine.authorizations.begin({ ...facts, connectionId: books });
  await createBrowser().open(`${url}/oauth/start/${ticket}`);
  await engine.connections.create({
    ...facts,
    name: "acquirer",
    integration: "stripe",
    secrets: { secretKey: "rk_test_of_nobody" },
  });
  const created = { name: "compliance", integration: "private_connection", by };
  const { connectionId: office, tokens } = await engine.connections.create(created);
  const screen = { name: "screen_vendor", description: "Screens a vendor against the list of the house." };
  const functions = [{ ...screen, input: { type: "object" }, idempotent: true, requiresReview: false }];
  const headers = { authorization: `Bearer ${tokens?.sandbox ?? ""}`, "content-type": "application/json" };
  await fetch(`${url}/v1/sdk/functions`, { method: "PUT", headers, body: JSON.stringify({ functions }) });
  const { items } = await engine.connections.list({ environment: "sandbox", limit: 100 });
  const clearing = items.find(({ name }) => name === "clearing")?.connectionId ?? "";
  const houseUrl = new URL(service.clearing.documentUrl).origin;
  return {
    books,
    clearing,
    office,
    rename: async (page) => {
      await page.route("**/api/v1/connections**", async (route) => {
        const response = await route.fetch();
        const body = (await response.text())
          .replaceAll(houseUrl, "https://api.clearing.example")
          .replaceAll(url, "https://procedo.acme.example");
        await route.fulfill({ response, body });
      });
      await page.reload();
    },
  };
}
