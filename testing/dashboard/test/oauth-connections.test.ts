import { startOAuthServer, type OAuthServer } from "@procedo-testing/oauth-server";
import {
  booksOf,
  openPage,
  seriousProblems,
  startService,
  type Service,
  type ServicePerson,
} from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let server: OAuthServer;
let service: Service;
let builder: ServicePerson;

beforeAll(async () => {
  server = await startOAuthServer();
  service = await startService([booksOf(server)]);
  server.allowRedirect(`${service.url}/oauth/callback`);
  builder = await service.join("Bea Builder", { sandbox: ["builder"], live: ["builder"] });
});

afterAll(async () => {
  await service.stop();
  await server.stop();
});

test("a connection is created, authorized at the service, renewed, and given another account by choice only", async () => {
  const page = await openPage(service, { person: builder, otherOrigins: [new URL(server.issuer).origin] });
  await page.goto("/dashboard/sandbox/connections/new?kind=books");
  await page.getByRole("textbox", { name: "Name" }).fill("books");
  await page.getByRole("textbox", { name: "Client ID" }).fill(server.client.id);
  await page.getByLabel("Client secret", { exact: true }).fill(server.client.secret);
  await page.getByText("a person authorizes the connection at Harbour Books once it is created").waitFor();
  await page.getByRole("button", { name: "Create connection" }).click();
  await page.getByRole("alert").getByText("A person has to authorize this connection.").waitFor();
  const authorization = page.getByRole("region", { name: "Authorization" });
  await authorization.getByText("Not authorized yet").waitFor();
  expect(await seriousProblems(page)).toEqual([]);

  server.grantedScopes = ["accounting"];
  await authorization.getByRole("button", { name: "Authorize", exact: true }).press("Enter");
  const result = page.getByRole("status", { name: "Authorization result" });
  await result.getByText("The connection is authorized as Harbour Bakery.").waitFor();
  await authorization.getByRole("alert").getByText("The service did not grant payments.").waitFor();
  await authorization.getByText(builder.email).waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await authorization.getByRole("button", { name: "Renew now" }).click();
  await authorization.getByRole("status").getByText("The tokens were renewed.").waitFor();

  server.grantedScopes = undefined;
  server.account = { id: "org-2", name: "Dockside Café" };
  await authorization.getByRole("button", { name: "Authorize again" }).click();
  const dialog = page.getByRole("dialog", { name: "Authorize again?" });
  await dialog.getByText("Harbour Bakery").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Authorize", exact: true }).click();
  await page.getByText("account_mismatch").waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "books" }).waitFor();
  await authorization.getByText("Harbour Bakery").waitFor();
  await authorization.getByRole("button", { name: "Authorize again" }).click();
  await dialog.getByRole("checkbox", { name: "Accept another account" }).check();
  await dialog.getByRole("button", { name: "Authorize", exact: true }).click();
  await result.getByText("The connection is authorized as Dockside Café.").waitFor();
  expect(await authorization.getByRole("alert").count()).toBe(0);

  await authorization.getByRole("button", { name: "Remove authorization" }).click();
  const removal = page.getByRole("dialog", { name: "Remove the authorization?" });
  expect(await seriousProblems(page)).toEqual([]);
  await removal.getByRole("button", { name: "Remove authorization" }).click();
  await authorization.getByText("Not authorized yet").waitFor();
  expect(server.count("revocation")).toBeGreaterThan(0);
});

test("a connection without an authorization says in the list how it is mended", async () => {
  const facts = { integration: "books", environment: "live", by: { person: "operator" } } as const;
  const settings = { clientId: server.client.id };
  await service.engine.connections.create({ name: "ledger", ...facts, settings, secrets: { clientSecret: "s" } });
  const page = await openPage(service, { person: builder });
  await page.goto("/dashboard/live/connections");
  await page
    .getByRole("row", { name: /^ledger Harbour Books Needs authorization.*authorize it at the service/ })
    .waitFor();
  await page.goto("/dashboard/live");
  await page.getByRole("region", { name: "Needs attention" }).getByRole("link", { name: "ledger" }).waitFor();
});
