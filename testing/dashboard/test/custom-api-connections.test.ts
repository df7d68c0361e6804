import {
  openPage,
  seriousProblems,
  startService,
  surplusWidth,
  type Service,
  type ServicePerson,
} from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let builder: ServicePerson;

beforeAll(async () => {
  service = await startService();
  builder = await service.join("Bea Builder", { sandbox: ["builder"], live: ["builder"] });
});

afterAll(async () => {
  await service.stop();
});

/** A document with two faults: a reference that leads nowhere, and a parameter without a place. */
const faulty = `openapi: 3.0.3
info:
  title: Till
  version: "7"
servers:
  - url: http://127.0.0.1:8089/till
paths:
  /receipts:
    get:
      operationId: list_receipts
      parameters:
        - name: day
          in: nowhere
          required: true
          schema: { type: string }
      responses:
        "200": { description: Receipts }
    post:
      operationId: print_receipt
      requestBody:
        $ref: "#/components/requestBodies/Missing"
      responses:
        "200": { description: Printed }
`;

test("a document with two errors is mended at their lines, and becomes a connection with a key in a header", async () => {
  const page = await openPage(service, { person: builder });
  await page.goto("/dashboard/sandbox/connections/new");
  await page.getByRole("textbox", { name: "Name" }).fill("till");
  const text = page.getByRole("textbox", { name: "Document" });
  await text.fill(faulty);
  await page.getByRole("button", { name: "Look at it" }).click();
  const problems = page.getByRole("region", { name: "Problems" });
  await problems.getByRole("listitem").nth(1).waitFor();
  expect(await problems.getByText("Error", { exact: true }).count()).toBe(2);
  expect(await seriousProblems(page)).toEqual([]);
  await problems
    .getByRole("button", { name: /^Line 1\d, column/ })
    .first()
    .click();
  // Text, because the tests are compiled without the browser's types.
  await text.and(page.locator(":focus")).waitFor();
  const line = await page.evaluate<string>(
    "document.activeElement.shadowRoot.querySelector('.cm-activeLine').textContent.trim()",
  );
  expect(
    faulty
      .split("\n")
      .slice(9, 19)
      .map((one) => one.trim()),
  ).toContain(line);
  await text.fill(
    faulty
      .replace("in: nowhere", "in: query")
      .replace(
        '$ref: "#/components/requestBodies/Missing"',
        "content: { application/json: { schema: { type: object } } }",
      ),
  );
  await page.getByText("The document was changed since. Look at it again.").waitFor();
  await page.getByRole("button", { name: "Look at it" }).click();
  await page.getByText("Till, version 7: 2 actions, 0 errors").waitFor();
  const actions = page.getByRole("table", { name: "Actions" });
  await actions.getByRole("row", { name: /^list_receipts.*Reads/ }).waitFor();
  await actions.getByRole("row", { name: /^print_receipt.*Once/ }).waitFor();
  await page.getByRole("combobox", { name: "Authentication" }).selectOption("API key in a header");
  await page.getByRole("button", { name: "Create connection" }).click();
  await page.getByText("Header is required.").waitFor();
  await page.getByRole("textbox", { name: "Header", exact: true }).fill("X-Till-Key");
  await page.getByLabel("API key", { exact: true }).fill("key-of-the-till");
  await page.getByRole("button", { name: "Create connection" }).click();
  await page.getByRole("heading", { level: 1, name: "till" }).waitFor();
  await page.getByRole("definition").getByText("API key in a header").waitFor();
  await page.getByRole("row", { name: /^API key Set/ }).waitFor();
});

test("what was typed stays while another kind is looked at, and after the service refused it", async () => {
  const page = await openPage(service, { person: builder, width: 360 });
  await page.goto("/dashboard/live/connections/new");
  await page.getByRole("textbox", { name: "Name" }).fill("kept");
  await page.getByRole("radio", { name: "Fetch from an address" }).check();
  await page.getByRole("textbox", { name: "Address" }).fill("http://169.254.169.254/openapi.json");
  await page.getByRole("textbox", { name: "Base URL" }).fill("https://till.example");
  await page.getByRole("radio", { name: "Private Connection" }).check();
  await page.getByText("over outbound HTTPS").waitFor();
  await page.getByRole("radio", { name: "Custom API" }).check();
  expect(await page.getByRole("textbox", { name: "Address" }).inputValue()).toBe("http://169.254.169.254/openapi.json");
  await page.getByRole("button", { name: "Create connection Live" }).click();
  await page.getByRole("alert").or(page.locator("[aria-invalid=true]")).first().waitFor();
  expect(await page.getByRole("textbox", { name: "Base URL" }).inputValue()).toBe("https://till.example");
  expect(await surplusWidth(page)).toBe(0);
  expect(await seriousProblems(page)).toEqual([]);
});

test("a changed document says which actions change, and which procedures call them, before it is saved and afterwards", async () => {
  const { items } = await service.engine.connections.list({ environment: "sandbox", limit: 100 });
  const connectionId = items.find(({ name }) => name === "clearing")?.connectionId ?? "";
  const before = await service.engine.connections.get({ environment: "sandbox", connectionId });
  const page = await openPage(service, { person: builder });
  await page.goto(`/dashboard/sandbox/connections/${connectionId}`);
  await page.getByRole("link", { name: "Edit settings" }).click();
  await page.getByRole("heading", { level: 1, name: "Edit clearing" }).waitFor();
  await page.getByRole("radio", { name: "Edit or replace the document" }).check();
  const text = page.getByRole("textbox", { name: "Document" });
  await expect.poll(() => text.innerText()).toContain("create_transfer");
  await text.fill((await text.innerText()).replaceAll("create_transfer", "book_transfer"));
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  const question = page.getByRole("dialog", { name: "Save these changes?" });
  await question.getByRole("definition").getByText("create_transfer is book_transfer").waitFor();
  await question.getByRole("region", { name: "Procedures that it concerns" }).getByRole("link").first().waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await question.getByRole("button", { name: "Back" }).click();
  const { settings } = await service.engine.connections.get({ environment: "sandbox", connectionId });
  expect(settings).toEqual(before.settings);
  expect(await text.innerText()).toContain("book_transfer");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await question.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("status").getByText("The settings were saved.").waitFor();
  await page.getByRole("definition").getByText("create_transfer is book_transfer").waitFor();
  await page.getByRole("region", { name: "Procedures that it concerns" }).getByRole("link").first().waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("link", { name: "Open the connection" }).click();
  await page.getByRole("heading", { level: 1, name: "clearing" }).waitFor();
});
