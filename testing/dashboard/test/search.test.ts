import { openPage, seriousProblems, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
});

afterAll(async () => {
  await service.stop();
});

test("search finds the run of a pasted link in the other environment, and names that environment", async () => {
  const runId = await service.run("vendor-payment", { payee: "Globex", amount: 100 }, "live");
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/runs");
  await page.getByRole("button", { name: "Search" }).click();
  const search = page.getByRole("combobox", { name: "Search" });
  await search.fill(`https://procedo.acme.example/dashboard/live/runs/${runId}/record`);
  const found = page.getByRole("option", { name: new RegExp(`${runId}.*in Live.*Run`) });
  await found.waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/dashboard/live/runs/${runId}`);
  await page.getByRole("dialog", { name: "Search" }).waitFor({ state: "detached" });
});

test("search finds a review by its run, procedures and pages, is moved through by arrow keys, and teaches", async () => {
  const runId = await service.run("vendor-payment", { payee: "Initech", amount: 9_900_000 });
  const page = await openPage(service, { person: owner, colorScheme: "dark", width: 390 });
  await page.goto("/dashboard/sandbox/procedures");
  await page.getByRole("heading", { level: 1, name: "Procedures" }).waitFor();
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox", { name: "Search" });
  await search.fill(runId);
  await page.getByRole("option", { name: /Pay 99,000.00 EUR to Initech\?.*Review/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/sandbox/reviews/rev_*");
  await page.keyboard.press("Control+k");
  await search.fill("vendor");
  await page.getByRole("option", { name: /Vendor payment.*Procedure/ }).waitFor();
  await search.fill("Your acc");
  await page.getByRole("option", { name: /Your account.*Page/ }).waitFor();
  await search.fill("INV-2041");
  await page.getByText("Nothing found for “INV-2041”.").waitFor();
  await page.getByText("In ids and references, upper and lower case differ.").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Search" }).waitFor({ state: "detached" });
});
