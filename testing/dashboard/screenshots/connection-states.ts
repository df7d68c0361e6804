import type { Page } from "playwright-core";
import type { Scene } from "./seed.ts";
import { click, phone, type State } from "./state.ts";

/** Shows the addresses of services as they would be elsewhere. */
const elsewhere = (page: Page, { connections }: Scene): Promise<void> => connections.rename(page);

const document = `openapi: 3.0.3
info:
  title: Till
  version: "7"
servers:
  - url: https://till.acme.example/v7
paths:
  /receipts:
    get:
      operationId: list_receipts
      summary: Lists the receipts of a day.
      parameters:
        - name: day
          in: nowhere
          required: true
          schema: { type: string, format: date }
      responses:
        "200": { description: Receipts }
    post:
      operationId: print_receipt
      summary: Prints a receipt.
      responses:
        "200": { description: Printed }
`;

/** The pages about the services that procedures call. */
export const connectionStates: readonly State[] = [
  {
    name: "connections",
    height: 560,
    caption: "Connections, those that need a person first",
    route: "/$environment/connections",
    path: () => "sandbox/connections",
  },
  {
    name: "connection-new",
    height: 1360,
    caption: "A new connection, and a fault of its document",
    route: "/$environment/connections/new",
    path: () => "sandbox/connections/new",
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("till");
      await page.getByRole("textbox", { name: "Document" }).fill(document);
      await click(page, "Look at it");
      await page.getByRole("table", { name: "Actions" }).waitFor();
    },
  },
  {
    name: "connection",
    height: 1000,
    caption: "A connection to an API",
    route: "/$environment/connections/$connectionId",
    path: ({ connections }) => `sandbox/connections/${connections.clearing}`,
    prepare: elsewhere,
  },
  {
    name: "connection-authorized",
    caption: "A connection that a person authorized",
    route: "/$environment/connections/$connectionId",
    path: ({ connections }) => `sandbox/connections/${connections.books}?authorized=true`,
    prepare: elsewhere,
  },
  {
    name: "connection-private",
    height: 1000,
    caption: "A connection to a private network",
    route: "/$environment/connections/$connectionId",
    path: ({ connections }) => `sandbox/connections/${connections.office}`,
    prepare: elsewhere,
  },
  {
    name: "connection-phone",
    caption: "A connection on a phone",
    route: "/$environment/connections/$connectionId",
    path: ({ connections }) => `sandbox/connections/${connections.books}`,
    ...phone,
    prepare: elsewhere,
  },
  {
    name: "connection-delete",
    caption: "Deleting a connection names the procedures that break",
    route: "/$environment/connections/$connectionId",
    path: ({ connections }) => `sandbox/connections/${connections.clearing}`,
    prepare: async (page, scene) => {
      await elsewhere(page, scene);
      await click(page, "Delete");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "connection-edit",
    caption: "The settings of a connection",
    route: "/$environment/connections/$connectionId/edit",
    path: ({ connections }) => `sandbox/connections/${connections.clearing}/edit`,
    prepare: elsewhere,
  },
  {
    name: "connection-edit-save",
    caption: "What a change of a document means, before it is saved",
    route: "/$environment/connections/$connectionId/edit",
    path: ({ connections }) => `sandbox/connections/${connections.clearing}/edit`,
    prepare: async (page, scene) => {
      await elsewhere(page, scene);
      await page.getByRole("radio", { name: "Edit or replace the document" }).check();
      const text = page.getByRole("textbox", { name: "Document" });
      await page.getByText("create_transfer").or(text).first().waitFor();
      await page.waitForFunction("document.querySelector('textarea').value.includes('create_transfer')");
      await text.fill((await text.inputValue()).replaceAll("create_transfer", "book_transfer"));
      await click(page, "Save");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "connection-leave",
    caption: "Leaving a form with unsaved input asks",
    route: "/$environment/connections/new",
    path: () => "sandbox/connections/new",
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("till");
      await page.getByRole("link", { name: "Home" }).first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "connection-secrets",
    height: 900,
    caption: "Secrets that a person names",
    route: "/$environment/connections/new",
    path: () => "sandbox/connections/new?kind=plaid",
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("banks");
      await click(page, /^Add a secret/);
      await page.getByRole("textbox", { name: "Name after item:" }).fill("main");
    },
  },
  {
    name: "action",
    height: 600,
    caption: "An action and its input",
    route: "/$environment/connections/$connectionId/actions/$name",
    path: ({ connections }) => `sandbox/connections/${connections.clearing}/actions/create_transfer`,
  },
];
