import { openPage, seriousProblems, startService, surplusWidth, type Service } from "@procedo-testing/dashboard";
import { plaid } from "@procedo/integrations/services";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;

beforeAll(async () => {
  service = await startService([plaid({ baseUrl: "http://127.0.0.1:8089" })]);
});

afterAll(async () => {
  await service.stop();
});

test("secrets that a person names are given with the connection, added, replaced and removed by name", async () => {
  const person = await service.join("Bea Builder", { sandbox: ["builder"], live: [] });
  const page = await openPage(service, { person, width: 390 });
  await page.goto("/dashboard/sandbox/connections/new?kind=plaid");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("banks");
  await page.getByRole("textbox", { name: "Client ID" }).fill("client-4711");
  await page.getByLabel("Secret", { exact: true }).fill("secret-4711");
  await page.getByRole("button", { name: "Add a secret item:…" }).click();
  await page.getByRole("textbox", { name: "Name after item:" }).fill("main");
  const first = page.getByRole("group", { name: "item:main" });
  await first.getByLabel("Value", { exact: true }).fill("not-a-token");
  expect(await surplusWidth(page)).toBe(0);
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Create connection" }).click();
  await first.getByText("item:main is not an access token").waitFor();
  expect(await page.getByLabel("Secret", { exact: true }).inputValue()).toBe("secret-4711");
  await first.getByLabel("Value", { exact: true }).fill("access-sandbox-471100");
  await page.getByRole("button", { name: "Create connection" }).click();
  await page.getByRole("heading", { level: 1, name: "banks" }).waitFor();

  const secrets = page.getByRole("region", { name: "Secrets" });
  await secrets.getByRole("row", { name: /^item:main Set/ }).waitFor();
  await secrets.getByRole("button", { name: "Add a secret" }).press("Enter");
  const adding = page.getByRole("dialog", { name: "Add a secret" });
  await page.keyboard.type("main");
  await adding.getByText("There is a secret item:main. Replace it instead.").waitFor();
  expect(await adding.getByRole("button", { name: "Add", exact: true }).isDisabled()).toBe(true);
  expect(await seriousProblems(page)).toEqual([]);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("payroll");
  await adding.getByLabel("Value", { exact: true }).fill("access-sandbox-471200");
  await page.keyboard.press("Enter");
  await secrets.getByRole("row", { name: /^item:payroll Set/ }).waitFor();

  await secrets.getByRole("button", { name: "Replace item:payroll" }).press("Enter");
  await page.keyboard.type("access-sandbox-471300");
  await page.keyboard.press("Enter");
  await page.getByRole("status", { name: "Messages" }).getByText("The secrets of banks were replaced.").waitFor();
  await secrets.getByRole("button", { name: "Replace item:main" }).press("Enter");
  const replacing = page.getByRole("dialog", { name: "Replace item:main" });
  await replacing.getByRole("checkbox", { name: "Remove item:main" }).press("Space");
  await replacing.getByRole("button", { name: "Replace" }).press("Enter");
  await secrets.getByRole("row", { name: /^item:main/ }).waitFor({ state: "detached" });
  await secrets.getByRole("row", { name: /^item:payroll Set/ }).waitFor();
  expect(await page.content()).not.toContain("access-sandbox");
});
