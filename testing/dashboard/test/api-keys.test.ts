import {
  openPage,
  seriousProblems,
  startService,
  surplusWidth,
  type Service,
  type ServicePerson,
} from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let builder: ServicePerson;
let viewer: ServicePerson;

beforeAll(async () => {
  service = await startService();
  builder = await service.join("Bea Builder", { sandbox: ["builder", "reviewer"], live: ["builder"] });
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"], live: [] });
});

afterAll(async () => {
  await service.stop();
});

/** The status of a request with a key. */
async function statusWith(key: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` };
  return (await fetch(`${service.url}/api/v1/runs?limit=1`, { headers })).status;
}

test("a key is created by keyboard, shown once, used, and deleted with what stops working", async () => {
  const page = await openPage(service, { person: builder });
  await page.goto("/dashboard/sandbox/api-keys");
  await page.getByText("No program has a key for Sandbox.").waitFor();
  await page.getByRole("button", { name: "New API key" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "New API key for Sandbox" });
  await page.keyboard.type("Nightly invoices");
  await dialog.getByRole("checkbox", { name: "Review" }).press("Space");
  expect(await seriousProblems(page)).toEqual([]);
  await dialog.getByRole("textbox", { name: "Name" }).press("Enter");
  const shown = page.getByRole("region", { name: "Shown once" });
  const key = await shown.getByRole("textbox", { name: "API key" }).inputValue();
  expect(key).toMatch(/^rsk_sandbox_\S+$/);
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("link", { name: "Open in Live" }).press("Enter");
  await page.getByRole("dialog", { name: "Leave without storing it?" }).waitFor();
  await page.keyboard.press("Escape");
  const row = page.getByRole("table", { name: "Sandbox keys" }).getByRole("row", { name: /^Nightly invoices/ });
  await row.and(page.getByRole("row", { name: /Run, Review.*Never/ })).waitFor();
  expect(await statusWith(key)).toBe(200);
  await shown.getByRole("button", { name: "I have stored it" }).press("Enter");
  await shown.waitFor({ state: "detached" });
  expect(await page.getByText(key).count()).toBe(0);

  await page.reload();
  await row.and(page.getByRole("row", { name: /from 127\.0\.0\.1/ })).waitFor();
  await row.getByRole("button", { name: "Delete Nightly invoices" }).press("Enter");
  const asked = page.getByRole("dialog", { name: "Delete API key?" });
  await asked.getByRole("alert").getByText("The program that uses it stops working.").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await asked.getByRole("button", { name: "Delete", exact: true }).press("Enter");
  await page.getByRole("status", { name: "Messages" }).getByText("Nightly invoices was deleted.").waitFor();
  await row.waitFor({ state: "detached" });
  expect(await statusWith(key)).toBe(401);
});

test("a person gives only permissions of their own, in the environment of the page, at 360 pixels in the dark", async () => {
  const page = await openPage(service, { person: builder, width: 360, colorScheme: "dark" });
  await page.goto("/dashboard/live/api-keys");
  await page.getByRole("button", { name: "New API key" }).click();
  const dialog = page.getByRole("dialog", { name: "New API key for Live" });
  expect(await dialog.getByRole("checkbox", { name: "Review" }).isDisabled()).toBe(true);
  await dialog.getByText("You do not have this permission in Live.").waitFor();
  await dialog.getByRole("textbox", { name: "Name" }).fill("x".repeat(200));
  await dialog.getByRole("button", { name: "Create API key Live" }).click();
  const shown = page.getByRole("region", { name: "Shown once" });
  expect(await shown.getByRole("textbox", { name: "API key" }).inputValue()).toMatch(/^rsk_live_/);
  expect(await surplusWidth(page)).toBe(0);
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("link", { name: "Open in Sandbox" }).click();
  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("region", { name: "Sandbox keys" }).waitFor();
  await page.getByRole("table", { name: "Live keys" }).waitFor();
  expect(await shown.count()).toBe(0);
  // Keys of the other environment are shown, and not deleted from here.
  expect(await page.getByRole("button", { name: /^Delete x/ }).count()).toBe(0);
});

test("a viewer sees the keys that they reach, and why they are not changed", async () => {
  await service.engine.keys.create({
    name: "seen",
    environment: "sandbox",
    permissions: [],
    person: builder.email,
    by: { person: "operator" },
  });
  const page = await openPage(service, { person: viewer });
  await page.goto("/dashboard/sandbox/api-keys");
  await page.getByRole("row", { name: /^seen.*Read only.*acts as bea\.builder@acme\.example/ }).waitFor();
  await page.getByText("You may look at API keys in Sandbox, and not change them.").waitFor();
  expect(await page.getByRole("table", { name: "Live keys" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: /^New API key|^Delete/ }).count()).toBe(0);
});
