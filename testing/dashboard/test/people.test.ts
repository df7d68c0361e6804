import { openPage, seriousProblems, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;
let viewer: ServicePerson;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"], live: [] });
});

afterAll(async () => {
  await service.stop();
});

test("an owner invites a person: the link is shown once, and can be withdrawn", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/people");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite" });
  await dialog.getByRole("textbox", { name: "E-mail" }).fill("new@acme.example");
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  await dialog.getByRole("alert").getByText("Give the person a role in at least one environment.").waitFor();
  await dialog
    .getByRole("group", { name: "Live access" })
    .getByRole("checkbox", { name: /^Reviewer/ })
    .check();
  await dialog.getByRole("textbox", { name: "Groups" }).fill("treasury, controlling");
  expect(await seriousProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const shown = page.getByRole("region", { name: "Shown once" });
  expect(await shown.getByRole("textbox", { name: "Invitation link" }).inputValue()).toMatch(
    /\/dashboard\/invitation#inv_/,
  );
  await page.getByRole("link", { name: "Home" }).click();
  const leave = page.getByRole("dialog", { name: "Leave without storing it?" });
  await leave.getByRole("button", { name: "Stay" }).click();
  await shown.getByRole("button", { name: "I have stored it" }).click();
  await shown.waitFor({ state: "detached" });
  const invitation = page.getByRole("row", { name: /^new@acme\.example No access Reviewer/ });
  await invitation.getByRole("button", { name: "Withdraw the invitation of new@acme.example" }).click();
  await invitation.waitFor({ state: "detached" });
  const { items } = await service.engine.people.invitations({ limit: 10 });
  expect(items).toEqual([]);
});

async function showLink(page: Page, email: string): Promise<Locator> {
  await page.goto("/dashboard/people");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite" });
  await dialog.getByRole("textbox", { name: "E-mail" }).fill(email);
  await dialog
    .getByRole("checkbox", { name: /^Reviewer/ })
    .first()
    .check();
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const shown = page.getByRole("region", { name: "Shown once" });
  await shown.waitFor();
  return shown;
}

test.each(["here", "in another tab"])("a sign-out %s takes a link that is shown once off the screen", async (where) => {
  const page = await openPage(service, { person: owner });
  const shown = await showLink(page, `${where.replaceAll(" ", "-")}@acme.example`);
  // The sign-in waits for an answer. Nothing is left on the screen meanwhile.
  const answer = Promise.withResolvers<undefined>();
  await page.route("**/api/v1/session", async (route) => {
    if (route.request().method() === "GET") await answer.promise;
    await route.continue();
  });
  const tab = where === "here" ? page : await page.context().newPage();
  if (tab !== page) await tab.goto("/dashboard/account");
  await tab.getByRole("button", { name: "Account" }).click();
  await tab.getByRole("menuitem", { name: "Sign out" }).click();
  await shown.waitFor({ state: "detached" });
  expect(await page.getByText(owner.email).count()).toBe(0);
  answer.resolve(undefined);
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
});

test("a sign-in of another person in another tab replaces a link that is shown once, without a question", async () => {
  const page = await openPage(service, { person: owner });
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  const shown = await showLink(page, "late@acme.example");
  const tab = await page.context().newPage();
  await tab.goto("/dashboard/account");
  await page.bringToFront();
  await tab.evaluate("new BroadcastChannel('procedo.session').postMessage({ email: 'another@acme.example' })");
  await shown.waitFor({ state: "detached" });
  expect(questions).toEqual([]);
});

test("an owner changes access and deactivates, and the API keys that act as the person are named", async () => {
  const rita = await service.join("Rita Reviewer", { sandbox: ["reviewer"], live: ["reviewer"] });
  const by = { person: "operator" };
  const key = { name: "erp", environment: "live", permissions: ["review"], person: rita.email, by } as const;
  await service.engine.keys.create(key);
  const page = await openPage(service, { person: owner, width: 390, colorScheme: "dark" });
  await page.goto("/dashboard/people");
  await page.getByRole("link", { name: "Edit Rita Reviewer" }).click();
  const edit = page.getByRole("dialog", { name: "Edit Rita Reviewer" });
  await edit
    .getByRole("group", { name: "Sandbox access" })
    .getByRole("checkbox", { name: /^Builder/ })
    .check();
  await edit.getByText("Rita Reviewer is signed out by this change").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await edit.getByRole("button", { name: "Save" }).click();
  await page.getByRole("row", { name: /^Rita Reviewer.*Reviewer, Builder/ }).waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  await page.getByRole("button", { name: "Deactivate Rita Reviewer" }).click();
  const deactivate = page.getByRole("dialog", { name: "Deactivate Rita Reviewer?" });
  await deactivate.getByRole("listitem").getByText("erp").waitFor();
  await deactivate.getByRole("checkbox", { name: /^Delete these API keys/ }).check();
  await deactivate.getByRole("button", { name: "Deactivate", exact: true }).click();
  const done = page.getByRole("dialog", { name: "Rita Reviewer was deactivated" });
  await done.getByText("These API keys were deleted:").waitFor();
  await done.getByRole("button", { name: "Close", exact: true }).last().click();
  await page.getByRole("row", { name: /^Rita Reviewer.*Deactivated/ }).waitFor();
});

test("the last owner stays", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/people");
  await page.getByRole("button", { name: "Deactivate Olga Owner" }).click();
  const dialog = page.getByRole("dialog", { name: "Deactivate Olga Owner?" });
  await dialog.getByText("This is your own account.").waitFor();
  await dialog.getByRole("button", { name: "Deactivate", exact: true }).click();
  await dialog.getByText("This person is the last owner of both environments").waitFor();
});

test("others are not offered the page, and its address says who sees it", async () => {
  const page = await openPage(service, { person: viewer });
  await page.goto("/dashboard/people");
  await page.getByRole("alert").getByText("Only owners of both environments see people and their access.").waitFor();
  const navigation = page.getByRole("navigation", { name: "Main" });
  expect(await navigation.getByRole("link", { name: "People" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Invite" }).count()).toBe(0);
});
