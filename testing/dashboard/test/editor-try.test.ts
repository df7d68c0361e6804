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

interface Shown {
  readonly defaults: Readonly<Record<string, string>>;
  readonly versions: readonly { readonly version: string }[];
}

const procedure = (procedureId: string): Promise<Shown> =>
  call<Shown>("GET", `procedures/${procedureId}?environment=sandbox`);

interface RunFacts {
  readonly procedureVersion: string;
  readonly environment: string;
}

/** The run that the page shows. */
async function shownRun(page: WatchedPage): Promise<RunFacts> {
  await page.waitForURL(/\/dashboard\/sandbox\/runs\/run_/);
  const runId = page.url().split("/").at(-1) ?? "";
  return await call<RunFacts>("GET", `runs/${runId}?environment=sandbox`);
}

test("a draft is tried in the sandbox with the input of a past run, from live, and becomes no default", async () => {
  await service.run("transfer", { payee: "Acme GmbH", amount: 1200, invoice: "INV-77" });
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/live/procedures/transfer/edit");
  await page.getByRole("tree", { name: "Outline" }).waitFor();
  const title = page.getByRole("region", { name: "Inspector" }).getByRole("textbox", { name: "Title", exact: true });
  await title.fill("A transfer is asked for");
  await page.getByRole("link", { name: "Try in sandbox" }).click();
  const form = page.getByRole("region", { name: "Try in sandbox" });
  const begin = form.getByRole("combobox", { name: "Begin with" });
  await begin.getByText("INV-77").waitFor({ state: "attached" });
  const [, option = ""] = await begin.getByRole("option").allTextContents();
  expect(option).toMatch(/^INV-77 · .*2026.* · Completed$/);
  await begin.selectOption({ label: option });
  const amount = form.getByRole("textbox", { name: "Amount" });
  await expect.poll(() => amount.inputValue()).toBe("1200");
  expect(await form.getByRole("textbox", { name: "Payee" }).inputValue()).toBe("Acme GmbH");
  expect(await seriousProblems(page)).toEqual([]);

  // The typed input stays while another view is shown.
  await amount.fill("1300");
  await page.getByRole("link", { name: "JSON", exact: true }).click();
  await page.getByRole("link", { name: "Try in sandbox" }).click();
  expect(await amount.inputValue()).toBe("1300");
  await form.getByText("is published as version 2 first").waitFor();
  await form.getByRole("button", { name: "Publish and try in sandbox" }).click();
  expect(await shownRun(page)).toMatchObject({ procedureVersion: "2" });
  expect(service.clearing.book.at(-1)).toMatchObject({ amount: 1300 });
  expect((await procedure("transfer")).defaults).toEqual({ sandbox: "1", live: "1" });

  // The draft is that version now: another try publishes none.
  await page.goto("/dashboard/live/procedures/transfer/edit?view=try");
  await form.getByText("The draft is version 2, without a change.").waitFor();
  await form.getByRole("textbox", { name: "Payee" }).fill("Beta AG");
  await amount.fill("5");
  await form.getByRole("button", { name: "Try in sandbox" }).click();
  expect(await shownRun(page)).toMatchObject({ procedureVersion: "2" });
  expect((await procedure("transfer")).versions).toHaveLength(2);
});

test("a draft with a problem waits, and an input that does not fit is told at its field", async () => {
  const page = await openPage(service, { person: owner, width: 390, colorScheme: "dark" });
  await page.goto("/dashboard/sandbox/procedures/statement/edit?view=try");
  const form = page.getByRole("region", { name: "Try in sandbox" });
  await form.getByRole("textbox", { name: "Lines" }).fill("many");
  await form.getByRole("button", { name: "Try in sandbox" }).click();
  await expect.poll(() => form.getByRole("textbox", { name: "Lines" }).getAttribute("aria-invalid")).toBe("true");
  expect(await seriousProblems(page)).toEqual([]);
  expect(await surplusWidth(page)).toBe(0);

  await page.getByRole("link", { name: "Flowchart" }).click();
  await page.getByRole("treeitem", { name: /^Condition/ }).click();
  await page.getByRole("combobox", { name: "Expression" }).fill("nodes.book.output.remaining >");
  await page.getByRole("link", { name: "Try in sandbox" }).click();
  await form.getByText("One problem has to be fixed before the draft can be tried.").waitFor();
  expect(await form.getByRole("button", { name: "Try in sandbox" }).isDisabled()).toBe(true);

  // The typed input stays when the schema changes.
  await form.getByRole("textbox", { name: "Lines" }).fill("3");
  await page.getByRole("link", { name: "Input schema" }).click();
  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByRole("link", { name: "Try in sandbox" }).click();
  await form.getByRole("textbox", { name: "field" }).waitFor();
  expect(await form.getByRole("textbox", { name: "Lines" }).inputValue()).toBe("3");
});

test("a person who may start no runs in the sandbox reads why the draft cannot be tried", async () => {
  const person = await service.join("Lena Live", { sandbox: ["viewer"], live: ["builder"] });
  const page = await openPage(service, { person });
  await page.goto("/dashboard/live/procedures/statement/edit?view=try");
  await page.getByText("You may not start runs in Sandbox.").waitFor();
});
