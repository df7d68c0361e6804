import { openPage, seriousProblems, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
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

const versionPath = "/dashboard/sandbox/procedures/vendor-payment/versions/1";

test.each([
  ["light", 1280],
  ["dark", 390],
] as const)("a version is a chart with named nodes and an outline, in %s at %i pixels", async (colorScheme, width) => {
  const page = await openPage(service, { person: owner, colorScheme, width });
  await page.goto(versionPath);
  const chart = page.getByRole("application", { name: "Flowchart" });
  await chart.getByRole("group", { name: "Tool Call: Pay the vendor" }).waitFor();
  const groups = await chart.getByRole("group").all();
  const names = await Promise.all(groups.map((group) => group.getAttribute("aria-label")));
  expect(names).toContain("Tool Call: Pay the vendor");
  expect(names.length).toBe(6);
  expect(await chart.getByRole("img").count()).toBe(0);
  const outline = page.getByRole("region", { name: "Outline" });
  await outline.getByText("input.amount > 100000").waitFor();
  await outline.getByText("otherwise").waitFor();
  const box = await chart.boundingBox();
  const nodes = await chart.getByRole("group").all();
  for (const node of nodes) {
    const place = await node.boundingBox();
    expect(place !== null && box !== null && place.x >= box.x && place.y >= box.y).toBe(true);
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0));
  }
  expect(await seriousProblems(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
});

test("a chart is moved and enlarged by keys and by buttons", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto(versionPath);
  const chart = page.getByRole("application", { name: "Flowchart" });
  const start = chart.getByRole("group", { name: /^Start/ });
  const before = await start.boundingBox();
  await chart.focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(async () => (await start.boundingBox())?.y).toBeCloseTo((before?.y ?? 0) - 80, 0);
  await page.keyboard.press("0");
  await expect.poll(async () => (await start.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(async () => (await start.boundingBox())?.width).toBeGreaterThan(before?.width ?? 0);
  await page.getByRole("button", { name: "Fit view" }).click();
  await expect.poll(async () => (await start.boundingBox())?.width).toBeCloseTo(before?.width ?? 0, 0);
});

test("a run's chart shows the path that was taken, and opens its steps", async () => {
  const runId = await service.run("vendor-payment", { payee: "Globex", amount: 9_900_000 });
  const page = await openPage(service, { person: owner });
  await page.goto(`/dashboard/sandbox/runs/${runId}/flowchart`);
  const chart = page.getByRole("application", { name: "Flowchart" });
  await chart.getByRole("group", { name: "Tool Call: Look up the payee, completed, 1 visit" }).waitFor();
  await chart
    .getByRole("group", { name: "Human Review: Pay 99,000.00 EUR to Globex?, waiting for review, 1 visit" })
    .waitFor();
  await chart.getByRole("group", { name: "Tool Call: Pay the vendor", exact: true }).waitFor();
  const outline = page.getByRole("region", { name: "Outline" });
  await outline.getByText("large · taken").waitFor();
  await outline.getByRole("button", { name: /Look up the payee/ }).press("Enter");
  await page.getByRole("region", { name: "Step" }).getByText("Look up the payee").waitFor();
});

test("a chart that cannot be drawn leaves the outline", async () => {
  const page = await openPage(service, { person: owner });
  await page.route("**/layout-worker*", (route) => route.abort());
  await page.goto(versionPath);
  await page.getByRole("alert").getByText("The chart could not be drawn.").waitFor();
  await page.getByRole("region", { name: "Outline" }).getByText("Pay the vendor").waitFor();
});
