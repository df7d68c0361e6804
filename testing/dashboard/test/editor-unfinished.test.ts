import {
  openApi,
  openPage,
  seriousProblems,
  startService,
  type ApiCall,
  type Service,
  type ServicePerson,
  type WatchedPage,
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

interface Draft {
  readonly document: { readonly nodes: readonly object[]; readonly input: object };
}

async function draftOf(procedureId: string): Promise<Draft["document"] | undefined> {
  const { draft } = await call<{ readonly draft?: Draft }>("GET", `procedures/${procedureId}?environment=sandbox`);
  return draft?.document;
}

async function begin(procedureId: string): Promise<object> {
  const document = {
    schemaVersion: 1,
    procedureId,
    name: "Begun",
    input: { type: "object", properties: { amount: { type: "integer" } } },
    nodes: [
      { id: "start", kind: "start", title: "Begins" },
      {
        id: "size",
        kind: "condition",
        title: "Size",
        branches: [
          { name: "large", when: "input.amount > 1000" },
          { name: "middle", when: "input.amount > 100" },
        ],
        otherwise: "small",
      },
      { id: "done", kind: "end" },
    ],
    edges: [
      { from: "start", to: "size" },
      { from: "size", to: "done", branch: "large" },
      { from: "size", to: "done", branch: "middle" },
      { from: "size", to: "done", branch: "small" },
    ],
  };
  await call("PUT", `procedures/${procedureId}/draft?environment=sandbox`, { document, revision: 0 });
  return document;
}

async function open(page: WatchedPage, procedureId: string): Promise<void> {
  await page.goto(`/dashboard/sandbox/procedures/${procedureId}/edit`);
  await page.getByRole("tree", { name: "Outline" }).waitFor();
}

const word = (page: WatchedPage, text: string): Promise<void> =>
  page.getByRole("status", { name: "Draft" }).getByText(text, { exact: true }).waitFor();
const unfinished = "Saved without the text that is not valid yet";
const view = (page: WatchedPage, name: string): Promise<void> =>
  page.getByRole("navigation", { name: "Editor views" }).getByRole("link", { name, exact: true }).click();
const problems = (page: WatchedPage) => page.getByRole("region", { name: "Problems" });

test("a half-typed schema outlives its view, is asked for before the page is left, and comes back after a crash", async () => {
  await begin("half");
  const page = await openPage(service, { person: owner });
  await open(page, "half");
  await view(page, "Input schema");
  await page.getByRole("button", { name: "As JSON Schema" }).click();
  const schema = page.getByRole("textbox", { name: "Schema" });
  await schema.fill('{ "type": "object", "properties": { "payee": ');
  await word(page, unfinished);
  await view(page, "Flowchart");
  await problems(page)
    .getByRole("button", { name: /Input schema/ })
    .click();
  expect(await schema.textContent()).toContain('"payee"');
  expect(await seriousProblems(page)).toEqual([]);

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs" }).click();
  const question = page.getByRole("dialog", { name: "Leave unfinished text?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await question.waitFor({ state: "detached" });

  const next = await page.context().newPage();
  await page.close();
  await next.goto("/dashboard/sandbox/procedures/half/edit");
  const kept = next.getByRole("region", { name: "Unsaved changes" });
  expect(await kept.getByRole("textbox", { name: "Input schema" }).inputValue()).toContain('"payee"');
  await kept.getByRole("button", { name: "Restore my changes" }).click();
  await next.getByRole("link", { name: "Input schema" }).click();
  const restored = next.getByRole("textbox", { name: "Schema" });
  expect(await restored.textContent()).toContain('"payee"');
  await restored.fill('{ "type": "object", "properties": { "payee": { "type": "string" } } }');
  await next.getByRole("status", { name: "Draft" }).getByText("All changes saved", { exact: true }).waitFor();
  expect((await draftOf("half"))?.input).toEqual({ type: "object", properties: { payee: { type: "string" } } });
  await next.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs" }).click();
  await next.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
});

test("an unfinished document overwrites no change that was made elsewhere since, unless the person says so", async () => {
  const whole = JSON.stringify(await begin("stale"), undefined, 2);
  const page = await openPage(service, { person: owner });
  await open(page, "stale");
  await view(page, "JSON");
  const text = page.getByRole("textbox", { name: "Document as JSON" });
  await text.fill(whole.replace('"Begins"', '"Begins as JSON"').slice(0, -2));
  await word(page, unfinished);
  await view(page, "Flowchart");
  const title = page.getByRole("region", { name: "Inspector" }).getByRole("textbox", { name: "Title", exact: true });
  await title.fill("Begins in the chart");
  await view(page, "JSON");
  await page.getByText("The draft was changed elsewhere since this text was typed.", { exact: false }).waitFor();
  await text.fill(whole.replace('"Begins"', '"Begins as JSON"'));
  await word(page, unfinished);
  expect((await draftOf("stale"))?.nodes[0]).toMatchObject({ title: "Begins in the chart" });
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Use this text" }).click();
  await word(page, "All changes saved");
  expect((await draftOf("stale"))?.nodes[0]).toMatchObject({ title: "Begins as JSON" });
  await page.getByRole("button", { name: "Undo" }).click();
  await view(page, "Flowchart");
  expect(await title.inputValue()).toBe("Begins in the chart");
});

test("a half-typed name stays at its branch while the branches are put in another order, and goes with it", async () => {
  await begin("order");
  const page = await openPage(service, { person: owner });
  await open(page, "order");
  await page.getByRole("treeitem", { name: "Condition: Size" }).click();
  const branch = (name: string) => page.getByRole("group", { name: `Branch ${name}` });
  await branch("large").getByRole("textbox", { name: "Branch name" }).fill("middle");
  await page.getByText("Another branch has the name “middle”.").waitFor();
  await page.getByRole("button", { name: "Try large later" }).click();
  await page.getByRole("button", { name: "Try large earlier" }).waitFor();
  expect(await branch("large").getByRole("textbox", { name: "Branch name" }).inputValue()).toBe("middle");
  await branch("large").getByText("Another branch has the name “middle”.").waitFor();
  expect(await branch("middle").getByRole("textbox", { name: "Branch name" }).inputValue()).toBe("middle");
  expect(await branch("middle").getByText("Another branch has the name").count()).toBe(0);
  // Another step is chosen, and the text is still there.
  await page.getByRole("treeitem", { name: /^Start/ }).click();
  await problems(page)
    .getByRole("button", { name: /Size › Branch large › Name/ })
    .click();
  expect(await branch("large").getByRole("textbox", { name: "Branch name" }).inputValue()).toBe("middle");
  await page.getByRole("button", { name: "Delete branch large" }).click();
  await word(page, "All changes saved");
});

test.for([true, false])("a kept copy is given as JSON and discarded after a question (locks: %s)", async (hasLocks) => {
  const procedureId = `kept-${String(hasLocks)}`;
  await begin(procedureId);
  const page = await openPage(service, { person: owner });
  const context = page.context();
  if (!hasLocks)
    await context.addInitScript("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })");
  await open(page, procedureId);
  await page.route("**/draft?*", (route) => route.abort());
  await page
    .getByRole("region", { name: "Inspector" })
    .getByRole("textbox", { name: "Title", exact: true })
    .fill("Begins here");
  await word(page, "Not saved: offline, kept on this device");
  // The copy of an open editor is its own.
  const next = await context.newPage();
  await next.goto(`/dashboard/sandbox/procedures/${procedureId}/edit`);
  await next.getByRole("tree", { name: "Outline" }).waitFor();
  await page.close();
  await next.reload();
  const kept = next.getByRole("region", { name: "Unsaved changes" });
  await kept.getByRole("button", { name: "Open mine as JSON" }).click();
  expect(await kept.getByRole("textbox", { name: "My draft as JSON" }).inputValue()).toContain('"Begins here"');
  const download = next.waitForEvent("download");
  await kept.getByRole("button", { name: "Download as JSON" }).click();
  expect((await download).suggestedFilename()).toBe(`${procedureId}.draft.json`);
  await kept.getByRole("button", { name: "Discard them" }).click();
  const question = next.getByRole("dialog", { name: "Discard your changes?" });
  await question.getByRole("button", { name: "Back" }).click();
  await kept.getByRole("button", { name: "Discard them" }).click();
  await question.getByRole("button", { name: "Discard my changes" }).click();
  await next.getByRole("tree", { name: "Outline" }).waitFor();
  await next.reload();
  await next.getByRole("tree", { name: "Outline" }).waitFor();
  expect((await draftOf(procedureId))?.nodes[0]).toMatchObject({ title: "Begins" });
});
