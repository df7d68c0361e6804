import { openPage, seriousProblems, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";
import { supplierInvoice } from "../src/documents/supplier-invoice.ts";

let service: Service;
let owner: ServicePerson;
let viewer: ServicePerson;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"], live: ["viewer"] });
});

afterAll(() => service.stop());

const form = "/dashboard/sandbox/runs/new?procedure=supplier-invoice";

/** What the service stored as the input of the only run with a reference. */
async function inputOf(invoice: string): Promise<unknown> {
  const { items } = await service.engine.runs.list({ environment: "sandbox", limit: 10, search: invoice });
  expect(items).toHaveLength(1);
  const { steps } = await service.engine.runs.get({ environment: "sandbox", runId: items[0]?.runId ?? "" });
  return steps[0]?.output;
}

test("digits stay as typed between form, JSON and service, and no text is lost", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto(form);
  const input = page.getByRole("group", { name: "Input" });
  await input.getByRole("textbox", { name: "Invoice number" }).fill("INV-1");
  await input.getByRole("textbox", { name: "Amount" }).fill("123456789012345679");
  await input.getByRole("textbox", { name: "Exchange rate" }).fill("0.10");
  expect(await input.getByRole("combobox", { name: "Currency" }).inputValue()).toBe("EUR");
  await page.getByRole("link", { name: "JSON" }).click();
  const json = page.getByRole("textbox", { name: "JSON" });
  const written = await json.inputValue();
  expect(written).toContain('"amount": "123456789012345679"');
  expect(written).toContain('"rate": 0.10');
  await json.fill(written.replace("}", ', "note": null, "approved": true,}'));
  await page.getByRole("link", { name: "Form", exact: true }).click();
  await page.getByRole("alert").getByText("The JSON has a fault").waitFor();
  await page.getByRole("link", { name: "JSON" }).click();
  await json.fill((await json.inputValue()).replace(",}", "}"));
  await page.getByRole("link", { name: "Form", exact: true }).click();
  expect(await page.getByRole("textbox", { name: "Amount" }).inputValue()).toBe("123456789012345679");
  expect(await page.getByRole("textbox", { name: "Exchange rate" }).inputValue()).toBe("0.10");
  expect(await page.getByRole("textbox", { name: "Note" }).inputValue()).toBe("null");
  await page.getByRole("button", { name: "Start run" }).click();
  await page.getByRole("heading", { level: 1, name: "Supplier invoice" }).waitFor();
  expect(await inputOf("INV-1")).toEqual({
    invoice: "INV-1",
    amount: "123456789012345679",
    currency: "EUR",
    rate: 0.1,
    approved: true,
    note: null,
  });
});

test("problems stand at their fields, the first one has the focus, and the service's own ones as well", async () => {
  const page = await openPage(service, { person: owner, width: 390, colorScheme: "dark" });
  await page.goto(form);
  const number = page.getByRole("textbox", { name: "Invoice number" });
  await page.getByRole("textbox", { name: "Amount" }).fill("45.000,00");
  await page.getByRole("button", { name: "Start run" }).click();
  await page.getByText("Invoice number is required.").waitFor();
  await page.getByText("Amount is not a whole number. Write only digits, such as 4500000.").waitFor();
  expect(await number.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  expect(await seriousProblems(page)).toEqual([]);
  await number.fill("INV/1");
  await page.getByRole("textbox", { name: "Amount" }).fill("1");
  await page.getByRole("combobox", { name: "Approved" }).selectOption("Yes");
  await page.getByRole("button", { name: "Start run" }).click();
  await page.getByText(/^Invoice number must match the pattern/).waitFor();
  expect(await number.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await page.getByRole("alert").getByText("The run was not started").waitFor();
  expect(await page.getByRole("main").evaluate((main) => main.ownerDocument.documentElement.scrollWidth)).toBe(390);
});

test("in live, a start whose answer was lost or is that of a proxy is repeated with the same key, and starts one run", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/live/runs/new?procedure=supplier-invoice");
  await page.getByText("Starts Supplier invoice 1 in live as you.").waitFor();
  await page.getByRole("textbox", { name: "Invoice number" }).fill("LIVE-1");
  await page.getByRole("textbox", { name: "Amount" }).fill("1");
  await page.getByRole("combobox", { name: "Approved" }).selectOption("Yes");
  const keys: (string | undefined)[] = [];
  await page.route("**/api/v1/procedures/*/runs?*", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 2) return route.continue();
    await route.fetch();
    if (keys.length === 1) return route.abort();
    return route.fulfill({ status: 504, contentType: "text/html", body: "<h1>Gateway Timeout</h1>" });
  });
  const start = page.getByRole("button", { name: /^Start run/ });
  expect(await start.textContent()).toBe("Start run Live");
  await start.click();
  await page.getByRole("alert").getByText("The service could not be reached.").waitFor();
  await page.getByText("The run may have started.").waitFor();
  await start.click();
  await page.getByRole("alert").getByText("The service answered with the status 504.").waitFor();
  await page.getByText("The run may have started.").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await start.dblclick();
  await page.getByRole("heading", { level: 1, name: "Supplier invoice" }).waitFor();
  expect(new Set(keys).size).toBe(1);
  const { items } = await service.engine.runs.list({ environment: "live", limit: 10 });
  expect(items.map(({ reference }) => reference)).toEqual(["LIVE-1"]);
});

test("the input of an earlier run is taken over, and a person without the right is told", async () => {
  const lines = [{ text: "Paper", net: 7 }];
  const given = { invoice: "INV-2", amount: 5, currency: "CHF", approved: false, lines, payTo: { iban: "DE1" } };
  const runId = await service.run("supplier-invoice", given);
  const page = await openPage(service, { person: owner });
  await page.goto(`/dashboard/sandbox/runs/new?from=${runId}`);
  await page.getByRole("textbox", { name: "Net" }).waitFor();
  expect(await page.getByRole("combobox", { name: "Procedure" }).inputValue()).toBe("supplier-invoice");
  expect(await page.getByRole("combobox", { name: "Currency" }).inputValue()).toBe("CHF");
  await page.getByRole("textbox", { name: "Invoice number" }).fill("INV-3");
  await page.getByRole("button", { name: "Start run" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Supplier invoice" }).waitFor();
  expect(await inputOf("INV-3")).toEqual({ ...given, invoice: "INV-3" });

  const other = await openPage(service, { person: viewer });
  await other.goto("/dashboard/live/runs/new");
  await other.getByText("You may not start runs in Live").waitFor();
  expect(await other.getByRole("button", { name: /^Start run/ }).count()).toBe(0);
  expect(await seriousProblems(other)).toEqual([]);
});

test("another default changes nothing in an open form until the person takes it", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto(form);
  const number = page.getByRole("textbox", { name: "Invoice number" });
  const key = page.getByTitle("A repeated request with this key starts no second run.");
  await number.fill("INV-4");
  await page.getByRole("textbox", { name: "Amount" }).fill("12");
  await page.getByRole("combobox", { name: "Approved" }).selectOption("Yes");
  const firstKey = await key.textContent();
  const by = { person: "operator", via: "test" };
  const { procedureId } = supplierInvoice;
  const document = { ...supplierInvoice, description: "Records an invoice." };
  await service.engine.procedures.publish({ document, version: "2", by });
  await service.engine.procedures.setDefault({ procedureId, environment: "sandbox", version: "2", by });
  await page.getByRole("alert").getByText("The default is version 2 now.").waitFor();
  expect(await number.inputValue()).toBe("INV-4");
  expect(await page.getByRole("combobox", { name: "Version" }).inputValue()).toBe("1");
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Use version 2" }).press("Enter");
  await page.getByRole("alert").waitFor({ state: "detached" });
  await number.waitFor();
  expect(await number.inputValue()).toBe("INV-4");
  expect(await key.textContent()).toBe(firstKey);
  await page.getByRole("button", { name: "Start run" }).click();
  await page.getByRole("heading", { level: 1, name: "Supplier invoice" }).waitFor();
  const { items } = await service.engine.runs.list({ environment: "sandbox", limit: 10, search: "INV-4" });
  expect(items.map(({ procedureVersion }) => procedureVersion)).toEqual(["2"]);
});

test("a procedure that does not exist is named, and an input without fixed fields is entered as JSON", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/runs/new?procedure=nope");
  await page.getByRole("alert").getByText("There is no procedure “nope” in Sandbox.").waitFor();
  expect(await page.getByRole("button", { name: "Start run" }).count()).toBe(0);

  await page.route("**/api/v1/procedures/supplier-invoice/versions/*?*", async (route) => {
    const response = await route.fetch();
    const version = (await response.json()) as { readonly document: object };
    await route.fulfill({
      response,
      json: { ...version, document: { ...version.document, input: { type: "object" } } },
    });
  });
  await page.getByRole("combobox", { name: "Procedure" }).selectOption("Supplier invoice");
  await page.getByText("This input has no fixed fields. Enter it as JSON.").waitFor();
  await page.getByRole("textbox", { name: "JSON" }).waitFor();
  const modes = page.getByRole("navigation", { name: "Input as" }).getByRole("link");
  expect(await modes.allTextContents()).toEqual(["Form", "JSON"]);
});
