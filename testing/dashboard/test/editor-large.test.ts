import {
  largeDocument,
  openApi,
  openPage,
  startService,
  type ApiCall,
  type Service,
  type ServicePerson,
} from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;
let call: ApiCall;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  call = await openApi(service, owner);
});

afterAll(async () => {
  await service.stop();
});

interface Shown {
  readonly draft: { readonly document: { readonly nodes: readonly object[] } };
}

test.each([300, 1_000])("a procedure of %i steps is edited like a small one", async (count) => {
  const procedureId = `large-${count}`;
  const document = largeDocument(procedureId, count);
  expect(document.nodes).toHaveLength(count);
  await call("PUT", `procedures/${procedureId}/draft?environment=sandbox`, { document, revision: 0 });
  const page = await openPage(service, { person: owner });
  await page.goto(`/dashboard/sandbox/procedures/${procedureId}/edit`);
  const chart = page.getByRole("application", { name: "Flowchart" });
  await chart.getByRole("group").first().waitFor();
  await chart.focus();
  await page.keyboard.press("0");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("tree", { name: "Outline" }).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Check the last one");
  await page.getByRole("treeitem", { name: "Human Review: Check the last one" }).waitFor();
  await page.getByRole("status", { name: "Draft" }).getByText("All changes saved", { exact: true }).waitFor();
  const last = document.nodes.at(-2);
  const { draft } = await call<Shown>("GET", `procedures/${procedureId}?environment=sandbox`);
  expect(draft.document.nodes.at(-2)).toMatchObject({ title: "Check the last one" });
  await page.keyboard.press("Control+Z");
  await page
    .getByRole("treeitem", { name: `Human Review: ${last?.title ?? ""}` })
    .first()
    .waitFor();
});
