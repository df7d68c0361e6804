import {
  openPage,
  seriousProblems,
  startService,
  startStripeAccount,
  surplusWidth,
  type Service,
  type ServicePerson,
  type StripeAccount,
  type WatchedPage,
} from "@procedo-testing/dashboard";
import { stripe } from "@procedo/integrations/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let account: StripeAccount;
let service: Service;
let builder: ServicePerson;
let viewer: ServicePerson;

beforeAll(async () => {
  account = await startStripeAccount();
  service = await startService([stripe({ baseUrl: account.url })]);
  builder = await service.join("Bea Builder", { sandbox: ["builder"], live: ["builder"] });
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"], live: [] });
});

afterAll(async () => {
  await service.stop();
  account.stop();
});

const operator = { person: "operator" };

async function idOf(name: string): Promise<string> {
  const { items } = await service.engine.connections.list({ environment: "sandbox", limit: 100 });
  return items.find((one) => one.name === name)?.connectionId ?? "";
}

async function openConnection(name: string, options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> {
  const page = await openPage(service, { person: builder, ...options });
  await page.goto(`/dashboard/sandbox/connections/${await idOf(name)}`);
  await page.getByRole("heading", { level: 1, name }).waitFor();
  return page;
}

async function createStripe(name: string, secretKey: string): Promise<void> {
  const facts = { integration: "stripe", environment: "sandbox", by: operator } as const;
  await service.engine.connections.create({ name, ...facts, secrets: { secretKey } });
}

describe("the list", () => {
  test("has the ones that need a person first, with their uses, and is filtered by its address", async () => {
    await createStripe("zebra", "rk_test_of_nobody");
    const connectionId = await idOf("zebra");
    await service.engine.connections.test({ environment: "sandbox", connectionId, by: operator });
    const page = await openPage(service, { person: builder });
    await page.goto("/dashboard/sandbox/connections");
    const rows = page.getByRole("table", { name: "Connections" }).getByRole("row");
    await rows
      .nth(1)
      .and(page.getByRole("row", { name: /^zebra Stripe.*Failing since/ }))
      .waitFor();
    await page.getByRole("row", { name: /^clearing.*Custom API.*\d+ procedures?$/ }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole("searchbox", { name: "Search connections" }).fill("custom");
    await page.getByRole("link", { name: "zebra" }).waitFor({ state: "detached" });
    expect(page.url()).toContain("?q=custom");
    await page.keyboard.press("Tab");
    await page.reload();
    expect(await page.getByRole("searchbox", { name: "Search connections" }).inputValue()).toBe("custom");
    await page.getByRole("searchbox", { name: "Search connections" }).fill("nothing");
    await page.getByText("No connections fit this search.").waitFor();
  });

  test("without a connection says why to connect something, and which kind to take, at 360 pixels in the dark", async () => {
    const { items } = await service.engine.connections.list({ environment: "live", limit: 100 });
    for (const { connectionId } of items) {
      await service.engine.connections.remove({ environment: "live", connectionId, force: true, by: operator });
    }
    const page = await openPage(service, { person: builder, width: 360, colorScheme: "dark" });
    await page.goto("/dashboard/live/connections");
    await page.getByText("Live has no connections yet.").waitFor();
    await page.getByText("can be reached from your own network only").waitFor();
    expect(await surplusWidth(page)).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "New connection" }).click();
    await page.getByRole("radio", { name: "Custom API" }).waitFor();
    expect(await surplusWidth(page)).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
  });
});

describe("a connection by key", () => {
  test("is created by keyboard alone, tested, and gets another secret that is never shown", async () => {
    const page = await openPage(service, { person: builder });
    await page.goto("/dashboard/sandbox/connections");
    await page.getByRole("link", { name: "New connection" }).press("Enter");
    await page.getByRole("searchbox", { name: "Search integrations" }).press("Control+A");
    await page.keyboard.type("stripe");
    await page.getByRole("radio", { name: "Stripe" }).press("Space");
    await page.getByRole("textbox", { name: "Name" }).press("Control+A");
    await page.keyboard.type("acquirer");
    await page.getByLabel("Secret key", { exact: true }).press("Control+A");
    await page.keyboard.type("wrong");
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.locator("[aria-invalid=true]").waitFor();
    expect(await page.getByLabel("Secret key", { exact: true }).inputValue()).toBe("wrong");
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("acquirer");
    await page.getByLabel("Secret key", { exact: true }).press("Control+A");
    await page.keyboard.type(account.secretKey);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "acquirer" }).waitFor();
    await page.getByRole("button", { name: "Test", exact: true }).press("Enter");
    await page.getByRole("status", { name: "Test" }).getByText("Its account is Harbour Bakery.").waitFor();
    await page.getByRole("definition").getByText("Healthy").waitFor();
    expect(await seriousProblems(page)).toEqual([]);

    const secrets = page.getByRole("region", { name: "Secrets" });
    await secrets.getByRole("row", { name: /^Secret key.*Set/ }).waitFor();
    await secrets.getByRole("button", { name: "Replace secret key" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Replace secret key" });
    await page.keyboard.type("rk_test_of_nobody");
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Test", exact: true }).press("Enter");
    await page.getByRole("alert").getByText("The test failed.").waitFor();
    await page.getByRole("definition").getByText("Failing").waitFor();
    expect(await page.content()).not.toContain("rk_test_of_nobody");
  });

  test("shows its inbound address with its traffic, and its actions with a page each", async () => {
    await createStripe("receiving", account.secretKey);
    const page = await openConnection("receiving");
    const inbound = page.getByRole("region", { name: "Inbound address" });
    await inbound.getByText(`${service.url}/in/v1/`).waitFor();
    await inbound.getByText("None yet").waitFor();
    await inbound.getByRole("button", { name: "Copy inbound address" }).waitFor();
    const actions = page.getByRole("region", { name: "Actions" });
    await actions.getByRole("searchbox", { name: "Search actions" }).fill("refund");
    await actions
      .getByRole("row", { name: /refund.*Once|refund.*Repeatable/ })
      .first()
      .waitFor();
    // The list has been filtered: no row moves under the pointer any more.
    const names = () => actions.getByRole("rowheader").allTextContents();
    await expect.poll(async () => (await names()).every((name) => name.includes("refund"))).toBe(true);
    expect(page.url()).toContain("?q=refund");
    await page.reload();
    await expect.poll(async () => (await names()).join()).toContain("refund");
    expect(await actions.getByRole("searchbox", { name: "Search actions" }).inputValue()).toBe("refund");
    await actions
      .getByRole("link", { name: /refund/ })
      .first()
      .click();
    await page.getByRole("heading", { level: 1, name: /refund/ }).waitFor();
    await page.getByRole("table", { name: "Input" }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.goBack();
    expect(await actions.getByRole("searchbox", { name: "Search actions" }).inputValue()).toBe("refund");
  });
});

describe("a connection that procedures use", () => {
  test("names them, and is renamed or deleted only after that was said", async () => {
    const page = await openConnection("clearing");
    const uses = page.getByRole("region", { name: "Used by" });
    await uses.getByRole("link").first().waitFor();
    await page.getByRole("button", { name: "Rename" }).click();
    const rename = page.getByRole("dialog", { name: "Rename clearing" });
    await rename.getByRole("textbox", { name: "Name" }).fill("clearing house");
    await rename.getByText("These procedures look for clearing").waitFor();
    expect(await rename.getByRole("button", { name: "Rename" }).isDisabled()).toBe(true);
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Leave" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete clearing?" });
    await dialog.getByText("These procedures call it, and their calls fail afterwards:").waitFor();
    expect(await dialog.getByRole("button", { name: "Delete", exact: true }).isDisabled()).toBe(true);
    expect(await seriousProblems(page)).toEqual([]);
    await dialog.getByRole("checkbox", { name: "Delete it although it is used" }).check();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Connections" }).waitFor();
    await page.getByRole("status", { name: "Messages" }).getByText("clearing was deleted.").waitFor();
    expect(await idOf("clearing")).toBe("");
  });

  test("that is used by nothing is renamed, and deleted after a question", async () => {
    await createStripe("spare", account.secretKey);
    const page = await openConnection("spare", { width: 390 });
    expect(await surplusWidth(page)).toBe(0);
    await page.getByRole("button", { name: "Rename" }).click();
    const rename = page.getByRole("dialog", { name: "Rename spare" });
    await rename.getByRole("textbox", { name: "Name" }).fill("spare two");
    await rename.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("heading", { level: 1, name: "spare two" }).waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page
      .getByRole("dialog", { name: "Delete spare two?" })
      .getByRole("button", { name: "Delete", exact: true })
      .click();
    await page.getByRole("status", { name: "Messages" }).getByText("spare two was deleted.").waitFor();
  });
});

test("home leads to a failing connection", async () => {
  await createStripe("failing one", "rk_test_of_nobody");
  const connectionId = await idOf("failing one");
  await service.engine.connections.test({ environment: "sandbox", connectionId, by: operator });
  const page = await openPage(service, { person: builder });
  await page.goto("/dashboard/sandbox");
  await page.getByRole("region", { name: "Needs attention" }).getByRole("link", { name: "failing one" }).click();
  await page.getByRole("alert").getByText("choose Test").waitFor();
});

test("a viewer sees connections, and why they are not changed", async () => {
  const page = await openConnection("bank", { person: viewer });
  await page.getByText("You may look at connections in Sandbox, and not change them.").waitFor();
  for (const name of ["Rename", "Delete", "Test"]) {
    expect(await page.getByRole("button", { name }).count(), name).toBe(0);
  }
  await page.goto("/dashboard/sandbox/connections/new");
  await page.getByRole("alert").getByText("An owner can give you the role builder.").waitFor();
});
