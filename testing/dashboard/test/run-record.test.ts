import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  openPage,
  seriousProblems,
  startService,
  type Service,
  type ServicePerson,
  type WatchedPage,
} from "@procedo-testing/dashboard";
import { verifyExport } from "@procedo/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let service: Service;
let viewer: ServicePerson;
let runId: string;

const receiver = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(request.url === "/broken" ? 500 : 204).end());
});

beforeAll(async () => {
  service = await startService();
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"] });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  for (const name of ["ledger", "broken"]) {
    const events = ["run_completed"] as const;
    const webhook = { name, url: `${url}/${name}`, events, environment: "sandbox" } as const;
    await service.engine.webhooks.create({ ...webhook, by: { person: "operator" } });
  }
  runId = await service.run("vendor-payment", { payee: "Acme GmbH", amount: 100 });
});

afterAll(async () => {
  await service.stop();
  receiver.closeAllConnections();
  receiver.close();
});

/** Changes the first character of every hash. */
function withOtherHashes(body: string): string {
  return body.replace(/(?<="hash":")./g, (first) => (first === "A" ? "B" : "A"));
}

/** Opens the record, changed on its way to the browser, and asks for its verification. */
async function verifyChanged(change: (text: string) => string): Promise<WatchedPage> {
  const page = await openPage(service, { person: viewer });
  await page.route("**/audit?*", async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    const changed = change(body);
    expect(changed).not.toBe(body);
    await route.fulfill({ response, body: changed });
  });
  await page.goto(`/dashboard/sandbox/runs/${runId}/record`);
  await page.getByRole("button", { name: "Verify in this browser" }).click();
  return page;
}

test("the record is verified in the browser, downloaded for an auditor, and printed whole", async () => {
  const page = await openPage(service, { person: viewer });
  await page.goto(`/dashboard/sandbox/runs/${runId}/record`);
  await page.getByRole("button", { name: "Verify in this browser" }).click();
  await page.getByRole("status").getByText("Verified: 3 rows").waitFor();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const file = JSON.parse(await text(await (await download).createReadStream())) as unknown;
  expect(verifyExport(file, service.engine.audit.publicKey())).toMatchObject({ valid: true, runId });

  const rows = page.getByRole("table", { name: "Rows" });
  await rows.getByRole("link", { name: "2", exact: true }).click();
  await page.getByRole("region", { name: "Row 2", exact: true }).getByText('"outcome"').first().waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  // The width of a sheet of A4.
  await page.setViewportSize({ width: 718, height: 1_000 });
  await page.emulateMedia({ media: "print" });
  await expect
    .poll(() =>
      rows
        .getByText(/^[\w-]{43}$/)
        .filter({ visible: true })
        .count(),
    )
    .toBe(6);
});

describe("a verdict is about the record that is shown", () => {
  /** Verifies the record before the stream of changes opens, which reads the page again. */
  async function verifyEarly(): Promise<{ readonly page: WatchedPage; readonly openStream: () => void }> {
    const page = await openPage(service, { person: viewer });
    const { promise, resolve } = Promise.withResolvers<undefined>();
    await page.route("**/api/v1/events**", async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto(`/dashboard/sandbox/runs/${runId}/record`);
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    await page.getByRole("status").getByText("Verified: 3 rows").waitFor();
    return { page, openStream: () => resolve(undefined) };
  }

  test("it stays when the service signs the same rows anew", async () => {
    const { page, openStream } = await verifyEarly();
    const readAgain = page.waitForResponse("**/audit?*");
    openStream();
    await (await readAgain).finished();
    await page.getByRole("status", { name: "Updates" }).getByText("Up to date").waitFor();
    await page.getByRole("status").getByText("Verified: 3 rows").waitFor();
  });

  test("it is withdrawn when the rows are changed later", async () => {
    const { page, openStream } = await verifyEarly();
    await page.route("**/audit?*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: withOtherHashes(await response.text()) });
    });
    openStream();
    await page.getByRole("alert").getByText("Row 1 does not fit", { exact: true }).waitFor();
    expect(await page.getByText(/^Verified/).count()).toBe(0);
  });
});

describe("a change is found", () => {
  test.each([
    ["of a row's body", (body: string) => body.replace(String.raw`\"amount\":100`, String.raw`\"amount\":101`), 1],
    ["of a row's entries", (body: string) => body.replace(/("type":"outcome".*)"DE"/, '$1"CH"'), 2],
    ["of what a body leaves out", (body: string) => body.replace('"status":"completed"', '"status":"cancelled"'), 3],
    ["by a member more", (body: string) => body.replace('"type":"ended",', '"type":"ended","approvedBy":"Eve",'), 3],
    ["of a row's hash", withOtherHashes, 1],
  ])("%s", async (_what, change, row) => {
    const page = await verifyChanged(change);
    await page.getByRole("alert").getByText(`Row ${row} does not fit`, { exact: true }).waitFor();
    await page.getByRole("rowheader", { name: `${row} Does not fit` }).waitFor();
    expect(await page.getByText(/^Verified/).count()).toBe(0);
  });

  test("of the statement, or of the document", async () => {
    const statement = await verifyChanged((body) =>
      body.replace(String.raw`\"exportedAt\":\"2`, String.raw`\"exportedAt\":\"3`),
    );
    await statement.getByRole("alert").getByText("The statement is not the one that was signed.").waitFor();
    const document = await verifyChanged((body) => body.replace("Large payments wait", "Large payments went"));
    await document.getByRole("alert").getByText("not the version that the run executed").waitFor();
  });

  test("where the record of another run is answered", async () => {
    const other = await service.run("vendor-payment", { payee: "Globex", amount: 100 });
    const page = await openPage(service, { person: viewer });
    await page.route("**/audit?*", async (route) => {
      await route.continue({ url: route.request().url().replace(runId, other) });
    });
    await page.goto(`/dashboard/sandbox/runs/${runId}/record`);
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    await page.getByRole("alert").getByText("The record is that of another run.").waitFor();
  });
});

test.each([
  ["light", 1280],
  ["dark", 390],
] as const)("the deliveries of the run's events are listed in %s at %d pixels", async (colorScheme, width) => {
  const page = await openPage(service, { person: viewer, colorScheme, width });
  await page.goto(`/dashboard/sandbox/runs/${runId}/deliveries`);
  const table = page.getByRole("table", { name: "Deliveries" });
  await table.getByRole("row", { name: /Delivered, answered 204.* run_completed.* ledger/ }).waitFor();
  await table.getByRole("row", { name: /Pending, answered 500.* run_completed.* broken/ }).waitFor();
  expect(await table.getByRole("row").count()).toBe(3);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  const commands = String(await page.evaluate("navigator.clipboard.readText()"));
  const ofRun = `/deliveries\\?environment=sandbox&runId=${runId}&`;
  expect(commands.match(new RegExp(ofRun, "g"))).toHaveLength(2);
  expect(await seriousProblems(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
});

test("a run without deliveries says what is sent, and to whom", async () => {
  const other = await service.run("vendor-payment", { payee: "refused", amount: 100 });
  const page = await openPage(service, { person: viewer });
  await page.goto(`/dashboard/sandbox/runs/${other}/deliveries`);
  await page.getByText("No event of this run was sent to a webhook.").waitFor();
});
