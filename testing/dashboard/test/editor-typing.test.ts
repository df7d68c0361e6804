import { openApi, openPage, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
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

test("an amount with a point, and an expression with spaces, are typed key by key", async () => {
  const call = await openApi(service, owner);
  const document = {
    schemaVersion: 1,
    procedureId: "typed",
    name: "Typed",
    input: { type: "object", properties: { a: { type: "string" }, b: { type: "array", items: { type: "string" } } } },
    nodes: [
      { id: "start", kind: "start" },
      {
        id: "pay",
        kind: "tool_call",
        connection: "bank",
        action: "pay",
        arguments: { payee: "{{ input.a }}", amount: 1 },
      },
      { id: "done", kind: "end" },
    ],
    edges: [
      { from: "start", to: "pay" },
      { from: "pay", to: "done" },
    ],
  };
  await call("PUT", "procedures/typed/draft?environment=sandbox", { document, revision: 0 });
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/procedures/typed/edit");
  await page.getByRole("treeitem", { name: /^Tool Call/ }).click();
  const inspector = page.getByRole("region", { name: "Inspector" });
  const amount = inspector.getByRole("textbox", { name: "amount", exact: true });
  await amount.fill("");
  await amount.pressSequentially("100.05");
  expect(await amount.inputValue()).toBe("100.05");
  const payee = inspector.getByRole("combobox", { name: "payee", exact: true });
  await payee.fill("");
  await payee.pressSequentially("input.a in input.b ? 'x' : 'y'");
  await page.keyboard.press("Escape");
  expect(await payee.inputValue()).toBe("input.a in input.b ? 'x' : 'y'");
  await page.getByRole("status", { name: "Draft" }).getByText("All changes saved").waitFor();
  const { draft } = await call<{ readonly draft: { readonly document: typeof document } }>(
    "GET",
    "procedures/typed?environment=sandbox",
  );
  expect(draft.document.nodes[1]).toMatchObject({
    arguments: { amount: 100.05, payee: "{{ input.a in input.b ? 'x' : 'y' }}" },
  });
});
