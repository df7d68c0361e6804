import {
  hostileTexts,
  injectedCode,
  openApi,
  openPage,
  seedHostileTexts,
  startService,
  surplusWidth,
  type HostilePages,
  type Service,
  type ServicePerson,
  type WatchedPage,
} from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;
let seeded: HostilePages;

beforeAll(async () => {
  service = await startService();
  const access = ["owner", "reviewer"] as const;
  owner = await service.join("Olga Owner", { sandbox: access, live: access });
  seeded = await seedHostileTexts(await openApi(service, owner), service.url);
});

afterAll(async () => {
  await service.stop();
});

/** Waits until the page has read what it shows. */
async function open(page: WatchedPage, path: string): Promise<void> {
  await page.goto(`/dashboard/${path}`);
  await page.getByRole("main").and(page.locator('[aria-busy="false"]')).waitFor();
}

const image = "<img src=x onerror=alert(1)>";
const inAddress = encodeURIComponent(image);

/** Pages that show texts of strangers. */
const pages = (): readonly string[] => [
  `sandbox/runs/${seeded.waitingRun}?step=look.1`,
  `sandbox/runs/${seeded.waitingRun}?step=${inAddress}`,
  `sandbox/runs/${seeded.failedRun}?step=ask.1`,
  `sandbox/runs/${seeded.refusedRun}?step=pay.1`,
  `sandbox/runs/${seeded.agentRun}?step=pay.1`,
  `sandbox/runs/${seeded.waitingRun}/flowchart`,
  `sandbox/runs/${seeded.runOfAll}/data`,
  `sandbox/runs/${seeded.waitingRun}/deliveries`,
  `sandbox/runs/${seeded.runOfAll}/record`,
  `sandbox/runs/new?procedure=hostile&from=${seeded.waitingRun}`,
  "sandbox/reviews?show=open",
  "sandbox/reviews?show=decided",
  `sandbox/reviews/${seeded.review}`,
  "sandbox/procedures",
  "sandbox/procedures/hostile",
  "sandbox/procedures/hostile/edit",
  "sandbox/procedures/hostile/edit?view=input",
  "sandbox/procedures/hostile/edit?view=json",
  "sandbox/procedures/hostile/versions/2",
  "sandbox/procedures/hostile/compare?from=1&to=2",
  "sandbox/connections",
  `sandbox/connections/${seeded.connection}`,
  `sandbox/connections/${seeded.documentedConnection}`,
  `sandbox/connections/${seeded.documentedConnection}/edit`,
  `sandbox/connections/${seeded.documentedConnection}/actions/pay`,
  "sandbox/webhooks",
  `sandbox/webhooks/${seeded.webhook}`,
  `sandbox/webhooks/${seeded.webhook}/deliveries/${seeded.delivery}`,
  "sandbox/api-keys",
  "sandbox/triggers",
  `sandbox/triggers/${seeded.trigger}`,
  `sandbox/triggers/${seeded.trigger}/edit`,
  `sandbox/triggers/${seeded.trigger}/firings/${seeded.firing}`,
  "people",
  "audit",
];

/** Pages whose addresses hold the text of a stranger, and those that sum others up. */
const others = [
  "sandbox",
  "sandbox/runs",
  `sandbox/runs?q=${inAddress}&procedure=${inAddress}&startedBy=${inAddress}`,
  `sandbox/${inAddress}`,
  `sandbox/runs/${inAddress}`,
  `sandbox/reviews/${inAddress}`,
  `sandbox/procedures/${inAddress}`,
  `sandbox/connections?q=${inAddress}`,
  `sandbox/connections/new?kind=${inAddress}`,
  `sandbox/connections/${inAddress}`,
  `sandbox/connections/${inAddress}/actions/${inAddress}`,
  `sandbox/procedures/${inAddress}/edit?view=${inAddress}`,
  `sandbox/webhooks/${inAddress}`,
  `sandbox/triggers?q=${inAddress}&procedure=${inAddress}`,
  `sandbox/triggers/${inAddress}`,
  `sandbox/triggers/new?procedure=${inAddress}&kind=webhook`,
];

test.each([1280, 390])("no text of a stranger runs, loads anything or widens a page of %i pixels", async (width) => {
  const page = await openPage(service, { person: owner, width });
  const opened: string[] = [];
  page.on("dialog", (dialog) => {
    opened.push(dialog.message());
    void dialog.dismiss();
  });
  const wrong: Record<string, unknown> = {};
  for (const path of [...pages(), ...others]) {
    await open(page, path);
    if (!others.includes(path)) await page.getByText("alert(1)").first().waitFor({ state: "attached" });
    const found = await injectedCode(page);
    const wide = await surplusWidth(page);
    if (found.length > 0 || wide > 0) wrong[path] = { found, wide };
  }
  expect(wrong).toEqual({});
  expect(opened).toEqual([]);
});

test("a hostile text is shown as the text that it is", async () => {
  const page = await openPage(service, { person: owner });
  await open(page, "sandbox/reviews?show=open");
  const list = page.getByRole("list", { name: "Reviews" });
  await list.getByRole("link").first().waitFor();
  const shown = (await list.textContent()) ?? "";
  // The first page of the list has 50 reviews, the newest or the oldest of them.
  const missing = hostileTexts.filter((text) => !shown.includes(text));
  expect(missing.length).toBeLessThanOrEqual(hostileTexts.length - 50);
  await open(page, `sandbox/reviews/${seeded.review}`);
  await page.getByRole("heading", { name: hostileTexts[0] ?? "", exact: true }).waitFor();
});

test("a link with a hostile destination leads to the dashboard", async () => {
  const page = await openPage(service);
  for (const to of ["javascript:alert(1)", "//evil.example", "https://evil.example/dashboard", "/\\evil.example"]) {
    await page.goto(`/dashboard/sign-in?to=${encodeURIComponent(to)}&error=${encodeURIComponent(image)}`);
    await page.getByRole("textbox", { name: "E-mail" }).fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await page.context().clearCookies();
  }
});
