import {
  openApi,
  openPage,
  seriousProblems,
  startService,
  type Service,
  type ServicePerson,
} from "@procedo-testing/dashboard";
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

test("a draft that becomes live's default is compared with it, checked for live, and published by a button that says so", async () => {
  const call = await openApi(service, owner);
  const document = (title: string) => ({
    schemaVersion: 1,
    procedureId: "promoted",
    name: "Promoted",
    input: { type: "object", properties: {} },
    nodes: [
      { id: "start", kind: "start", title },
      { id: "approve", kind: "human_review", title: "Approve", approvals: 3 },
      { id: "done", kind: "end" },
    ],
    edges: [
      { from: "start", to: "approve" },
      { from: "approve", to: "done" },
    ],
  });
  const address = "procedures/promoted";
  await call("POST", `${address}/versions?environment=sandbox`, {
    document: document("First"),
    version: "1",
    defaultIn: ["sandbox"],
  });
  await call("PUT", `${address}/draft?environment=sandbox`, { document: document("Second"), revision: 0 });
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/procedures/promoted/edit");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  const changes = dialog.getByRole("region", { name: "Changes" });
  await changes.getByRole("heading", { name: "Changes since version 1, the default in Sandbox" }).waitFor();
  const publish = dialog.getByRole("button", { name: "Publish", exact: true });
  await expect.poll(() => publish.isDisabled()).toBe(false);
  await dialog.getByRole("checkbox", { name: "Default in live" }).check();
  await changes.getByText("All of it is new in Live.").waitFor();
  const publishLive = dialog.getByRole("button", { name: "Publish Live" });
  await publishLive.waitFor();
  await dialog
    .getByRole("region", { name: "Warnings" })
    .getByText(/API key of live/)
    .waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await dialog.getByRole("checkbox", { name: "Default in live" }).uncheck();
  await publishLive.waitFor({ state: "detached" });
  await publish.click();
  await page.getByRole("region", { name: "Versions" }).getByRole("link", { name: "2", exact: true }).waitFor();
});

test("a draft that is the same as the newest version is not published, and says why", async () => {
  const call = await openApi(service, owner);
  const document = {
    schemaVersion: 1,
    procedureId: "unchanged",
    name: "Unchanged",
    input: { type: "object", properties: {} },
    nodes: [
      { id: "start", kind: "start", title: "Begins" },
      { id: "done", kind: "end" },
    ],
    edges: [{ from: "start", to: "done" }],
  };
  await call("POST", "procedures/unchanged/versions?environment=sandbox", { document, version: "1", defaultIn: [] });
  await call("PUT", "procedures/unchanged/draft?environment=sandbox", { document, revision: 0 });
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/procedures/unchanged/edit");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await dialog.getByText("There is nothing to publish: the draft is the same as version 1.").waitFor();
  expect(await dialog.getByRole("button", { name: "Publish", exact: true }).isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Back" }).click();
  const inspector = page.getByRole("region", { name: "Inspector" });
  await inspector.getByRole("textbox", { name: "Title", exact: true }).fill("Begins anew");
  await page.getByRole("status", { name: "Draft" }).getByText("All changes saved", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect.poll(() => dialog.getByRole("button", { name: "Publish", exact: true }).isDisabled()).toBe(false);
});
