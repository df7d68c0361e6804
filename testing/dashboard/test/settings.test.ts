import { openPage, seriousProblems, startService, type Service } from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service.stop();
});

test("an owner reads how the service is set up", async () => {
  const person = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  const page = await openPage(service, { person, colorScheme: "dark" });
  await page.goto("/dashboard/settings");
  const limits = page.getByRole("region", { name: "Limits" });
  await limits.getByRole("definition").getByText("1 MiB", { exact: true }).waitFor();
  await page.getByRole("region", { name: "Addresses" }).getByText(service.url).first().waitFor();
  await page.getByRole("region", { name: "Process that answered" }).getByText("SQLite").waitFor();
  expect(await page.title()).toBe("Settings · Procedo");
  expect(await seriousProblems(page)).toEqual([]);
});

test("others are told who sees it, at 390 pixels", async () => {
  const person = await service.join("Vera Viewer", { sandbox: ["viewer"], live: [] });
  const page = await openPage(service, { person, width: 390 });
  await page.goto("/dashboard/settings");
  await page
    .getByRole("alert")
    .getByText("Only owners of both environments see the settings of the service.")
    .waitFor();
  expect(await page.getByRole("definition").count()).toBe(0);
  expect(await seriousProblems(page)).toEqual([]);
});
