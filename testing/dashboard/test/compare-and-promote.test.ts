import type { ProcedureDocument } from "@procedo/contract";
import { openPage, seriousProblems, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { vendorPayment } from "../src/documents/vendor-payment.ts";

const by = { person: "operator", via: "test" };
const procedureId = "vendor-payment";

/** Asks above another limit, two people, and calls `connection` before it pays. */
function changed(connection: string): ProcedureDocument {
  const nodes = vendorPayment.nodes.map((node) => {
    if (node.kind === "human_review") return { ...node, approvals: 2 };
    return node.kind === "tool_call" && node.id === "payee" ? { ...node, connection } : node;
  });
  return { ...vendorPayment, nodes };
}

let service: Service;
let owner: ServicePerson;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  const { engine } = service;
  await engine.connections.create({ name: "sandbox-bank", integration: "bank", environment: "sandbox", by });
  await engine.procedures.publish({ document: changed("bank"), version: "2", by });
  await engine.procedures.publish({ document: changed("sandbox-bank"), version: "3", by });
});

beforeEach(async () => {
  await service.engine.procedures.setDefault({ procedureId, environment: "sandbox", version: "2", by });
  await service.engine.procedures.setDefault({ procedureId, environment: "live", version: "1", by });
});

afterAll(async () => {
  await service.stop();
});

test.each([
  ["light", 1280],
  ["dark", 390],
] as const)("two versions are compared in words and as text, in %s at %i pixels", async (colorScheme, width) => {
  const page = await openPage(service, { person: owner, colorScheme, width });
  await page.goto(`/dashboard/sandbox/procedures/${procedureId}`);
  await page.getByRole("link", { name: "Compare" }).click();
  await page.getByRole("heading", { level: 1, name: "Compare" }).waitFor();
  const changes = page.getByRole("region", { name: "Changes" });
  await changes.getByText("Pay ‹amount› to ‹payee›?").waitFor();
  expect(await changes.getByRole("insertion").allTextContents()).toEqual(["new: + 2"]);
  await page.getByRole("table", { name: "Lines of both documents" }).getByText('"approvals": 2').waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await page.getByRole("button", { name: "Swap" }).click();
  await changes.getByRole("deletion").getByText("2").waitFor();
  expect(new URL(page.url()).searchParams.get("from")).toMatch(/2/);
  await page.getByRole("combobox", { name: "From version" }).selectOption("1");
  await changes.getByText("The documents are the same.").waitFor();
});

test("a version is promoted to live after its changes and connections were shown", async () => {
  const page = await openPage(service, { person: owner });
  // The home of live reads its connections, too.
  await page.goto("/dashboard/live");
  await page.getByRole("region", { name: "First steps" }).waitFor();
  await page.getByRole("link", { name: "Open in Sandbox" }).click();
  await page.getByRole("link", { name: "Procedures", exact: true }).first().click();
  await page.getByRole("link", { name: "Vendor payment", exact: true }).click();
  await page.getByRole("button", { name: "Promote to live" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Promote to live" });
  await dialog.getByRole("region", { name: "Changes" }).getByText("approvals").waitFor();
  await dialog.getByRole("region", { name: "Connections in live" }).getByText("Available").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: /^Promote/ }).press("Enter");
  await page.getByText("Version 2 is the default in live.").waitFor();
  await dialog.waitFor({ state: "detached" });
  const { defaults } = await service.engine.procedures.get({ procedureId });
  expect(defaults).toEqual({ sandbox: "2", live: "2" });
  await page.getByText("Version 2 is the default of live already.").first().waitFor();
});

test("a version whose connection is missing in live is not promoted", async () => {
  await service.engine.procedures.setDefault({ procedureId, environment: "sandbox", version: "3", by });
  const page = await openPage(service, { person: owner, width: 390 });
  await page.goto(`/dashboard/sandbox/procedures/${procedureId}`);
  await page.getByRole("button", { name: "Promote to live" }).click();
  const dialog = page.getByRole("dialog", { name: "Promote to live" });
  await dialog.getByText("Missing in live").waitFor();
  await dialog.getByRole("alert").getByText("sandbox-bank").waitFor();
  expect(await dialog.getByRole("button", { name: /^Promote/ }).isDisabled()).toBe(true);
  expect(await seriousProblems(page)).toEqual([]);
  await dialog.getByRole("link", { name: "Create sandbox-bank in live" }).click();
  await page.getByRole("heading", { level: 1, name: "New connection" }).waitFor();
  expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("sandbox-bank");
  expect(new URL(page.url()).pathname).toBe("/dashboard/live/connections/new");
  expect(new URL(page.url()).searchParams.get("kind")).toBe("bank");
});

test("defaults that change meanwhile are shown before anything is promoted", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto(`/dashboard/sandbox/procedures/${procedureId}`);
  await page.getByRole("button", { name: "Promote to live" }).click();
  const dialog = page.getByRole("dialog", { name: "Promote to live" });
  const promote = dialog.getByRole("button", { name: /^Promote/ });
  await expect.poll(() => promote.isEnabled()).toBe(true);
  await service.engine.procedures.setDefault({ procedureId, environment: "sandbox", version: "3", by });
  await dialog.getByRole("alert").getByText("The defaults changed while you were reading.").waitFor();
  expect(await promote.isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Show the present changes" }).click();
  await dialog.getByText("Missing in live").waitFor();
});
