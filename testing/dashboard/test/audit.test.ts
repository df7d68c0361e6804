import { openPage, seriousProblems, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;
let viewer: ServicePerson;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"], live: [] });
  const by = { person: owner.email };
  const people = await service.engine.people.list({ limit: 10 });
  const { personId } = people.items.find(({ email }) => email === viewer.email) ?? { personId: "" };
  await service.engine.people.update({ personId, access: { sandbox: ["viewer", "reviewer"], live: [] }, by });
});

afterAll(async () => {
  await service.stop();
});

test("a change says who made it, what was before and after it, and is found by filters of the address", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/audit?environment=sandbox");
  const rows = page.getByRole("table", { name: "Changes" }).getByRole("row");
  await rows.filter({ hasText: "Version published" }).first().waitFor();
  expect(await rows.nth(1).innerText()).toMatch(/^Access changed\s+vera\.viewer@acme\.example/);
  await page.getByRole("combobox", { name: "Change" }).selectOption("Access changed");
  const changed = page.getByRole("row", { name: /^Access changed .*Sandbox access: viewer became viewer, reviewer/ });
  await changed.getByText(owner.email).waitFor();
  await page.getByRole("row").nth(2).waitFor({ state: "detached" });
  expect(new URL(page.url()).searchParams.get("action")).toBe("person.access_changed");
  expect(await seriousProblems(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^changes-sandbox-.*\.json$/);
  await page.getByRole("status").getByText("1 change exported.").waitFor();
  await page.getByRole("textbox", { name: "Person" }).fill("nobody@acme.example");
  await page.getByRole("textbox", { name: "Person" }).press("Enter");
  await page.getByText("No changes fit these filters.").waitFor();
  await page.getByRole("search", { name: "Filters" }).getByRole("button", { name: "Clear filters" }).click();
  await page
    .getByRole("row", { name: /^Version published/ })
    .first()
    .getByRole("cell")
    .getByRole("link")
    .click();
  await page.waitForURL("**/sandbox/procedures/*/versions/1");

  await page.goBack();
  await page.getByRole("rowheader").getByRole("link", { name: "Access changed" }).first().click();
  await page.getByRole("row").nth(2).waitFor({ state: "detached" });
  await changed.waitFor();
});

test("others see no changes of people, at 390 pixels in the dark", async () => {
  const page = await openPage(service, { person: viewer, width: 390, colorScheme: "dark" });
  await page.goto("/dashboard/audit");
  await page
    .getByRole("row", { name: /^Connection created/ })
    .first()
    .waitFor();
  expect(await page.getByRole("row", { name: /Person joined/ }).count()).toBe(0);
  await page.getByText("Changes of people are shown to owners of both environments.").waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  expect(await seriousProblems(page)).toEqual([]);
});
