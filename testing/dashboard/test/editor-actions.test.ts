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

const by = { person: "operator", via: "test" };

/** A till whose operation is deprecated, and was renamed. */
const till = (operationId: string): string =>
  JSON.stringify({
    openapi: "3.0.3",
    info: { title: "Till", version: "1" },
    servers: [{ url: new URL(service.clearing.documentUrl).origin }],
    paths: {
      "/receipts": {
        post: { operationId, deprecated: true, responses: { 200: { description: "Printed." } } },
      },
    },
  });

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
});

afterAll(async () => {
  await service.stop();
});

test("an action that was renamed, or is deprecated, is a warning at its step and in the problems", async () => {
  const settings = (operationId: string) => ({
    spec: { text: till(operationId) },
    authentication: { method: "none" },
  });
  const { connectionId } = await service.engine.connections.create({
    name: "till",
    integration: "custom_api",
    environment: "sandbox",
    settings: settings("print_receipt"),
    by,
  });
  await service.engine.connections.update({
    connectionId,
    environment: "sandbox",
    settings: settings("issue_receipt"),
    by,
  });
  const call = await openApi(service, owner);
  const document = {
    schemaVersion: 1,
    procedureId: "printing",
    name: "Printing",
    input: { type: "object" },
    nodes: [
      { id: "start", kind: "start" },
      { id: "print", kind: "tool_call", title: "Print the receipt", connection: "till", action: "print_receipt" },
      { id: "done", kind: "end" },
    ],
    edges: [
      { from: "start", to: "print" },
      { from: "print", to: "done" },
    ],
  };
  await call("PUT", "procedures/printing/draft?environment=sandbox", { document, revision: 0 });
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/procedures/printing/edit");
  await page.getByRole("treeitem", { name: "Tool Call: Print the receipt, has warnings" }).click();
  const problems = page.getByRole("region", { name: "Problems" });
  await problems.getByText("Only warnings. The draft can be published.").waitFor();
  const inspector = page.getByRole("region", { name: "Inspector" });
  await inspector.getByText('was renamed to "issue_receipt"').waitFor();
  const action = inspector.getByRole("combobox", { name: "Action" });
  expect(await action.getAttribute("aria-invalid")).toBeNull();
  expect(await seriousProblems(page)).toEqual([]);
  await inspector.getByRole("button", { name: "Use issue_receipt" }).click();
  expect(await action.inputValue()).toBe("issue_receipt");
  await expect.poll(() => problems.getByText("was renamed").count()).toBe(0);
  await problems.getByText("is deprecated").waitFor();
});
