import {
  failReads,
  openPage,
  seriousProblems,
  startService,
  type Service,
  type ServicePerson,
} from "@procedo-testing/dashboard";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;
let viewer: ServicePerson;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"], live: ["viewer"] });
});

afterAll(async () => {
  await service.stop();
});

const steps = (page: Page) => page.getByRole("tree", { name: "Steps" });
const step = (page: Page) => page.getByRole("region", { name: "Step", exact: true });
const selected = (page: Page) => page.getByRole("treeitem", { selected: true });

/** The element that has the focus, by its label or else its text. */
const focused = (page: Page): Promise<unknown> =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent");

/** The value of a term of the page's header. */
async function factOf(page: Page, term: string): Promise<string> {
  const terms = await page.getByRole("term").allTextContents();
  const values = await page.getByRole("definition").allTextContents();
  return values[terms.indexOf(term)] ?? "";
}

describe("a run that has completed", () => {
  test("shows its facts, its steps and each step's record, and is moved through by keys alone", async () => {
    const runId = await service.run("vendor-payment", { payee: "Acme GmbH", amount: 100 });
    const page = await openPage(service, { person: owner });
    await page.goto(`/dashboard/sandbox/runs/${runId}`);
    await page.getByRole("heading", { level: 1, name: "Vendor payment" }).waitFor();
    expect(await page.title()).toBe("Vendor payment · Sandbox · Procedo");
    await page.getByText(runId).waitFor();
    const facts = ["Status", "Version", "Started by"].map((term) => factOf(page, term));
    expect(await Promise.all(facts)).toEqual(["Completed", "1", "ana@acme.example"]);
    expect(await factOf(page, "Started")).toMatch(/ CET$/);

    await page.keyboard.press("k");
    await step(page).getByRole("heading", { name: "Pay the vendor" }).waitFor();
    await steps(page).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    expect(await selected(page).getAttribute("aria-label")).toMatch(/^Look up the payee, Completed, \d+ ms$/);
    await step(page).getByText('"DE"').waitFor();
    expect(new URL(page.url()).searchParams.get("step")).toBe("payee.1");

    await page.keyboard.press("o");
    expect(await focused(page)).toBe("Output");
    await page.keyboard.press("i");
    expect(await focused(page)).toBe("Input");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.keyboard.press("c");
    await page.getByText("Output of “Look up the payee” copied.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain('"country": "DE"');

    const record = step(page);
    expect(await record.getByText("Attempt 1: Answered").count()).toBe(1);
    expect(await record.getByRole("button", { name: "Copy idempotency key" }).count()).toBe(1);
  });

  test("keeps the address of a step, and has a view of its data", async () => {
    const runId = await service.run("vendor-payment", { payee: "Globex", amount: 250 });
    const page = await openPage(service, { person: viewer });
    await page.goto(`/dashboard/sandbox/runs/${runId}?step=size.1`);
    expect(await selected(page).getAttribute("aria-label")).toMatch(/^Is the amount large\?/);
    await step(page).getByText("small", { exact: true }).first().waitFor();
    await page.getByRole("navigation", { name: "Run views" }).getByRole("link", { name: "Data" }).click();
    await page.getByRole("region", { name: "Input" }).getByText("250").waitFor();
    await page
      .getByRole("region", { name: "Output" })
      .getByText(/"receipt-\d/)
      .waitFor();
    // A viewer may look at everything, and change nothing.
    expect(await page.getByRole("button", { name: /Cancel run|Run again/ }).count()).toBe(0);
  });

  test("that a trigger started names it, and the person it acts for", async () => {
    const { triggerId, secret, inbound } = await service.engine.triggers.create({
      name: "Approved <b>invoices</b>",
      environment: "sandbox",
      procedureId: "vendor-payment",
      source: {
        kind: "webhook",
        authentication: { scheme: "token", header: "X-Token" },
        dedupe: { by: "none" },
      },
      input: { payee: "{{ event.payee }}", amount: "{{ event.amount }}" },
      by: { person: owner.email },
    });
    const response = await fetch(`${service.url}/in/v1/${inbound?.address ?? ""}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Token": secret ?? "" },
      body: JSON.stringify({ payee: "Initech", amount: 310 }),
    });
    expect(response.status).toBe(200);
    const started = async () => {
      const { items } = await service.engine.triggers.firings({ environment: "sandbox", triggerId, limit: 10 });
      return items[0]?.run?.runId;
    };
    await expect.poll(started).toBeDefined();
    const page = await openPage(service, { person: viewer });
    await page.goto(`/dashboard/sandbox/runs/${(await started()) ?? ""}`);
    await page.getByRole("definition").getByText("Webhook “Approved <b>invoices</b>”").waitFor();
    expect(await factOf(page, "Trigger")).toBe("Webhook “Approved <b>invoices</b>”");
    expect(await factOf(page, "Started by")).toBe(owner.email);
    await page.goto("/dashboard/sandbox/runs");
    await page.getByRole("row", { name: new RegExp(`Webhook.*${owner.email}`) }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  test("is run again with its input", async () => {
    const runId = await service.run("vendor-payment", { payee: "Umbrella", amount: 77 });
    const page = await openPage(service, { person: owner });
    await page.goto(`/dashboard/live/runs/${runId.replace(/.$/, "x")}`);
    await page.getByRole("alert").getByText("There is no run").waitFor();
    await page.goto(`/dashboard/live/runs/${runId}`);
    await page.getByRole("link", { name: "Look for it in Sandbox" }).click();
    await page.getByRole("button", { name: "Run again" }).click();
    await page.getByRole("heading", { level: 1, name: "Start run" }).waitFor();
    expect(new URL(page.url()).searchParams.get("from")).toBe(runId);
  });
});

test.each([
  ["light", 1280],
  ["dark", 390],
] as const)("a failed run says where and why, in %s at %d pixels", async (colorScheme, width) => {
  const runId = await service.run("vendor-payment", { payee: "refused", amount: 100 });
  const page = await openPage(service, { person: owner, colorScheme, width });
  await page.goto(`/dashboard/sandbox/runs/${runId}/data`);
  await page.getByText("This run failed at “Pay the vendor”.").waitFor();
  await page.getByRole("link", { name: "Show the step" }).click();
  await step(page).getByText("Attempt 1: Failed").waitFor();
  expect(await selected(page).getAttribute("aria-label")).toMatch(/^Pay the vendor, Failed/);
  expect(await seriousProblems(page)).toEqual([]);
});

test("a run of many steps renders those in view, and keys reach the last one", async () => {
  const runId = await service.run("statement", { lines: 45 });
  const page = await openPage(service, { person: viewer, colorScheme: "dark" });
  await page.goto(`/dashboard/sandbox/runs/${runId}?step=start.1`);
  await selected(page).waitFor();
  const shown = await page.getByRole("treeitem").count();
  expect(shown).toBeGreaterThan(10);
  expect(shown).toBeLessThan(60);
  await steps(page).focus();
  await page.keyboard.press("End");
  await page.getByRole("treeitem", { name: /^done/, selected: true }).waitFor();
  expect(await selected(page).getAttribute("aria-posinset")).toBe("92");
  expect(await seriousProblems(page)).toEqual([]);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.getByRole("table", { name: "Steps" }).getByRole("row").count()).toBe(93);
});

describe("a page that cannot be read", () => {
  test("names the request, and is read again on request", async () => {
    const runId = await service.run("vendor-payment", { payee: "Acme GmbH", amount: 100 });
    const page = await openPage(service, { person: owner });
    const mend = await failReads(page, "**/steps/**", "req_1");
    await page.goto(`/dashboard/sandbox/runs/${runId}`);
    await step(page).getByRole("alert").getByText("Request req_1").waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await mend();
    await step(page).getByRole("button", { name: "Retry" }).click();
    await step(page).getByRole("heading", { name: "Output" }).waitFor();
  });

  test("is tried again by itself where the service asks for that", async () => {
    const runId = await service.run("vendor-payment", { payee: "Acme GmbH", amount: 100 });
    const page = await openPage(service, { person: viewer });
    const body = JSON.stringify({ code: "rate_limited", error: "Too many requests.", requestId: "req_2" });
    const refused = { status: 429, contentType: "application/json", headers: { "Retry-After": "600" }, body };
    await page.route(/runs\/run_\w+\?/, (route) => route.fulfill(refused), { times: 1 });
    await page.clock.install();
    await page.goto(`/dashboard/sandbox/runs/${runId}`);
    await page.getByRole("heading", { level: 1, name: "Run" }).waitFor();
    await page.getByRole("button", { name: "Copy as curl" }).waitFor();
    await page.clock.runFor(600_500);
    await page.getByRole("treeitem", { name: /^done, Completed/ }).waitFor();
  });

  test("because the steps were archived says where they are", async () => {
    const runId = await service.run("vendor-payment", { payee: "Acme GmbH", amount: 100 });
    const page = await openPage(service, { person: owner });
    await page.route(/runs\/run_\w+\?/, async (route) => {
      const response = await route.fetch();
      const { timeline: _archived, ...run } = (await response.json()) as { readonly timeline: unknown };
      await route.fulfill({ response, json: run });
    });
    await page.goto(`/dashboard/sandbox/runs/${runId}`);
    await page.getByText("The steps of this run were archived.").waitFor();
    await page.getByRole("link", { name: "Data" }).click();
    await page.getByText("The input was archived together with the steps.").waitFor();
  });
});
