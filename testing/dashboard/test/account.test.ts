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

test("a person ends another session of theirs, and changes the password", async () => {
  const elsewhere = await openPage(service, { person: owner });
  const page = await openPage(service, { person: owner });
  await elsewhere.goto("/dashboard/sandbox/runs");
  await elsewhere.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
  await page.goto("/dashboard/account");
  const sessions = page.getByRole("table", { name: "Sessions" });
  await sessions.getByText("This session").waitFor();
  expect(await sessions.getByRole("row").count()).toBe(3);
  await sessions.getByRole("button", { name: "End session" }).click();
  await elsewhere.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await page.getByText("This session").waitFor();

  await page.getByLabel("Current password").fill("not my password");
  await page.getByRole("textbox", { name: "New password" }).fill("another password of mine");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText(/^This field .*\.$/).waitFor();
  await page.getByLabel("Current password").fill(owner.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByRole("status").getByText("The password was changed.").waitFor();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
  expect(
    await service.engine.sessions.signIn({ email: owner.email, password: "another password of mine" }),
  ).toBeTruthy();
});

test.each([
  ["light", 1280],
  ["dark", 390],
] as const)("theme and time zone are chosen, in %s at %i px", async (colorScheme, width) => {
  const person = await service.join(`Ann ${colorScheme}`, { live: ["viewer"] });
  const page = await openPage(service, { person, colorScheme, width });
  await page.goto("/dashboard/account");
  await page.getByRole("table", { name: "Sessions" }).waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await page.getByRole("combobox", { name: "Time zone" }).selectOption("UTC");
  await page.getByText(/^Now: .* UTC$/).waitFor();
  await page.getByRole("combobox", { name: "Theme" }).selectOption(colorScheme === "dark" ? "light" : "dark");
  await page.reload();
  await page.getByText(/^Now: .* UTC$/).waitFor();
  const scheme = await page.evaluate<string>("getComputedStyle(document.documentElement).colorScheme");
  expect(scheme).toBe(colorScheme === "dark" ? "light" : "dark");
});
