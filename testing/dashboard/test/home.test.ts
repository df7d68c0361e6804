import {
  failReads,
  openPage,
  seriousProblems,
  startService,
  type Service,
  type ServicePerson,
} from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;
let viewer: ServicePerson;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner", "reviewer"], live: ["owner"] });
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"], live: ["viewer"] });
  await service.run("vendor-payment", { payee: "Initech", amount: 9_900_000 });
  await service.run("vendor-payment", { payee: "Acme GmbH", amount: 100 });
});

afterAll(async () => {
  await service.stop();
});

test("Home lists what needs a person, worst first, and follows changes", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox");
  const rows = page.getByRole("region", { name: "Needs attention" }).getByRole("listitem");
  await rows.getByRole("link", { name: "Pay 99,000.00 EUR to Initech?" }).waitFor();
  expect(await rows.count()).toBe(1);
  await service.run("vendor-payment", { payee: "refused", amount: 500 });
  await rows.getByText("The account of the payee is closed.").waitFor();
  await service.run("transfer", { payee: "Lost answer", amount: 500, invoice: "INV-7" });
  await rows.nth(2).waitFor();
  const kinds = (await rows.allInnerTexts()).map((row) => row.split("\n")[0]);
  expect(kinds).toEqual(["Outcome unknown", "Review", "Run failed"]);
  await rows.first().getByText("INV-7 · Transfer").waitFor();
  const procedures = page.getByRole("region", { name: "Procedures", exact: true });
  await procedures.getByRole("row", { name: "Vendor payment 2 50 % 1" }).waitFor();
  const today = page.getByRole("region", { name: "Last 7 days" }).getByRole("row").last();
  expect(await today.innerText()).toMatch(/today\s+1\s+1$/);
  expect(await page.getByRole("definition").allInnerTexts()).toEqual(["0", "2", "1", "1"]);
  expect(await seriousProblems(page)).toEqual([]);
  await rows.first().getByRole("link").click();
  await page.getByRole("button", { name: /^It happened/ }).waitFor();
});

test("an environment without runs teaches the first steps, at 390 pixels in the dark", async () => {
  const page = await openPage(service, { person: owner, width: 390, colorScheme: "dark" });
  await page.goto("/dashboard/live");
  await page.getByText("Nothing needs you.").waitFor();
  const steps = page.getByRole("region", { name: "First steps" }).getByRole("listitem");
  await steps.filter({ hasText: /^Publish a procedure\s*Done/ }).waitFor();
  const command = steps.last().getByText(/^curl -X POST .*\/runs\?environment=live/);
  await command.waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  expect(await seriousProblems(page)).toEqual([]);
  await steps.last().getByRole("link", { name: "Start run" }).click();
  await page.getByRole("heading", { level: 1, name: "Start run" }).waitFor();
  expect(new URL(page.url()).searchParams.get("procedure")).not.toBeNull();
});

test("live leads to a procedure that was tried in sandbox only, to be promoted", async () => {
  const page = await openPage(service, { person: owner });
  await page.route("**/api/v1/procedures?*", async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = (await response.json()) as { data: { defaults: object }[] };
    const untried = data.map((one) => ({ ...one, defaults: { ...one.defaults, live: undefined } }));
    await route.fulfill({ response, json: { ...rest, data: untried } });
  });
  await page.goto("/dashboard/live");
  const step = page.getByRole("listitem").filter({ hasText: "Promote a procedure to live" });
  await step.getByRole("link", { name: "Open procedure" }).click();
  await page.getByRole("region", { name: "Versions" }).waitFor();
});

test("a person who may not start runs is told who does", async () => {
  const page = await openPage(service, { person: viewer });
  await page.goto("/dashboard/live");
  await page.getByText("No run was started in Live yet.").waitFor();
  expect(await page.getByRole("link", { name: "Start run" }).count()).toBe(0);
});

test("a failed request is told with its id, and tried again", async () => {
  const page = await openPage(service, { person: owner });
  const mend = await failReads(page, "**/api/v1/summary*", "req_home");
  await page.goto("/dashboard/sandbox");
  await page.getByRole("alert").getByText("req_home").waitFor();
  await mend();
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("region", { name: "Needs attention" }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});
