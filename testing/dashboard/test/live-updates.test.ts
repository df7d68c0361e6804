import { openPage, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner", "reviewer"], live: ["owner"] });
});

afterAll(async () => {
  await service.stop();
});

const large = { payee: "Initech", amount: 9_900_000 };

test("a change is shown without a reload", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/live/runs");
  await page.getByRole("status", { name: "Updates" }).getByText("Up to date").waitFor();
  await page.goto("/dashboard/sandbox/procedures");
  await page.getByRole("link", { name: "Pending Reviews", exact: true }).waitFor();
  await service.run("vendor-payment", large);
  await page.getByRole("link", { name: "Pending Reviews, 1 open" }).waitFor();
});

test("the list of changes shows what happens meanwhile", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/audit?environment=sandbox");
  await page
    .getByRole("row", { name: /^Version published/ })
    .first()
    .waitFor();
  await page.getByRole("status", { name: "Updates" }).getByText("Up to date").waitFor();
  const by = { person: "operator", via: "test" };
  await service.engine.connections.create({ name: "second-bank", integration: "bank", environment: "sandbox", by });
  await page.getByRole("row", { name: /^Connection created.*second-bank/ }).waitFor();
});

test("a person who loses an environment is told so, and its changes are not asked for again", async () => {
  const guest = await service.join("Gil Guest", { sandbox: ["viewer"], live: ["viewer"] });
  const page = await openPage(service, { person: guest });
  await page.clock.install();
  await page.goto("/dashboard/sandbox/procedures");
  const updates = page.getByRole("status", { name: "Updates" });
  await updates.getByText("Up to date").waitFor();
  const body = { code: "forbidden", error: "The key is not of this environment." };
  const asked: string[] = [];
  await page.route("**/api/v1/events**", async (route) => {
    asked.push(route.request().url());
    await route.fulfill({ status: 403, json: body });
  });
  await page.clock.runFor(60_000);
  await updates.getByText("No access").waitFor();
  await page.clock.runFor(60_000);
  await updates.getByText("No access").waitFor();
  expect(asked).toHaveLength(1);
});

test("after a cut of 20 s, in which the page says since when it is out of date, all is read again", async () => {
  const page = await openPage(service, { person: owner, width: 390 });
  await page.clock.install();
  await page.goto("/dashboard/sandbox/procedures");
  const updates = page.getByRole("status", { name: "Updates" });
  await updates.getByText("Up to date").waitFor();
  const before = await page.getByRole("link", { name: /^Pending Reviews, \d+ open$/ }).getAttribute("aria-label");
  // The open stream ends with the network, and each attempt to open another one fails.
  await page.route("**/api/v1/events**", (route) => route.abort());
  await page.context().setOffline(true);
  // The first one is gone after 5 s, which a busy machine may take until it looks.
  await updates.getByText(/Reconnecting|Out of date since/).waitFor();
  await page.clock.runFor(6_000);
  await updates.getByText("Out of date since").waitFor();
  const account = await page.getByRole("button", { name: "Account" }).boundingBox();
  expect((account?.x ?? 390) + (account?.width ?? 0)).toBeLessThanOrEqual(390);
  await service.run("vendor-payment", large);
  await page.clock.runFor(20_000);
  await updates.getByText("Out of date since").waitFor();
  await page.unroute("**/api/v1/events**");
  await page.context().setOffline(false);
  await page.clock.runFor(16_000);
  await updates.getByText("Up to date").waitFor();
  await page.clock.runFor(3_000);
  const count = Number(/\d+/.exec(before ?? "")?.[0] ?? 0) + 1;
  await page.getByRole("link", { name: `Pending Reviews, ${count} open` }).waitFor();
});

test("a session that ends, here or in another tab, leads to the sign-in, which returns", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/runs?q=INV-1");
  await page.getByRole("status", { name: "Updates" }).getByText("Up to date").waitFor();
  const other = await page.context().newPage();
  await other.goto("/dashboard/account");
  await other.getByRole("button", { name: "Account" }).click();
  await other.getByRole("menuitem", { name: "Sign out" }).click();
  await other.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  expect(new URL(page.url()).searchParams.get("to")).toBe("/dashboard/sandbox/runs?q=INV-1");
});

test("the end of the stream's session leads to the sign-in", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/runs");
  await page.getByRole("status", { name: "Updates" }).getByText("Up to date").waitFor();
  const { items } = await service.engine.people.list({ limit: 10 });
  const personId = items.find(({ email }) => email === owner.email)?.personId ?? "";
  await service.engine.sessions.endOthers({ personId, by: { person: "operator", via: "test" } });
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
});
