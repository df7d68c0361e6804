import type { Page } from "playwright-core";
import type { ServicePerson } from "../src/service.ts";
import { connectionStates } from "./connection-states.ts";
import { editorStates } from "./editor-states.ts";
import { programStates } from "./program-states.ts";
import type { Scene } from "./seed.ts";
import { click, phone, renamed, type State } from "./state.ts";
import { triggerStates } from "./trigger-states.ts";

const asReviewer = { person: ({ reviewer }: Scene): ServicePerson => reviewer };
/** Lets a read of the API fail from now on. */
const failing = async (page: Page, path: string): Promise<void> => {
  const body = { error: "The service could not answer.", code: "internal", requestId: "req_8Zk2Vt1QfXhR_7" };
  await page.route(`**${path}`, (route) => route.fulfill({ status: 500, json: body }));
};

export const states: readonly State[] = [
  { name: "sign-in", caption: "Sign in", route: "/sign-in", path: () => "sign-in", person: null },
  {
    name: "sign-in-refused",
    caption: "A wrong password",
    route: "/sign-in",
    path: () => "sign-in",
    person: null,
    prepare: async (page, { owner }) => {
      await page.getByRole("textbox", { name: "E-mail" }).fill(owner.email);
      await page.getByLabel("Password", { exact: true }).fill("a wrong password");
      await click(page, "Sign in");
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "setup-used",
    caption: "A setup link that was used before",
    route: "/setup",
    path: () => "setup",
    person: null,
  },
  {
    name: "invitation",
    caption: "Join by an invitation",
    route: "/invitation",
    path: ({ invitation }) => `invitation#${invitation}`,
    person: null,
    prepare: (page) => page.getByRole("textbox", { name: "Your name" }).waitFor(),
  },
  {
    name: "home",
    caption: "Home of a reviewer",
    route: "/$environment",
    path: () => "sandbox",
    ...asReviewer,
    prepare: renamed,
  },
  { name: "home-live", caption: "Home in live", route: "/$environment", path: () => "live" },
  {
    name: "home-phone",
    caption: "Home on a phone",
    route: "/$environment",
    path: () => "sandbox",
    ...asReviewer,
    ...phone,
    prepare: renamed,
  },
  { name: "runs", caption: "Runs", route: "/$environment/runs", path: () => "sandbox/runs", height: 600 },
  {
    name: "runs-filtered",
    caption: "No runs fit the filters",
    route: "/$environment/runs",
    path: () => "sandbox/runs?q=INV-1999-0001",
  },
  {
    name: "runs-failed",
    caption: "The runs could not be read",
    route: "/$environment/runs",
    path: () => "sandbox/runs",
    prepare: async (page) => {
      await failing(page, "/api/v1/runs?*");
      await page.reload();
      await page.getByRole("button", { name: "Retry" }).first().waitFor();
    },
  },
  { name: "runs-phone", caption: "Runs on a phone", route: "/$environment/runs", path: () => "sandbox/runs", ...phone },
  {
    name: "start-run",
    caption: "Start a run",
    route: "/$environment/runs/new",
    path: () => "sandbox/runs/new?procedure=vendor-payment",
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "Payee" }).fill("Acme Industrial GmbH");
      await page.getByRole("textbox", { name: "Amount" }).fill("4500000");
    },
  },
  {
    name: "start-run-refused",
    caption: "An input that has to be corrected",
    route: "/$environment/runs/new",
    path: () => "sandbox/runs/new?procedure=vendor-payment",
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "Amount" }).fill("45.000,00");
      await click(page, /^Start run/);
    },
  },
  {
    name: "run",
    caption: "A run, and one of its steps",
    route: "/$environment/runs/$runId",
    path: ({ completedRun }) => `sandbox/runs/${completedRun}?step=pay.1`,
    prepare: (page) => page.getByRole("region", { name: "Step" }).waitFor(),
  },
  {
    name: "run-waiting",
    caption: "A run that waits for a review",
    route: "/$environment/runs/$runId",
    path: ({ waitingRun }) => `sandbox/runs/${waitingRun}`,
  },
  {
    name: "run-failed",
    caption: "A run that failed",
    route: "/$environment/runs/$runId",
    path: ({ failedRun }) => `sandbox/runs/${failedRun}?step=approve.1`,
  },
  {
    name: "run-agent",
    caption: "The words of an agent",
    route: "/$environment/runs/$runId",
    path: ({ agentRun }) => `sandbox/runs/${agentRun}?step=pay.1`,
    prepare: async (page) => {
      await page.getByRole("region", { name: "Step" }).getByText("which I propose to pay").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "run-phone",
    caption: "A run on a phone",
    route: "/$environment/runs/$runId",
    path: ({ completedRun }) => `sandbox/runs/${completedRun}`,
    ...phone,
  },
  {
    name: "run-flowchart",
    caption: "The path that a run took",
    route: "/$environment/runs/$runId/flowchart",
    path: ({ completedRun }) => `sandbox/runs/${completedRun}/flowchart`,
  },
  {
    name: "run-data",
    caption: "Input and output of a run",
    route: "/$environment/runs/$runId/data",
    path: ({ completedRun }) => `sandbox/runs/${completedRun}/data`,
  },
  {
    name: "run-deliveries",
    caption: "Webhook deliveries of a run",
    route: "/$environment/runs/$runId/deliveries",
    path: ({ completedRun }) => `sandbox/runs/${completedRun}/deliveries`,
  },
  {
    name: "run-record",
    caption: "A record that was verified in the browser",
    route: "/$environment/runs/$runId/record",
    path: ({ completedRun }) => `sandbox/runs/${completedRun}/record`,
    prepare: async (page) => {
      await click(page, "Verify in this browser");
      await page.getByText(/^Verified: \d+ rows$/).waitFor();
    },
  },
  {
    name: "reviews-none",
    caption: "No review to decide",
    route: "/$environment/reviews",
    path: () => "live/reviews?show=decided",
    ...asReviewer,
  },
  {
    name: "review",
    caption: "A review",
    route: "/$environment/reviews/$reviewId",
    path: ({ review }) => `sandbox/reviews/${review}`,
    ...asReviewer,
    prepare: (page) => page.getByRole("button", { name: /^Approve/ }).waitFor(),
  },
  {
    name: "review-live",
    caption: "Approving in live asks once more",
    route: "/$environment/reviews/$reviewId",
    path: ({ liveReview }) => `live/reviews/${liveReview}`,
    ...asReviewer,
    prepare: async (page) => {
      await click(page, /^Approve/);
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "review-reject",
    caption: "Rejecting needs a reason",
    route: "/$environment/reviews/$reviewId",
    path: ({ review }) => `sandbox/reviews/${review}`,
    ...asReviewer,
    prepare: async (page) => {
      await click(page, /^Reject/);
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "review-unknown",
    caption: "A payment whose outcome is unknown",
    route: "/$environment/reviews/$reviewId",
    path: ({ unknownReview }) => `sandbox/reviews/${unknownReview}`,
    ...asReviewer,
    prepare: (page) => page.getByRole("button", { name: /^It happened/ }).waitFor(),
  },
  {
    name: "review-not-mine",
    caption: "A review that another person decides",
    route: "/$environment/reviews/$reviewId",
    path: ({ review }) => `sandbox/reviews/${review}`,
    prepare: (page) => page.getByRole("button", { name: /^Approve/ }).waitFor(),
  },
  {
    name: "review-phone",
    caption: "A review on a phone",
    route: "/$environment/reviews/$reviewId",
    path: ({ review }) => `sandbox/reviews/${review}`,
    ...asReviewer,
    ...phone,
    prepare: (page) => page.getByRole("button", { name: /^Approve/ }).waitFor(),
  },
  { name: "procedures", caption: "Procedures", route: "/$environment/procedures", path: () => "sandbox/procedures" },
  {
    name: "procedure",
    caption: "A procedure",
    route: "/$environment/procedures/$procedureId",
    path: () => "sandbox/procedures/vendor-payment",
  },
  {
    name: "version",
    caption: "A version of a procedure",
    route: "/$environment/procedures/$procedureId/versions/$version",
    path: () => "sandbox/procedures/vendor-payment/versions/3",
  },
  {
    name: "compare",
    caption: "Two versions compared",
    route: "/$environment/procedures/$procedureId/compare",
    path: () => "sandbox/procedures/vendor-payment/compare?from=2&to=3",
  },
  {
    name: "promote",
    caption: "Promote a version to live",
    route: "/$environment/procedures/$procedureId",
    path: () => "sandbox/procedures/vendor-payment",
    prepare: async (page) => {
      await click(page, /^Promote to live/);
      await page.getByRole("dialog").waitFor();
    },
  },
  ...connectionStates,
  ...editorStates,
  ...programStates,
  ...triggerStates,
  { name: "people", caption: "People", route: "/people", path: () => "people" },
  {
    name: "invite",
    caption: "Invite a person",
    route: "/people",
    path: () => "people",
    prepare: async (page) => {
      await click(page, "Invite");
      await page.getByRole("textbox", { name: "E-mail" }).fill("fatima.haddad@acme.example");
    },
  },
  { name: "audit", height: 700, caption: "Audit", route: "/audit", path: () => "audit" },
  { name: "settings", caption: "Settings", route: "/settings", path: () => "settings" },
  { name: "account", caption: "Your account", route: "/account", path: () => "account" },
  {
    name: "search",
    caption: "Search, by Ctrl+K",
    route: "/$environment/procedures",
    path: () => "sandbox/procedures",
    prepare: async (page) => {
      await click(page, "Search");
      await page.getByRole("combobox", { name: "Search" }).fill("INV-2026");
    },
  },
  {
    name: "shortcuts",
    height: 600,
    caption: "Keyboard shortcuts",
    route: "/$environment/runs",
    path: () => "sandbox/runs",
    prepare: async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "not-found", caption: "An unknown address", route: "/", path: () => "sandbox/invoices" },
];
