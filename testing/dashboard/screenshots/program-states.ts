import { click, phone, renamed, type State } from "./state.ts";

/** The pages about other systems and programs: webhooks and API keys. */
export const programStates: readonly State[] = [
  {
    name: "webhooks",
    height: 500,
    caption: "Webhooks, the failing one first",
    route: "/$environment/webhooks",
    path: () => "sandbox/webhooks",
    prepare: renamed,
  },
  {
    name: "webhooks-phone",
    caption: "Webhooks on a phone",
    route: "/$environment/webhooks",
    path: () => "sandbox/webhooks",
    ...phone,
    prepare: renamed,
  },
  {
    name: "webhook-new",
    caption: "A new webhook",
    route: "/$environment/webhooks/new",
    path: () => "sandbox/webhooks/new",
  },
  {
    name: "webhook",
    caption: "A webhook and its deliveries",
    route: "/$environment/webhooks/$webhookId",
    path: ({ webhooks }) => `sandbox/webhooks/${webhooks.accepted}`,
    prepare: renamed,
  },
  {
    name: "webhook-failing",
    caption: "A webhook that fails, on a phone",
    route: "/$environment/webhooks/$webhookId",
    path: ({ webhooks }) => `sandbox/webhooks/${webhooks.failing}`,
    ...phone,
    prepare: renamed,
  },
  {
    name: "webhook-rotate",
    caption: "Rotating a secret explains the overlap",
    route: "/$environment/webhooks/$webhookId",
    path: ({ webhooks }) => `sandbox/webhooks/${webhooks.accepted}`,
    prepare: async (page, scene) => {
      await renamed(page, scene);
      await click(page, "Rotate secret");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "webhook-signature",
    caption: "A signature that does not fit",
    route: "/$environment/webhooks/$webhookId",
    path: ({ webhooks }) => `sandbox/webhooks/${webhooks.accepted}?status=skipped`,
    prepare: async (page, scene) => {
      await renamed(page, scene);
      const region = page.getByRole("region", { name: "Check a signature" });
      await region.getByRole("textbox", { name: "Headers" }).fill(`X-Service-Signature: sha256=${"7d".repeat(32)}`);
      await region.getByRole("textbox", { name: "Signing secret" }).fill("whsec_example");
      await region.getByRole("textbox", { name: "Body" }).fill('{"id":"evt_1","event":"run_completed"}');
      await click(page, "Check");
      await region.getByRole("alert").waitFor();
      await region.scrollIntoViewIfNeeded();
    },
  },
  {
    name: "delivery",
    height: 900,
    caption: "A delivery with its attempts",
    route: "/$environment/webhooks/$webhookId/deliveries/$deliveryId",
    path: ({ webhooks }) => `sandbox/webhooks/${webhooks.failing}`,
    prepare: async (page, scene) => {
      await renamed(page, scene);
      await page.getByRole("table", { name: "Deliveries" }).getByRole("link").first().click();
      await page.getByRole("table", { name: "Attempts" }).waitFor();
    },
  },
  {
    name: "api-keys",
    height: 600,
    caption: "API keys",
    route: "/$environment/api-keys",
    path: () => "sandbox/api-keys",
  },
  {
    name: "api-key-new",
    caption: "A new API key",
    route: "/$environment/api-keys",
    path: () => "sandbox/api-keys",
    prepare: async (page) => {
      await click(page, "New API key");
      await page.getByRole("textbox", { name: "Name" }).fill("Reporting");
    },
  },
  {
    name: "api-key-delete",
    height: 600,
    caption: "Deleting an API key says what stops working",
    route: "/$environment/api-keys",
    path: () => "sandbox/api-keys",
    prepare: async (page) => {
      await click(page, "Delete ERP: nightly invoices");
      await page.getByRole("dialog").waitFor();
    },
  },
];
