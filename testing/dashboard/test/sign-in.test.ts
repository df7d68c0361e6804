import { openPage, seriousProblems, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import type { Page } from "playwright-core";
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

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

async function invite(email: string): Promise<string> {
  const by = { person: "operator", via: "test" };
  const access = { sandbox: ["builder" as const], live: ["reviewer" as const] };
  return (await service.engine.people.invite({ email, access, by })).token;
}

test("a person joins, signs out, signs in and reads a run by keyboard alone", async () => {
  const runId = await service.run("vendor-payment", { payee: "Globex", amount: 100 });
  const token = await invite("kim@acme.example");
  const page = await openPage(service);
  const { keyboard } = page;
  await page.goto(`/dashboard/invitation#${token}`);
  await page.getByText("In Live, you can see everything and decide reviews.").waitFor();
  await keyboard.type("Kim Keyboard");
  await keyboard.press("Tab");
  await keyboard.type("a password of mine");
  await keyboard.press("Enter");
  await heading(page, "Home").and(page.locator(":focus")).waitFor();

  await page.getByRole("button", { name: "Account" }).focus();
  await keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Your account" }).and(page.locator(":focus")).waitFor();
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await heading(page, "Sign in").waitFor();
  await keyboard.type("kim@acme.example");
  await keyboard.press("Tab");
  await keyboard.type("a password of mine");
  await keyboard.press("Enter");
  await heading(page, "Home").and(page.locator(":focus")).waitFor();

  await keyboard.press("g");
  await keyboard.press("r");
  await heading(page, "Runs").and(page.locator(":focus")).waitFor();
  await keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).and(page.locator(":focus")).waitFor();
  await keyboard.type(runId);
  await page.getByRole("option", { name: runId }).waitFor();
  await keyboard.press("Enter");
  await page.getByRole("main").getByText(runId).first().waitFor();
});

test("a used link and an unknown link say so, and what to ask for", async () => {
  const page = await openPage(service);
  await page.goto("/dashboard/invitation#inv_unknown");
  await page.getByRole("alert").getByText("This link was used or has expired.").waitFor();
  await page.getByText("Ask the person who sent it for a new link.").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.goto("/dashboard/setup");
  await page.getByRole("alert").getByText("This link was used or has expired.").waitFor();
  await page.getByText("Start the service again").waitFor();
});

test("a person whose account was created although the answer was lost is led to the sign-in", async () => {
  const token = await invite("lea@acme.example");
  const page = await openPage(service);
  await page.goto(`/dashboard/invitation#${token}`);
  await page.getByLabel("Your name").fill("Lea");
  await page.getByRole("textbox", { name: "Password" }).fill("a password of mine");
  await page.route("**/api/v1/invitations/accept", async (route) => {
    await route.fetch();
    await route.abort();
  });
  const create = page.getByRole("button", { name: "Create account" });
  await create.click();
  await page.getByRole("alert").waitFor();
  await page.unrouteAll({ behavior: "wait" });
  await create.click();
  const alert = page.getByRole("alert");
  await alert.getByText("If you have just created your account, sign in.").waitFor();
  await alert.getByRole("link", { name: "sign in" }).click();
  await page.getByLabel("E-mail").fill("lea@acme.example");
  await page.getByLabel("Password").fill("a password of mine");
  await page.getByRole("button", { name: "Sign in" }).click();
  await heading(page, "Home").waitFor();
});

test("a password that is easily guessed is refused at its field, with the rest kept", async () => {
  const token = await invite("ben@acme.example");
  const page = await openPage(service, { width: 390, colorScheme: "dark" });
  await page.goto(`/dashboard/invitation#${token}`);
  await page.getByLabel("Your name").fill("Ben");
  const password = page.getByRole("textbox", { name: "Password" });
  await password.fill("aaaaaaaaaaaaaa");
  await page.getByRole("button", { name: "Create account" }).click();
  await password.and(page.locator(":focus")).waitFor();
  await page.getByText("This field repeats one or two characters.").waitFor();
  expect(await page.getByLabel("Your name").inputValue()).toBe("Ben");
  expect(await seriousProblems(page)).toEqual([]);
});

test("a sign-in returns to the address that was asked for, and to none outside of the dashboard", async () => {
  const page = await openPage(service);
  await page.goto("/dashboard/live/runs?q=INV-1");
  await signIn(page);
  await heading(page, "Runs").and(page.locator(":focus")).waitFor();
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe("/dashboard/live/runs?q=INV-1");

  await page.context().clearCookies();
  await page.goto("/dashboard/sign-in?to=https://evil.example/dashboard");
  await signIn(page);
  await heading(page, "Home").waitFor();
  // Signed in already, the sign-in has nothing to ask.
  await page.goto("/dashboard/sign-in?to=/dashboard/account");
  await heading(page, "Your account").waitFor();
});

test("each reason of an identity provider has its sentence, and a throttled person sees when to try again", async () => {
  const page = await openPage(service);
  await page.goto("/dashboard/sign-in?error=not_invited");
  await page.getByRole("alert").getByText("Ask an owner for an invitation").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.clock.install();
  await page.route("**/api/v1/session", async (route) => {
    if (route.request().method() !== "POST") return await route.continue();
    const json = { code: "rate_limited", error: "Too many attempts.", requestId: "req_1" };
    await route.fulfill({ status: 429, headers: { "Retry-After": "59" }, json });
  });
  await signIn(page);
  const alert = page.getByRole("alert");
  await alert.getByText(/Try again in \d+ s\./).waitFor();
  const secondsLeft = async () => Number(/in (\d+) s/.exec(await alert.innerText())?.[1]);
  const before = await secondsLeft();
  expect(await page.getByLabel("E-mail").inputValue()).toBe(owner.email);
  await page.clock.runFor(3_000);
  await expect.poll(secondsLeft).toBeLessThanOrEqual(before - 3);
  await page.clock.runFor(59_000);
  await alert.getByText("Try again now.").waitFor();
});

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
