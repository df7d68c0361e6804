import {
  openPage,
  seriousProblems,
  startService,
  surplusWidth,
  type Service,
  type ServicePerson,
} from "@procedo-testing/dashboard";
import { z } from "@procedo/engine";
import { createPrivateConnection, defineFunction } from "@procedo/private-connection";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

let service: Service;
let builder: ServicePerson;
let sandboxOnly: ServicePerson;

beforeAll(async () => {
  service = await startService();
  builder = await service.join("Bea Builder", { sandbox: ["builder"], live: ["builder"] });
  sandboxOnly = await service.join("Sam Sandbox", { sandbox: ["builder"], live: [] });
});

afterAll(async () => {
  await service.stop();
});

const screen = defineFunction({
  name: "screen_vendor",
  description: "Screens a vendor against the list of the house.",
  input: z.object({ vendor: z.string() }),
  idempotent: true,
  handler: async ({ vendor }) => ({ vendor, isListed: false }),
});

/** Starts a client in this process. It ends with the test, unless its token dies before. */
function startClient(token: string): ReturnType<typeof createPrivateConnection> {
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const client = createPrivateConnection({ functions: [screen], token, url: service.url, log });
  onTestFinished(() => client.close({ drainMs: 0 }));
  return client;
}

test("both tokens are shown once, a client connects, and a regenerated token ends it", async () => {
  const page = await openPage(service, { person: builder });
  await page.goto("/dashboard/sandbox/connections/new");
  await page.getByRole("radio", { name: "Private Connection" }).check();
  await page.getByRole("textbox", { name: "Name" }).fill("compliance");
  await page.getByRole("button", { name: "Create connection" }).click();
  const sandbox = page.getByRole("region", { name: "Sandbox token" });
  const live = page.getByRole("region", { name: "Live token" });
  const token = await sandbox.getByRole("textbox", { name: "Token" }).inputValue();
  expect(token).toMatch(/^run_sandbox_\S+$/);
  expect(await live.getByRole("textbox", { name: "Token" }).inputValue()).toMatch(/^run_live_\S+$/);
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("link", { name: "Open the connection" }).click();
  await page.getByRole("dialog", { name: "Leave without storing it?" }).getByRole("button", { name: "Stay" }).click();
  await sandbox.getByRole("button", { name: "I have stored it" }).click();
  await live.getByRole("button", { name: "I have stored it" }).click();
  const lines = page.getByRole("region", { name: "Start a client" });
  await lines.getByText(`PROCEDO_SDK_URL=${service.url}`).waitFor();
  await page.getByRole("link", { name: "Open the connection" }).click();
  await page.getByRole("heading", { level: 1, name: "compliance" }).waitFor();
  await sandbox.getByRole("definition").getByText("Disconnected").waitFor();
  await page.getByText("No client has registered a function in this environment.").waitFor();

  const client = startClient(token);
  const ended = client.start().catch(() => {});
  await sandbox.getByRole("definition").getByText("Connected", { exact: true }).waitFor();
  await live.getByRole("definition").getByText("Disconnected").waitFor();
  const clients = page.getByRole("region", { name: "Clients" });
  await clients.getByRole("row", { name: /screen_vendor/ }).waitFor();
  await page.reload();
  const functions = page.getByRole("region", { name: "Functions" });
  await functions.getByRole("row", { name: /^screen_vendor Repeatable Screens a vendor/ }).waitFor();
  expect(await seriousProblems(page)).toEqual([]);

  await sandbox.getByRole("button", { name: "Regenerate sandbox token" }).click();
  const dialog = page.getByRole("dialog", { name: "Regenerate the sandbox token?" });
  await dialog.getByText("The current token stops working immediately.").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Regenerate sandbox token" }).click();
  const shown = sandbox.getByRole("region", { name: "Shown once" });
  expect(await shown.getByRole("textbox", { name: "Token" }).inputValue()).not.toBe(token);
  await ended;
  await shown.getByRole("button", { name: "I have stored it" }).click();
  await shown.waitFor({ state: "detached" });
});

test("a person of one environment gets its token only, at 360 pixels in the dark", async () => {
  const page = await openPage(service, { person: sandboxOnly, width: 360, colorScheme: "dark" });
  await page.goto("/dashboard/sandbox/connections/new?kind=private_connection");
  await page.getByRole("textbox", { name: "Name" }).fill("warehouse");
  await page.getByRole("button", { name: "Create connection" }).click();
  await page.getByRole("region", { name: "Sandbox token" }).getByRole("textbox", { name: "Token" }).waitFor();
  expect(await page.getByRole("region", { name: "Live token" }).count()).toBe(0);
  expect(await surplusWidth(page)).toBe(0);
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("link", { name: "Open the connection" }).click();
  await page.getByRole("definition").getByText("Disconnected").waitFor();
  expect(await page.getByRole("region", { name: "Live token" }).count()).toBe(0);
  expect(await surplusWidth(page)).toBe(0);
  expect(await seriousProblems(page)).toEqual([]);
});
