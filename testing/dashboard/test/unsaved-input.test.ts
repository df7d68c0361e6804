import { openPage, seriousProblems, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const operator = { person: "operator" };
let service: Service;
let owner: ServicePerson;
let clearing = "";
let webhook = "";
let trigger = "";

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Ona Owner", { sandbox: ["owner"], live: ["owner"] });
  const { engine } = service;
  const { items } = await engine.connections.list({ environment: "sandbox", limit: 100 });
  clearing = items.find(({ name }) => name === "clearing")?.connectionId ?? "";
  const url = `${service.url}/receiver`;
  const facts = { environment: "sandbox", by: operator } as const;
  webhook = (await engine.webhooks.create({ ...facts, url, events: ["run_completed"] })).webhookId;
  const source = { kind: "schedule", cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" } as const;
  const started = { name: "Morning", procedureId: "transfer", source, input: { amount: 1, payee: "Acme" } };
  trigger = (await engine.triggers.create({ ...facts, ...started })).triggerId;
});

afterAll(async () => {
  await service.stop();
});

const question = (page: Page) => page.getByRole("dialog", { name: "Leave without saving?" });

describe("a page with a form", () => {
  test.each([
    ["a new connection", () => "connections/new", /^Name$/],
    ["the settings of a connection", () => `connections/${clearing}/edit`, /^Base URL/],
    ["a new webhook", () => "webhooks/new", /^Address$/],
    ["a new trigger", () => "triggers/new", /^Name$/],
    ["a stored trigger", () => `triggers/${trigger}/edit`, /^Name$/],
  ])("%s is left at once while nothing was entered, and asks afterwards", async (_name, path, label) => {
    const page = await openPage(service, { person: owner });
    const field = page.getByRole("textbox", { name: label });
    const leave = () =>
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Procedures" }).click();
    await page.goto(`/dashboard/sandbox/${path()}`);
    await field.waitFor();
    await leave();
    await page.getByRole("heading", { level: 1, name: "Procedures" }).waitFor();
    await page.goBack();
    await field.fill("http://127.0.0.1:8089/typed");
    await leave();
    await question(page).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await question(page).getByRole("button", { name: "Stay" }).click();
    await question(page).waitFor({ state: "detached" });
    expect(await field.inputValue()).toBe("http://127.0.0.1:8089/typed");
    await leave();
    await question(page).getByRole("button", { name: "Leave" }).click();
    await field.waitFor({ state: "detached" });
  });

  test("asks nothing once it was saved", async () => {
    const page = await openPage(service, { person: owner });
    await page.goto("/dashboard/sandbox/connections/new?kind=private_connection");
    await page.getByRole("textbox", { name: "Name" }).fill("vault");
    await page.getByRole("button", { name: "Create connection" }).click();
    await page.getByRole("heading", { level: 1, name: "vault" }).waitFor();
    await page.goto(`/dashboard/sandbox/triggers/${trigger}/edit`);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Early morning");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Early morning" }).waitFor();
    await page.goto("/dashboard/sandbox/procedures");
    await page.getByRole("button", { name: "New procedure" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Monthly close");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Monthly close" }).waitFor();
  });
});

describe("a dialog with a form", () => {
  test.each([
    ["Rename", () => `sandbox/connections/${clearing}`, "Rename", "Name"],
    ["Edit a webhook", () => `sandbox/webhooks/${webhook}`, "Edit", "Address"],
    ["Pause a trigger", () => `sandbox/triggers/${trigger}`, "Pause", "Reason"],
    ["New procedure", () => "sandbox/procedures", "New procedure", "Name"],
    ["New API key", () => "sandbox/api-keys", "New API key", "Name"],
    ["Invite", () => "people", "Invite", "E-mail"],
    ["Edit a person", () => "people", "Edit Ona Owner", "Name"],
  ])("%s closes at once while nothing was entered, and asks afterwards", async (_name, path, button, label) => {
    const page = await openPage(service, { person: owner });
    await page.goto(`/dashboard/${path()}`);
    const open = page
      .getByRole("button", { name: button })
      .or(page.getByRole("link", { name: button }))
      .first();
    const dialog = page.getByRole("dialog").filter({ has: page.getByRole("textbox", { name: label, exact: true }) });
    await open.press("Enter");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await open.press("Enter");
    await page.keyboard.type("x");
    await page.keyboard.press("Escape");
    await question(page).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    // Escape answers the question with "Stay".
    await page.keyboard.press("Escape");
    await question(page).waitFor({ state: "detached" });
    expect(await dialog.getByRole("textbox", { name: label, exact: true }).inputValue()).toContain("x");
    await dialog.getByRole("button", { name: "Back" }).click();
    await question(page).getByRole("button", { name: "Leave" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    // The focus is at the button that opened the dialog.
    await page.keyboard.press("Enter");
    await dialog.waitFor();
  });
});
