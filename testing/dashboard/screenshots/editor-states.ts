import type { Page } from "playwright-core";
import { click, phone, type State } from "./state.ts";

const editor = {
  route: "/$environment/procedures/$procedureId/edit",
  path: (): string => "sandbox/procedures/vendor-payment/edit",
} as const;

const choose = async (page: Page, name: RegExp): Promise<void> => {
  await page.getByRole("treeitem", { name }).first().click();
};

/** Answers saves with the problems of what was sent, and leaves the draft as it is for the pictures that follow. */
async function keepDraft(page: Page): Promise<void> {
  await page.route("**/draft?*", async (route) => {
    const { document, revision } = route.request().postDataJSON() as { document: unknown; revision: number };
    const checked = await page.request.post("/api/v1/procedures/vendor-payment/validate?environment=sandbox", {
      data: { document },
    });
    const { problems } = (await checked.json()) as { readonly problems: unknown };
    await route.fulfill({ json: { revision: revision + 1, problems } });
  });
}

/** Answers a save as the first one of a draft, which has no problems. */
async function answerSave(page: Page): Promise<void> {
  await page.route("**/draft?*", (route) => route.fulfill({ json: { revision: 1, problems: [] } }));
}

/** Someone else saves while the page is open with a change of its own. */
async function conflict(page: Page): Promise<void> {
  const title = page.getByRole("region", { name: "Inspector" }).getByRole("textbox", { name: "Title", exact: true });
  await page.route("**/draft?*", (route) => {
    const body = {
      error: "The draft has another revision.",
      code: "revision_conflict",
      requestId: "req_8Zk2Vt1QfXhR_7",
    };
    return route.fulfill({ status: 409, json: body });
  });
  await page.route("**/api/v1/procedures/vendor-payment?*", async (route) => {
    const answer = await route.fetch();
    const procedure = (await answer.json()) as { draft?: unknown };
    const version = await page.request.get("/api/v1/procedures/vendor-payment/versions/2?environment=sandbox");
    const { document } = (await version.json()) as { readonly document: object };
    procedure.draft = { revision: 8, document, by: "bo.lindqvist@acme.example", updatedAt: "2026-11-20T07:29:00Z" };
    await route.fulfill({ json: procedure });
  });
  await title.fill("A payment was asked for");
  await page.getByRole("heading", { name: "Someone else saved this draft" }).waitFor();
}

/** The editor of procedures. */
export const editorStates: readonly State[] = [
  {
    name: "new-procedure",
    height: 600,
    caption: "A new procedure",
    route: "/$environment/procedures",
    path: () => "sandbox/procedures",
    prepare: async (page) => {
      await click(page, /^New procedure/);
      await page.getByRole("textbox", { name: "Name" }).fill("Supplier payment");
    },
  },
  {
    name: "editor",
    height: 1000,
    width: 1440,
    caption: "The editor, with a call",
    ...editor,
    prepare: (page) => choose(page, /^Tool Call: Pay/),
  },
  {
    name: "editor-condition",
    height: 900,
    caption: "A condition, and a problem",
    ...editor,
    prepare: async (page) => {
      await keepDraft(page);
      await choose(page, /^Condition/);
      await page.getByRole("combobox", { name: "Expression" }).first().fill("input.amount >");
      await page.getByRole("region", { name: "Problems" }).getByRole("listitem").first().waitFor();
    },
  },
  {
    name: "editor-completion",
    height: 900,
    caption: "The values that an expression can read",
    ...editor,
    prepare: async (page) => {
      await keepDraft(page);
      await choose(page, /^Condition/);
      await page.getByRole("combobox", { name: "Expression" }).first().fill("nodes.payee.o");
      await page.keyboard.press("Control+Space");
      await page.getByRole("listbox", { name: "Values for Expression" }).waitFor();
    },
  },
  {
    name: "editor-json",
    height: 900,
    caption: "The document as text",
    ...editor,
    path: () => "sandbox/procedures/vendor-payment/edit?view=json",
    prepare: async (page) => {
      await page.getByText('"schemaVersion"').waitFor();
    },
  },
  {
    name: "editor-try",
    height: 900,
    caption: "Try the draft with the input of a past run",
    ...editor,
    path: () => "sandbox/procedures/vendor-payment/edit?view=try",
    prepare: async (page) => {
      await page.getByRole("combobox", { name: "Begin with" }).selectOption({ index: 1 });
      await page.getByRole("button", { name: /^Publish and try|^Try/ }).waitFor();
    },
  },
  {
    name: "editor-input",
    height: 900,
    caption: "The input of a procedure",
    ...editor,
    path: () => "sandbox/procedures/vendor-payment/edit?view=input",
  },
  {
    name: "editor-conflict",
    height: 700,
    caption: "Two people changed a draft",
    ...editor,
    prepare: conflict,
  },
  {
    name: "editor-unfinished",
    height: 900,
    caption: "A text that is not valid yet, and a change made elsewhere since",
    ...editor,
    path: () => "sandbox/procedures/vendor-payment/edit?view=json",
    prepare: async (page) => {
      await answerSave(page);
      await page.getByRole("textbox", { name: "Document as JSON" }).fill('{\n  "schemaVersion": 1,\n  "procedureId": ');
      await page.getByRole("link", { name: "Flowchart" }).click();
      await page
        .getByRole("region", { name: "Inspector" })
        .getByRole("textbox", { name: "Title", exact: true })
        .fill("Asked for");
      await page.getByRole("link", { name: "JSON", exact: true }).click();
      await page.getByRole("status", { name: "Draft" }).getByText("Saved without the text").waitFor();
    },
  },
  {
    name: "editor-publish",
    caption: "Publish a version",
    ...editor,
    prepare: async (page) => {
      await answerSave(page);
      await choose(page, /^Condition/);
      await page.getByRole("combobox", { name: "Expression" }).first().fill("input.amount > 40000");
      await page.getByRole("status", { name: "Draft" }).getByText("All changes saved").waitFor();
      await click(page, /^Publish/);
      await page.getByRole("dialog", { name: "Publish" }).getByRole("region", { name: "Changes" }).waitFor();
    },
  },
  { name: "editor-phone", height: 1400, caption: "The editor on a phone", ...editor, ...phone },
];
