import { openPage, seriousProblems, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
});

afterAll(async () => {
  await service.stop();
});

const step = (page: Page) => page.getByRole("region", { name: "Step", exact: true });
const selected = (page: Page) => page.getByRole("treeitem", { selected: true });

/** The element that has the focus, by its label or else its text. */
const focused = (page: Page): Promise<unknown> =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent");

/** The value of a term of the page's header. */
async function factOf(page: Page, term: string): Promise<string> {
  const terms = await page.getByRole("term").allTextContents();
  const values = await page.getByRole("definition").allTextContents();
  return values[terms.indexOf(term)] ?? "";
}

describe("a run waits", () => {
  test("for a person links the review, and shows who approved exactly the call that was sent", async () => {
    const runId = await service.run("vendor-payment", { payee: "Initech", amount: 4_500_000 }, "live");
    const page = await openPage(service, { person: owner });
    await page.goto(`/dashboard/live/runs/${runId}`);
    const banner = page.getByRole("status", { name: "State of the run" });
    await banner.getByText("Pay 45,000.00 EUR to Initech?").waitFor();
    await banner.getByText(/Not yours to decide: /).waitFor();
    expect(await page.getByRole("link", { name: "Open review" }).getAttribute("href")).toContain("/live/reviews/rev_");
    await page.getByRole("treeitem", { name: /^Is the amount large/ }).click();

    // Steps that come leave the selection and the focus where they are.
    await approve(runId);
    await page.getByRole("treeitem", { name: /^done, Completed/ }).waitFor();
    expect(await selected(page).getAttribute("aria-label")).toMatch(/^Is the amount large/);
    expect(await focused(page)).toBe("Steps");
    expect(await factOf(page, "Status")).toBe("Completed");

    await page.getByRole("treeitem", { name: /^Pay the vendor/ }).click();
    await step(page).getByText("Approved by rita@acme.example").waitFor();
    await step(page)
      .getByText(/^Sent = approved/)
      .waitFor();
    const digests = await step(page)
      .getByRole("definition")
      .filter({ hasText: /^[\w-]{43}$/ })
      .allTextContents();
    expect(new Set(digests.slice(-2)).size).toBe(1);
  });

  test("for the next attempt says when and why, and is cancelled with a reason", async () => {
    const data = { lines: 2, isBusy: true };
    const by = { person: "ana@acme.example" };
    const { runId } = await service.engine.runs.start({ procedureId: "statement", environment: "sandbox", data, by });
    const page = await openPage(service, { person: owner });
    await page.goto(`/dashboard/sandbox/runs/${runId}`);
    const banner = page.getByRole("status", { name: "State of the run" });
    await banner.getByText("“Book the next line” will be tried again.").waitFor();
    await banner.getByText("The ledger is busy.").waitFor();
    await step(page).getByText("Attempt 1: Failed").waitFor();
    await page.getByRole("button", { name: "Cancel run" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel this run?" });
    await dialog.getByText("No call of this run has completed.").waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Booked by hand.");
    await dialog.getByRole("button", { name: "Cancel run" }).click();
    await banner.getByText("Booked by hand.").waitFor();
    expect(await factOf(page, "Status")).toBe("Failed");
  });

  test("for an answer says for how long, names the call before it is cancelled, and goes on unannounced", async () => {
    const data = { payee: "held", amount: 5 };
    const by = { person: "ana@acme.example" };
    const { runId } = await service.engine.runs.start({ procedureId: "vendor-payment", environment: "live", data, by });
    const page = await openPage(service, { person: owner });
    // As for a run at another node, of which nothing is announced.
    await page.route("**/api/v1/events**", (route) => route.fulfill({ contentType: "text/event-stream", body: "" }));
    await page.clock.install();
    await page.goto(`/dashboard/live/runs/${runId}`);
    await page.getByRole("treeitem", { name: /^Pay the vendor, Running/ }).waitFor();
    await page.clock.fastForward(120_000);
    await page.getByText("“Pay the vendor” is waiting for an answer.").waitFor();
    await page.getByRole("button", { name: "Cancel run Live" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel this run?" });
    const lists = dialog.getByRole("list");
    expect(await lists.allTextContents()).toEqual(["Pay the vendor", "Look up the payee"]);
    await dialog.getByRole("button", { name: "Keep the run" }).click();
    service.bank.release();
    await page.clock.resume();
    await page.getByRole("treeitem", { name: /^done, Completed/ }).waitFor();
    await page.getByRole("treeitem", { name: /^Pay the vendor, Completed/ }).click();
    await step(page).getByText("Attempt 1: Answered").waitFor();
  });

  test("for a person about an unknown outcome says so in its header, timeline and chart", async () => {
    const runId = await service.run("transfer", { payee: "Lost answer", amount: 5_000, invoice: "INV-9" });
    const page = await openPage(service, { person: owner, width: 390, height: 844, colorScheme: "dark" });
    await page.goto(`/dashboard/sandbox/runs/${runId}`);
    await page.getByRole("treeitem", { name: /^Send the transfer, Outcome unknown/ }).waitFor();
    expect([await factOf(page, "Status"), await factOf(page, "Reference")]).toEqual(["Outcome unknown", "INV-9"]);
    await step(page).getByText("Attempt 1: Outcome unknown").waitFor();
    await step(page)
      .getByText(/POST http.*no answer$/)
      .click();
    await step(page).getByText("No answer arrived.").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "Flowchart" }).click();
    await page.getByRole("group", { name: /^Tool Call: Send the transfer, outcome unknown, 1 visit$/ }).waitFor();
  });
});

/** Approves the open review of a live run as another person. */
async function approve(runId: string): Promise<void> {
  const { engine } = service;
  const { reviewDigest } = await openReview(runId);
  const by = { person: "rita@acme.example", permissions: ["review"], roles: ["reviewer"] } as const;
  const idempotencyKey = crypto.randomUUID();
  await engine.reviews.decide({ environment: "live", runId, approved: true, reviewDigest, idempotencyKey, by });
}

async function openReview(runId: string): Promise<{ readonly reviewDigest: string }> {
  const review = await service.engine.reviews.open({ environment: "live", runId });
  if (review === undefined) throw new Error("The run waits for no review.");
  return { reviewDigest: review.digest };
}
