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
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"], live: ["viewer"] });
});

afterAll(async () => {
  await service.stop();
});

test.each([
  ["light", 1280],
  ["dark", 390],
] as const)(
  "procedures are listed, searched and opened by keys alone, in %s at %i pixels",
  async (colorScheme, width) => {
    await service.run("vendor-payment", { payee: "Acme GmbH", amount: 4_500 });
    const page = await openPage(service, { person: owner, colorScheme, width });
    await page.goto("/dashboard/sandbox/procedures");
    const table = page.getByRole("table", { name: "Procedures" });
    const names = ["Name", "Draft", "Sandbox", "Live", "Last 7 days"];
    await table.getByRole("link", { name: "Vendor payment" }).waitFor();
    if (width > 768) expect(await table.getByRole("columnheader").allTextContents()).toEqual(names);
    expect(await seriousProblems(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);

    const search = page.getByRole("searchbox", { name: "Search procedures" });
    await search.focus();
    await page.keyboard.type("no such procedure");
    await page.getByText("No procedures fit this search.").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("no such procedure");
    await page.getByRole("button", { name: "Clear search" }).press("Enter");
    await search.fill("vendor");
    await search.press("Enter");
    // The rows of all procedures are shown until those of the search arrive.
    await expect.poll(() => table.getByRole("row").count()).toBe(2);
    await search.blur();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Vendor payment" }).waitFor();

    await page.getByRole("region", { name: "Versions" }).getByRole("link", { name: "1" }).waitFor();
    await page.getByRole("table", { name: "Newest runs" }).getByText("Completed").first().waitFor();
    await page.getByRole("table", { name: "Input" }).getByText("whole number, at least 1").waitFor();
    expect(await page.title()).toBe("Vendor payment · Sandbox · Procedo");
    expect(await seriousProblems(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.getByRole("link", { name: "Start run" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Start run" }).waitFor();
  },
);

test("a viewer sees procedures, and is told why not to promote or start", async () => {
  const page = await openPage(service, { person: viewer });
  await page.goto("/dashboard/live/procedures/vendor-payment");
  const promote = page.getByRole("button", { name: "Promote to live" });
  await promote.waitFor();
  expect(await promote.isDisabled()).toBe(true);
  await page.getByText("Only builders and owners of live may promote.").waitFor();
  expect(await page.getByRole("link", { name: /^Start run/ }).count()).toBe(0);
  expect(await page.title()).toBe("Vendor payment · Live · Procedo");
});

test("a page that fails names the request, and succeeds on Retry; an unknown procedure is not found", async () => {
  const page = await openPage(service, { person: owner });
  const mend = await failReads(page, "**/api/v1/procedures?*", "req_test");
  await page.goto("/dashboard/sandbox/procedures");
  await page.getByRole("alert").getByText("req_test").waitFor();
  await mend();
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("table", { name: "Procedures" }).waitFor();

  await page.goto("/dashboard/sandbox/procedures/nothing");
  await page.getByRole("alert").waitFor();
  await page.getByRole("button", { name: "Copy as curl" }).waitFor();
});

test("a version's document is a tree that is copied whole and opened by keys", async () => {
  const page = await openPage(service, { person: owner });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/dashboard/sandbox/procedures/vendor-payment/versions/1");
  const tree = page.getByRole("group", { name: "Document", exact: true });
  const nodes = tree.getByRole("button", { name: "nodes", exact: true });
  expect(await nodes.getAttribute("aria-expanded")).toBe("true");
  await tree.getByText('"payee"').first().waitFor();
  await nodes.press("Enter");
  expect(await nodes.getAttribute("aria-expanded")).toBe("false");
  await page.getByRole("button", { name: "Copy document" }).click();
  await expect
    .poll(async () => await page.evaluate<string>("navigator.clipboard.readText()"))
    .toContain('"kind": "human_review"');
  const copied = JSON.parse(await page.evaluate<string>("navigator.clipboard.readText()")) as { nodes: unknown[] };
  expect(copied.nodes.length).toBe(6);
});
