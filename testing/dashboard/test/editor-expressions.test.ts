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
  readonly document: { readonly nodes: readonly object[]; readonly budgets?: unknown };
}

async function draftOf(procedureId: string): Promise<Draft["document"] | undefined> {
  const { draft } = await call<{ readonly draft?: Draft }>("GET", `procedures/${procedureId}?environment=sandbox`);
  return draft?.document;
}

async function open(page: WatchedPage, procedureId: string, step: RegExp): Promise<void> {
  await page.goto(`/dashboard/sandbox/procedures/${procedureId}/edit`);
  await page.getByRole("treeitem", { name: step }).first().click();
}

const saved = (page: WatchedPage): Promise<void> =>
  page.getByRole("status", { name: "Draft" }).getByText("All changes saved", { exact: true }).waitFor();

test("an expression is completed by keyboard from the values of the step, and read in words", async () => {
  const page = await openPage(service, { person: owner });
  await open(page, "vendor-payment", /^Condition/);
  const field = page.getByRole("combobox", { name: "Expression" });
  await field.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("nodes.pay");
  const list = page.getByRole("listbox", { name: "Values for Expression" });
  await list.getByRole("option", { name: /^nodes\.payee\.output\.country\s*text/ }).waitFor();
  expect(await field.getAttribute("aria-expanded")).toBe("true");
  // The payment comes after the condition.
  expect(await list.getByRole("option", { name: /^nodes\.pay\.output/ }).count()).toBe(0);
  expect(await seriousProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("nodes.pay");

  await page.keyboard.type("ee.output.c");
  await list.waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await field.getAttribute("aria-activedescendant")).not.toBeNull();
  await page.keyboard.press("Enter");
  expect(await field.inputValue()).toBe("nodes.payee.output.country");
  await page.keyboard.type(' != "DE" && input.am');
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type(" >= 5000");
  await page.getByText("In words: country of “Look up the payee” is not “DE” and amount is at least 5,000").waitFor();

  // Arguments and outputs complete the same values.
  await page.getByRole("treeitem", { name: /^End/ }).click();
  const output = page.getByRole("combobox", { name: "Output" });
  await output.fill('{ "payee": "{{ input.pa');
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type(' }}" }');
  await page.getByRole("treeitem", { name: "Tool Call: Pay the vendor" }).click();
  const amount = page.getByRole("combobox", { name: "amount", exact: true });
  await amount.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Control+Space");
  await page
    .getByRole("listbox", { name: "Values for amount" })
    .getByRole("option", { name: /^input\.amount/ })
    .click();
  expect(await amount.inputValue()).toBe("input.amount");
  await saved(page);
  expect((await draftOf("vendor-payment"))?.nodes.at(-1)).toMatchObject({ output: { payee: "{{ input.payee }}" } });
});

test("a condition shows which branch past inputs and values at its limit take, also while it is typed", async () => {
  await service.run("transfer", { payee: "Acme GmbH", amount: 1200, invoice: "INV-1" });
  await service.run("transfer", { payee: "Beta AG", amount: 250_000, invoice: "INV-2" });
  const page = await openPage(service, { person: owner, width: 390, colorScheme: "dark" });
  await open(page, "transfer", /^Condition/);
  const table = page.getByRole("table", { name: "Sample values" });
  const row = async (name: string): Promise<readonly string[]> =>
    await table
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name, exact: true }) })
      .first()
      .getByRole("cell")
      .allTextContents();
  await table.getByRole("rowheader", { name: "INV-2" }).waitFor();
  expect(await row("INV-1")).toEqual(["1200", "small"]);
  expect(await row("INV-2")).toEqual(["250000", "large"]);
  expect(await table.getByRole("rowheader", { name: "At the limit" }).count()).toBe(3);
  expect(await seriousProblems(page)).toEqual([]);
  expect(await surplusWidth(page)).toBe(0);
  await page.getByRole("combobox", { name: "Expression" }).fill("input.amount > 1000");
  await expect.poll(() => row("INV-1")).toEqual(["1200", "large"]);
  await page.getByRole("combobox", { name: "Expression" }).fill("input.amount >");
  await expect.poll(() => row("INV-1")).toEqual(["–"]);
});

test("the limits of agents are entered in fields, and the last one of a day takes its zone with it", async () => {
  const page = await openPage(service, { person: owner });
  await open(page, "invoice", /^Start/);
  await page.getByText("Limits of agents", { exact: true }).click();
  await page.getByRole("textbox", { name: "Most tokens in a run" }).fill("5000");
  await page.getByRole("textbox", { name: "Most model calls in a day" }).fill("20");
  expect(await page.getByRole("textbox", { name: "Time zone of the days" }).inputValue()).toBe("Europe/Berlin");
  await saved(page);
  const budgets = async (): Promise<unknown> => (await draftOf("invoice"))?.budgets;
  expect(await budgets()).toEqual({ run: { tokens: 5000 }, day: { modelCalls: 20, timeZone: "Europe/Berlin" } });
  await page.getByRole("textbox", { name: "Most model calls in a day" }).fill("");
  await page.getByRole("textbox", { name: "Most tokens in a run" }).fill("many");
  await page.getByText("Enter a whole number.").waitFor();
  await page
    .getByRole("status", { name: "Draft" })
    .getByText("Saved without the text that is not valid yet", { exact: true })
    .waitFor();
  expect(await budgets()).toEqual({ run: { tokens: 5000 } });
});
