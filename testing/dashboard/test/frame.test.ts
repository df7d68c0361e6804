import { openPage, seriousProblems, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;
let viewer: ServicePerson;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner", "reviewer"], live: ["owner"] });
  viewer = await service.join("Vera Viewer", { live: ["viewer"] });
  await service.run("vendor-payment", { payee: "Initech", amount: 9_900_000 });
});

afterAll(async () => {
  await service.stop();
});

test("the environment is told by word, and switching keeps the page or goes to its list", async () => {
  const runId = await service.run("vendor-payment", { payee: "Globex", amount: 100 });
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/runs?q=INV-1");
  const band = page.getByRole("region", { name: "Environment" });
  await band.getByText("Sandbox", { exact: true }).first().waitFor();
  expect(await band.innerText()).toMatch(/^Sandbox/);
  await page.getByRole("link", { name: "Pending Reviews, 1 open" }).waitFor();
  await band.getByRole("link", { name: "Open in Live" }).click();
  await page.waitForURL("**/dashboard/live/runs?q=INV-1");
  expect(await band.innerText()).toMatch(/^Live/);
  await page.getByRole("link", { name: "Open in Live" }).and(page.locator('[aria-current="true"]')).waitFor();
  await page.goto(`/dashboard/sandbox/runs/${runId}`);
  await band.getByRole("link", { name: "Open in Live" }).click();
  await page.waitForURL("**/dashboard/live/runs");
});

test("a person is shown the rooms that they may open, and an environment without a role gives no access", async () => {
  const page = await openPage(service, { person: viewer });
  await page.goto("/dashboard");
  await page.waitForURL("**/dashboard/live");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs" }).waitFor();
  expect(await page.getByRole("link", { name: "People" }).count()).toBe(0);
  await page.getByRole("link", { name: "Open in Sandbox" }).waitFor();
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(request.url()));
  for (const address of ["sandbox/runs", "audit?environment=sandbox"]) {
    await page.goto(`/dashboard/${address}`);
    await page.getByRole("heading", { level: 1, name: "No access" }).waitFor();
    expect(await page.getByRole("region", { name: "Environment" }).innerText()).toMatch(/^Sandbox/);
  }
  expect(await seriousProblems(page)).toEqual([]);
  // Nothing is asked for that would be refused, and no page claims to follow changes.
  expect(asked.filter((url) => /\/api\/.*environment=sandbox/.test(url))).toEqual([]);
  expect(await page.getByRole("status", { name: "Updates" }).count()).toBe(0);
});

test("a page of the workspace takes no environment from its address that it does not filter by", async () => {
  const page = await openPage(service, { person: viewer });
  const band = page.getByRole("region", { name: "Environment" });
  for (const address of ["account?environment=staging", "account?environment=sandbox", "audit?environment=staging"]) {
    await page.goto(`/dashboard/${address}`);
    await page.getByRole("status", { name: "Updates" }).getByText("Up to date").waitFor();
    expect(await band.innerText()).toMatch(/^Live/);
  }
});

test("the first link skips to the content, and ? shows the shortcuts", async () => {
  const page = await openPage(service, { person: owner, colorScheme: "dark" });
  await page.goto("/dashboard/sandbox/procedures");
  await page.getByRole("heading", { level: 1, name: "Procedures" }).waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Skip to content" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("main").and(page.locator(":focus")).waitFor();
  expect(new URL(page.url()).pathname).toBe("/dashboard/sandbox/procedures");
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.getByText("Go to Pending Reviews").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
});

test("an unknown address is told, and offers the search", async () => {
  const page = await openPage(service, { person: owner });
  for (const path of ["nothing", "live/nothing/here"]) {
    await page.goto(`/dashboard/${path}`);
    await page.getByRole("heading", { level: 1, name: "Not found" }).waitFor();
  }
  await page.getByRole("searchbox").fill("vendor");
  await page.keyboard.press("Enter");
  await page
    .getByRole("dialog", { name: "Search" })
    .getByRole("option", { name: /Vendor payment/ })
    .waitFor();
});

test("a service that fails is told with the request's id, and read again by Retry", async () => {
  const page = await openPage(service, { person: owner });
  await page.route("**/api/v1/session", (route) =>
    route.fulfill({ status: 500, json: { code: "internal", error: "The service failed.", requestId: "req_42" } }),
  );
  await page.goto("/dashboard/live/runs");
  await page.getByRole("alert").getByText("Request req_42").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.unroute("**/api/v1/session");
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
});

test("a page whose files are gone after an update offers to reload", async () => {
  const page = await openPage(service, { person: owner });
  await page.route("**/assets/procedures-page*", (route) => route.fulfill({ status: 404 }));
  await page.goto("/dashboard/sandbox/runs");
  await page.getByRole("link", { name: "Procedures" }).first().click();
  const reload = page.getByRole("button", { name: "Reload: a newer version is installed" });
  await reload.waitFor();
  await page.unroute("**/assets/procedures-page*");
  await reload.click();
  await page.getByRole("heading", { level: 1, name: "Procedures" }).waitFor();
});

test("at 390 px the rooms are in a bar, the others under More, and nothing scrolls sideways", async () => {
  const page = await openPage(service, { person: owner, width: 390, colorScheme: "dark" });
  await page.goto("/dashboard/live/reviews");
  const bar = page.getByRole("navigation", { name: "Main" });
  await bar.getByRole("link", { name: "Home" }).waitFor();
  await bar
    .getByRole("link", { name: /^Pending Reviews/ })
    .and(page.locator('[aria-current="page"]'))
    .waitFor();
  await bar.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "People" }).waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("menuitem", { name: "Procedures" }).click();
  await page.getByRole("heading", { level: 1, name: "Procedures" }).waitFor();
  expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
});

test("parameters of an address that are not valid are left out, on every page that has some", async () => {
  const page = await openPage(service, { person: owner });
  const addresses = [
    ["sandbox/runs?status=nonsense&from=nonsense&to=&q=&procedure=&status=", "Runs"],
    ["sandbox/runs?status=%5B%22failed%22%5D", "Runs"],
    ["sandbox/reviews?show=nonsense&order=", "Pending Reviews"],
    ["sandbox/procedures?q=&q=a", "Procedures"],
    ["sandbox/runs/new?from=&procedure=&as=nonsense", "Start run"],
    ["sandbox/triggers?state=nonsense&kind=&q=&procedure=", "Triggers"],
    ["sandbox/triggers/new?kind=nonsense&procedure=", "New trigger"],
    ["people?edit=", "People"],
    ["audit?environment=nonsense&action=&from=", "Audit"],
  ] as const;
  for (const [address, heading] of addresses) {
    await page.goto(`/dashboard/${address}`);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await page.getByRole("main").and(page.locator('[aria-busy="false"]')).waitFor();
    expect([address, await page.getByRole("alert").count()]).toEqual([address, 0]);
  }
});

test.each([1200, 390])("a message covers nothing at the end of a page, at %i pixels", async (width) => {
  const page = await openPage(service, { person: owner, width });
  await page.goto("/dashboard/sandbox/procedures/vendor-payment/edit");
  await page
    .getByRole("treeitem", { name: /^Tool Call/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Delete step" }).click();
  const message = page.getByRole("status", { name: "Messages" });
  await message.getByText("Undo brings it back.").waitFor();
  await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
  const [end, covered] = [
    await page.getByRole("region", { name: "Problems" }).boundingBox(),
    await message.boundingBox(),
  ];
  expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual(covered?.y ?? 0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("status", { name: "Draft" }).getByText("All changes saved").waitFor();
});
