import {
  openApi,
  openPage,
  seriousProblems,
  startService,
  surplusWidth,
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
  const access = ["owner", "reviewer"] as const;
  owner = await service.join("Olga Owner", { sandbox: access, live: access });
  call = await openApi(service, owner);
});

afterAll(async () => {
  await service.stop();
});

interface Draft {
  readonly revision: number;
  readonly document: {
    readonly nodes: readonly Readonly<Record<string, unknown>>[];
    readonly edges: readonly Readonly<Record<string, unknown>>[];
    readonly [name: string]: unknown;
  };
}

async function draftOf(procedureId: string): Promise<Draft> {
  const { draft } = await call<{ readonly draft: Draft }>("GET", `procedures/${procedureId}?environment=sandbox`);
  return draft;
}

/** Begins a procedure with the title of its end, and opens it. */
async function open(page: WatchedPage, procedureId: string): Promise<void> {
  await page.goto(`/dashboard/sandbox/procedures/${procedureId}/edit`);
  await page.getByRole("tree", { name: "Outline" }).waitFor();
}

async function begin(procedureId: string): Promise<void> {
  const document = {
    schemaVersion: 1,
    procedureId,
    name: "Begun",
    input: { type: "object", properties: { amount: { type: "integer" } } },
    nodes: [
      { id: "start", kind: "start" },
      { id: "done", kind: "end" },
    ],
    edges: [{ from: "start", to: "done" }],
  };
  await call("PUT", `procedures/${procedureId}/draft?environment=sandbox`, { document, revision: 0 });
}

const word = (page: WatchedPage, text: string): Promise<void> =>
  page.getByRole("status", { name: "Draft" }).getByText(text, { exact: true }).waitFor();
const saved = (page: WatchedPage): Promise<void> => word(page, "All changes saved");
const title = (page: WatchedPage) =>
  page.getByRole("region", { name: "Inspector" }).getByRole("textbox", { name: "Title", exact: true });
async function steps(page: WatchedPage): Promise<readonly (string | null)[]> {
  const items = await page.getByRole("tree", { name: "Outline" }).getByRole("treeitem").all();
  return await Promise.all(items.map((item) => item.getAttribute("aria-label")));
}

/** Presses Tab until a field of the name has the focus. */
async function tabTo(
  page: WatchedPage,
  role: "textbox" | "combobox" | "button" | "checkbox" | "tree",
  name: string | RegExp,
  within: Pick<WatchedPage, "getByRole"> = page,
): Promise<void> {
  const field = within.getByRole(role, { name, exact: typeof name === "string" }).first();
  for (let presses = 0; presses < 80; presses++) {
    if (await field.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The key Tab does not lead to ${String(name)}.`);
}

/** Adds a step with the key of the outline. */
async function addByKeys(page: WatchedPage, kind: string, name: string): Promise<void> {
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog", { name: "Add step" });
  await dialog.waitFor();
  await page.keyboard.type(kind);
  await tabTo(page, "textbox", "Title", dialog);
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
}

test("a procedure of all five kinds is built, published and started by keyboard alone", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/procedures");
  await page.getByRole("button", { name: "New procedure" }).waitFor();
  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "New procedure" }).waitFor();
  await page.keyboard.type("Supplier payment");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Supplier payment" }).waitFor();

  // The input.
  await tabTo(page, "button", "Add step");
  await page.getByRole("link", { name: "Input schema" }).press("Enter");
  for (const [name, type] of [
    ["payee", "Text"],
    ["amount", "Whole"],
  ] as const) {
    await page.getByRole("button", { name: "Add field" }).press("Enter");
    const row = page.getByRole("group", { name: "Field field" });
    await row.getByRole("textbox", { name: "Field name" }).focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    const named = page.getByRole("group", { name: `Field ${name}` });
    await named.getByRole("combobox", { name: "Type" }).focus();
    await page.keyboard.type(type);
  }
  await page.getByRole("link", { name: "Flowchart" }).press("Enter");

  // The steps.
  await tabTo(page, "tree", "Outline");
  await page.keyboard.press("Home");
  await addByKeys(page, "Tool", "Pay the supplier");
  await page.keyboard.press("Home");
  await addByKeys(page, "Cond", "Large amount?");
  await page.keyboard.press("ArrowRight");
  await addByKeys(page, "Human", "Pay this amount?");
  expect(await steps(page)).toEqual(
    [
      "Start",
      expect.stringMatching(/^Condition: Large amount\?/),
      expect.stringMatching(/^Branch yes/),
      expect.stringMatching(/^Human Review: Pay this amount\?/),
      "Branch no: otherwise",
      expect.stringMatching(/^Tool Call: Pay the supplier/),
      "End: done",
    ].map((one) => one as unknown),
  );
  await tabTo(page, "combobox", "Covers");
  await page.keyboard.type("Pay");
  await tabTo(page, "checkbox", "Exclude the person who started the run");

  await page.getByRole("tree", { name: "Outline" }).focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await tabTo(page, "combobox", "Expression");
  await page.keyboard.type("input.amount > 100000");

  await page.getByRole("tree", { name: "Outline" }).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  await tabTo(page, "combobox", "Connection");
  await page.keyboard.type("bank");
  await tabTo(page, "combobox", "Action");
  await page.keyboard.type("pay");
  await page.getByRole("combobox", { name: "payee is" }).waitFor();
  for (const name of ["payee", "amount"]) {
    await tabTo(page, "combobox", `${name} is`);
    await page.keyboard.type("Expression");
    await page.keyboard.press("Shift+Tab");
    expect(await page.getByRole("combobox", { name, exact: true }).and(page.locator(":focus")).count()).toBe(1);
    await page.keyboard.type(`input.${name}`);
  }
  await tabTo(page, "textbox", "currency");
  await page.keyboard.type("EUR");

  await page.getByRole("tree", { name: "Outline" }).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("F2");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("paid");
  await page.keyboard.press("Tab");
  await tabTo(page, "combobox", "Output");
  await page.keyboard.type('{ "payee": "{{ input.payee }}" }');
  await page.keyboard.press("Control+S");
  await saved(page);
  await page.getByRole("button", { name: "Problems, 0" }).waitFor();
  expect(await seriousProblems(page)).toEqual([]);

  await tabTo(page, "button", "Publish");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await dialog.getByRole("textbox", { name: "Version" }).waitFor();
  expect(await dialog.getByRole("textbox", { name: "Version" }).inputValue()).toBe("1");
  expect(await dialog.getByRole("checkbox", { name: "Default in sandbox" }).isChecked()).toBe(true);
  expect(await seriousProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Publish" }).press("Enter");
  await page.getByRole("region", { name: "Versions" }).getByRole("link", { name: "1" }).waitFor();

  const runId = await service.run("supplier-payment", { payee: "Acme GmbH", amount: 1200 });
  const run = await call<{ readonly status: string; readonly output: unknown }>(
    "GET",
    `runs/${runId}?environment=sandbox`,
  );
  expect(run).toMatchObject({ status: "completed" });
  expect(service.bank.payments).toContainEqual(
    expect.objectContaining({ payee: "Acme GmbH", amount: 1200 }) as unknown,
  );
  const { status } = await call<{ readonly status: string }>(
    "GET",
    `runs/${await service.run("supplier-payment", { payee: "Acme GmbH", amount: 250_000 })}?environment=sandbox`,
  );
  expect(status).toBe("awaiting_review");
});

test("two tabs: the second is told of the first one's draft, each choice goes on, and undo brings back the other", async () => {
  await begin("two-tabs");
  const [one, two] = [await openPage(service, { person: owner }), await openPage(service, { person: owner })];
  await open(one, "two-tabs");
  await open(two, "two-tabs");
  // Both type before either has saved.
  await two.context().setOffline(true);
  await title(two).fill("Begins in two");
  await title(one).fill("Begins in one");
  await saved(one);
  await word(two, "Not saved: offline, kept on this device");
  await two.context().setOffline(false);
  await two.getByRole("heading", { name: "Someone else saved this draft" }).waitFor();
  await word(two, "Not saved: someone else saved");
  await two.getByRole("region", { name: "Their changes" }).getByText("Begins in one", { exact: true }).waitFor();
  await two.getByRole("region", { name: "Your changes" }).getByText("Begins in two", { exact: true }).waitFor();
  await two.getByRole("button", { name: "Open mine as JSON" }).click();
  expect(await two.getByRole("textbox", { name: "My draft as JSON" }).inputValue()).toContain("Begins in two");
  expect(await seriousProblems(two)).toEqual([]);
  expect((await draftOf("two-tabs")).document.nodes[0]).toMatchObject({ title: "Begins in one" });

  await two.getByRole("button", { name: "Keep mine" }).click();
  await saved(two);
  expect((await draftOf("two-tabs")).document.nodes[0]).toMatchObject({ title: "Begins in two" });
  // The first tab has nothing unsaved, and follows.
  await expect.poll(() => title(one).inputValue()).toBe("Begins in two");
  // Its undo would take back the change of the other.
  await one.getByText("Undo goes back to this revision, and no further.").waitFor();
  expect(await one.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);
  await two.getByRole("button", { name: "Undo" }).click();
  await saved(two);
  expect((await draftOf("two-tabs")).document.nodes[0]).toMatchObject({ title: "Begins in one" });

  await expect.poll(() => title(one).inputValue()).toBe("Begins in one");
  await one.context().setOffline(true);
  await title(one).fill("Begins offline");
  await title(two).fill("Begins again");
  await saved(two);
  await one.context().setOffline(false);
  await one.getByRole("button", { name: "Keep theirs" }).click();
  await saved(one);
  expect(await title(one).inputValue()).toBe("Begins again");
  await one.getByRole("button", { name: "Undo" }).click();
  expect(await title(one).inputValue()).toBe("Begins offline");
});

test("ten seconds without a network lose nothing that was typed", async () => {
  await begin("offline");
  const page = await openPage(service, { person: owner });
  await open(page, "offline");
  await page.context().setOffline(true);
  await title(page).fill("Typed without a network");
  await word(page, "Not saved: offline, kept on this device");
  await title(page).fill("Typed without a network, and on");
  await page.context().setOffline(false);
  await saved(page);
  const { document, revision } = await draftOf("offline");
  expect(document.nodes[0]).toMatchObject({ title: "Typed without a network, and on" });
  expect(revision).toBe(2);
});

test("a chart or search that cannot be loaded costs nothing that was typed", async () => {
  await begin("late");
  const page = await openPage(service, { person: owner });
  await page.route(/assets\/(editor-chart|search-dialog)-/, (route) => route.abort("internetdisconnected"));
  await open(page, "late");
  const reload = "Reload the page once there is a network.";
  await page.getByText(`The flowchart could not be loaded. ${reload}`).waitFor();
  await title(page).fill("Typed beside no chart");
  await page.keyboard.press("Control+k");
  const search = page.getByRole("dialog", { name: "Search" });
  await search.getByText(`The search could not be loaded. ${reload}`).waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await saved(page);
  expect((await draftOf("late")).document.nodes[0]).toMatchObject({ title: "Typed beside no chart" });
});

test("after a crash of the tab its unsaved work is offered, and restored or discarded by choice", async () => {
  await begin("crashed");
  const first = await openPage(service, { person: owner });
  await open(first, "crashed");
  await first.context().setOffline(true);
  await title(first).fill("Typed before the crash");
  await word(first, "Not saved: offline, kept on this device");
  await first.route("**/draft*", (route) => route.abort());
  await first.context().setOffline(false);
  const second = await first.context().newPage();
  await first.close();
  await second.goto("/dashboard/sandbox/procedures/crashed/edit");
  await second.getByRole("heading", { name: "This device kept changes that were not saved" }).waitFor();
  await second.getByText("Typed before the crash", { exact: true }).waitFor();
  await second.getByRole("button", { name: "Restore my changes" }).click();
  const field = second.getByRole("region", { name: "Inspector" }).getByRole("textbox", { name: "Title", exact: true });
  expect(await field.inputValue()).toBe("Typed before the crash");
  await second.getByRole("status", { name: "Draft" }).getByText("All changes saved").waitFor();
  expect((await draftOf("crashed")).document.nodes[0]).toMatchObject({ title: "Typed before the crash" });
  await second.reload();
  await second.getByRole("tree", { name: "Outline" }).waitFor();
});

test("a problem leads to its step and field, and an unfinished JSON overwrites nothing", async () => {
  await begin("problems");
  const page = await openPage(service, { person: owner });
  await open(page, "problems");
  await page.getByRole("button", { name: "Add step" }).click();
  const dialog = page.getByRole("dialog", { name: "Add step" });
  await dialog.getByRole("combobox", { name: "Step" }).selectOption("Condition");
  await dialog.getByRole("textbox", { name: "Title" }).fill("Large?");
  await dialog.getByRole("button", { name: "Add" }).click();
  const expression = page.getByRole("combobox", { name: "Expression" });
  await expression.fill("input.amount >");
  const list = page.getByRole("region", { name: "Problems" }).getByRole("listitem");
  await expect.poll(() => list.count()).toBe(1);
  await page.getByRole("tree", { name: "Outline" }).getByRole("treeitem", { name: "Start" }).click();
  await list.getByRole("button").click();
  await expect.poll(() => expression.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
  await expression.fill("input.amount > 10");
  await saved(page);
  await page.getByRole("region", { name: "Problems" }).getByText("Only warnings.").waitFor();

  await page.getByRole("link", { name: "JSON", exact: true }).click();
  const text = page.getByRole("textbox", { name: "Document as JSON" });
  await text.getByText('"procedureId"').waitFor();
  const whole = JSON.stringify((await draftOf("problems")).document, undefined, 2);
  await text.fill(whole.replace('"Large?"', '"Very large?"').slice(0, -3));
  await page.getByText(/This is not JSON yet\. Line \d+, column \d+:/).waitFor();
  expect((await draftOf("problems")).document.nodes.at(-1)).toMatchObject({ title: "Large?" });
  await text.fill(whole.replace('"problems"', '"another"'));
  await page.getByText("has to stay “problems”").waitFor();
  await text.fill(whole.replace('"Large?"', '"Very large?"'));
  await saved(page);
  await page.getByRole("link", { name: "Flowchart" }).click();
  await page.getByRole("treeitem", { name: "Condition: Very large?" }).waitFor();
  await page.keyboard.press("Control+Z");
  await page.getByRole("treeitem", { name: "Condition: Large?" }).waitFor();
});

test("steps are connected, moved, renamed and deleted by buttons at 360 pixels, and the draft is discarded", async () => {
  const page = await openPage(service, { person: owner, width: 360, colorScheme: "dark" });
  await open(page, "vendor-payment");
  const before = await steps(page);
  await page
    .getByRole("treeitem", { name: /^Tool Call/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const connect = page.getByRole("dialog", { name: "Connect" });
  await connect.getByRole("combobox", { name: "Branch" }).selectOption("If it fails");
  await connect.getByRole("combobox", { name: "To" }).selectOption({ index: 1 });
  await connect.getByRole("button", { name: "Connect" }).click();
  await page.getByRole("treeitem", { name: "Branch If it fails" }).waitFor();
  await page.getByRole("button", { name: "Delete step" }).click();
  expect((await steps(page)).length).toBeLessThan(before.length + 2);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await steps(page)).toEqual(before);
  await title(page).fill("Changed");
  await saved(page);
  expect(await seriousProblems(page)).toEqual([]);
  expect(await surplusWidth(page)).toBe(0);
  await page.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("dialog", { name: "Discard draft?" }).getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("region", { name: "Versions" }).waitFor();
  expect(await draftOf("vendor-payment")).toBeUndefined();
});

test("a person who does not manage procedures reads why the editor is closed to them", async () => {
  const reviewer = await service.join("Rita Reviewer", { sandbox: ["reviewer"], live: ["reviewer"] });
  const page = await openPage(service, { person: reviewer });
  await page.goto("/dashboard/sandbox/procedures/vendor-payment/edit");
  await page.getByRole("alert").getByText("You may look at procedures in Sandbox").waitFor();
  await page.goto("/dashboard/sandbox/procedures");
  await page.getByRole("table", { name: "Procedures" }).waitFor();
  expect(await page.getByRole("button", { name: "New procedure" }).count()).toBe(0);
});
