import {
  openApi,
  openPage,
  seriousProblems,
  startService,
  surplusWidth,
  type ApiCall,
  type Service,
  type ServicePerson,
} from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;
let call: ApiCall;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  call = await openApi(service, owner);
});

afterAll(async () => {
  await service.stop();
});

interface Draft {
  readonly name: string;
  readonly budgets?: unknown;
}

async function draftOf(procedureId: string): Promise<Draft | undefined> {
  const { draft } = await call<{ readonly draft?: { readonly document: Draft } }>(
    "GET",
    `procedures/${procedureId}?environment=sandbox`,
  );
  return draft?.document;
}

test("the document is edited as code by keyboard, and undone as typed", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/procedures/transfer/edit?view=json");
  const text = page.getByRole("textbox", { name: "Document as JSON" });
  await text.getByText('"Transfer"', { exact: true }).waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await text.getByText('"Transfer"', { exact: true }).dblclick();
  await page.keyboard.type("Payout");
  await expect.poll(async () => (await draftOf("transfer"))?.name).toBe("Payout");
  await page.getByRole("heading", { level: 1, name: "Payout" }).waitFor();
  await page.keyboard.press("Control+Z");
  await page.getByRole("heading", { level: 1, name: "Transfer" }).waitFor();

  // Tab indents; after Esc it leaves the text.
  await page.keyboard.press("Tab");
  expect(await text.and(page.locator(":focus")).count()).toBe(1);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  expect(await text.and(page.locator(":focus")).count()).toBe(0);
});

test("a fault is told with its line and column, and overwrites nothing", async () => {
  const page = await openPage(service, { person: owner, width: 390, colorScheme: "dark" });
  await page.goto("/dashboard/sandbox/procedures/invoice/edit?view=json");
  const text = page.getByRole("textbox", { name: "Document as JSON" });
  await text.getByText('"Invoice payment"').waitFor();
  await text.fill('{\n  "schemaVersion": 1,\n  "name" "Broken"\n}');
  await page.getByText(/This is not JSON yet\. Line 3, column \d+:/).waitFor();
  expect(await text.getAttribute("aria-invalid")).toBe("true");
  expect(await text.getAttribute("aria-description")).toContain("Line 3");
  expect(await seriousProblems(page)).toEqual([]);
  expect(await surplusWidth(page)).toBe(0);
  expect(await draftOf("invoice")).toBeUndefined();
});

test("a problem without a field of its own leads to its line", async () => {
  const { document } = await call<{ readonly document: Readonly<Record<string, unknown>> }>(
    "GET",
    "procedures/statement/versions/1?environment=sandbox",
  );
  const changed = { ...document, name: "Statement", surplus: true };
  await call("PUT", "procedures/statement/draft?environment=sandbox", { document: changed, revision: 0 });
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/procedures/statement/edit");
  const problem = page.getByRole("region", { name: "Problems" }).getByRole("button").filter({ hasText: "surplus" });
  await problem.click();
  const text = page.getByRole("textbox", { name: "Document as JSON" });
  await text.and(page.locator(":focus")).waitFor();
  await text.getByText('"surplus"').waitFor();
});

test("the schema of the input is edited as code, too", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/procedures/expense-check/edit?view=input");
  await page.getByRole("button", { name: "As JSON Schema" }).click();
  const text = page.getByRole("textbox", { name: "Schema" });
  await text.fill('{ "type": "object", "properties": { "total": { "type": "integer" } } }');
  await page.getByRole("button", { name: "As JSON Schema" }).click();
  expect(await page.getByRole("textbox", { name: "Field name" }).inputValue()).toBe("total");
});
