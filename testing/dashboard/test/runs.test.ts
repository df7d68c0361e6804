import { text as readText } from "node:stream/consumers";
import {
  failReads,
  openPage,
  seriousProblems,
  startService,
  type Service,
  type ServicePerson,
} from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;

const invoice = (number: string) => ({ invoice: number, amount: 4_500_000, currency: "EUR", approved: true });
const many = 60;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  for (let n = 1; n <= many; n++) await service.run("supplier-invoice", invoice(`INV-${String(n).padStart(4, "0")}`));
  await service.run("vendor-payment", { payee: "Acme", amount: 9_900_000 });
  await service.run("transfer", { payee: "Lost answer", amount: 100 });
  await service.run("supplier-invoice", invoice("=1-1"));
});

afterAll(() => service.stop());

test("rows, filters in the address, and the states of the list", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/runs");
  const table = page.getByRole("table", { name: "Runs" });
  const rows = table.getByRole("rowheader");
  await rows.first().waitFor();
  expect(await rows.count()).toBe(50);
  expect(await table.getByRole("columnheader").allTextContents()).toEqual([
    "Run",
    "Status",
    "Procedure",
    "Started",
    "Duration",
    "Started by",
    "Waiting for",
  ]);
  await table
    .getByRole("row")
    .filter({ hasText: "Outcome unknown" })
    .getByRole("cell", { name: /^Transfer 1$/ })
    .waitFor();
  await table.getByText("Waiting for review").first().waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Load more" }).click();
  await expect.poll(() => rows.count()).toBe(many + 3);

  await page.getByRole("combobox", { name: "Status" }).selectOption("Waiting for review");
  await expect.poll(() => rows.count()).toBe(2);
  expect(new URL(page.url()).search).toBe("?status=awaiting_review");
  await page.getByRole("combobox", { name: "Procedure" }).selectOption("Supplier invoice");
  await page.getByText("No runs fit these filters.").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => rows.count()).toBe(many + 3);

  const search = page.getByRole("searchbox", { name: "Search runs" });
  await search.fill("INV-0007");
  await table.getByRole("link", { name: /^INV-0007/ }).waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  expect(new URL(page.url()).search).toBe("?q=INV-0007");
  await page.getByRole("link", { name: /^INV-0007/ }).click();
  await page.getByRole("heading", { level: 1, name: "Supplier invoice" }).waitFor();
  await page.goBack();
  await table.getByRole("link", { name: /^INV-0007/ }).waitFor();
  expect(await search.inputValue()).toBe("INV-0007");
});

test("days are those of the reader's zone", async () => {
  const page = await openPage(service, { person: owner });
  const asked = page.waitForRequest((request) => request.url().includes("/api/v1/runs?"));
  await page.goto("/dashboard/sandbox/runs?from=2026-10-25&to=2026-10-25");
  const { searchParams } = new URL((await asked).url());
  // A day of 25 hours in Berlin.
  expect(searchParams.get("from")).toBe("2026-10-24T22:00:00.000Z");
  expect(searchParams.get("to")).toBe("2026-10-25T23:00:00.000Z");
});

test("new runs are counted, and shown when asked for; rows and focus stay; the keys move through them", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/runs");
  const links = page.getByRole("table", { name: "Runs" }).getByRole("rowheader").getByRole("link");
  await links.first().waitFor();
  const [first, second] = await links.allTextContents();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await service.run("supplier-invoice", invoice("INV-NEW"));
  await page.getByRole("button", { name: "1 new run", exact: true }).waitFor();
  expect((await links.allTextContents()).slice(0, 2)).toEqual([first, second]);
  expect(await links.nth(1).evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
  await page.getByRole("button", { name: "1 new run", exact: true }).click();
  await page.getByRole("link", { name: /^INV-NEW/ }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("INV-0003");
  await page.getByRole("link", { name: /^INV-0003/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Supplier invoice" }).waitFor();
});

test("the export holds every run of the filter, with a formula as text", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/runs?procedure=supplier-invoice&to=2099-01-01");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const text = await readText(await (await saved).createReadStream());
  await page
    .getByRole("status", { name: "Messages" })
    .getByText(/^Exported \d+ runs\.$/)
    .waitFor();
  const lines = text.trimEnd().split("\r\n");
  const { items } = await service.engine.runs.list({
    environment: "sandbox",
    limit: 100,
    procedureId: "supplier-invoice",
  });
  expect(lines).toHaveLength(items.length + 1);
  expect(lines.some((line) => line.includes(",'=1-1,Completed,"))).toBe(true);
});

test("a phone shows entries of two lines, in live without runs what to do, and failures with the request", async () => {
  const page = await openPage(service, { person: owner, width: 390, colorScheme: "dark" });
  await page.goto("/dashboard/sandbox/runs");
  await page.getByRole("table", { name: "Runs" }).getByRole("rowheader").first().waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  expect(await page.getByRole("main").evaluate((main) => main.ownerDocument.documentElement.scrollWidth)).toBe(390);
  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByRole("textbox", { name: "From" }).waitFor();

  await page.goto("/dashboard/live/runs");
  await page.getByText("Nothing has run in Live yet").waitFor();
  expect(await seriousProblems(page)).toEqual([]);

  const mend = await failReads(page, "**/api/v1/runs?*", "req_1234567890");
  await page.goto("/dashboard/live/runs?status=failed");
  await page.getByRole("alert").getByText("req_1234567890").waitFor();
  await mend();
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("No runs fit these filters.").waitFor();
});
