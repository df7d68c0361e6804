import { randomUUID } from "node:crypto";
import {
  failReads,
  openPage,
  seriousProblems,
  startService,
  type Service,
  type ServicePerson,
} from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let rita: ServicePerson;
let bruno: ServicePerson;
let viewer: ServicePerson;

beforeAll(async () => {
  service = await startService();
  rita = await service.join("Rita Reviewer", { sandbox: ["reviewer"], live: ["reviewer"] });
  bruno = await service.join("Bruno Reviewer", { sandbox: ["reviewer"] });
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"] });
});

afterAll(async () => {
  await service.stop();
});

async function requested(procedureId: string, data: Parameters<Service["run"]>[1]): Promise<[string, string]> {
  const runId = await service.run(procedureId, data);
  const review = await service.engine.reviews.open({ environment: "sandbox", runId });
  return [runId, review?.reviewId ?? ""];
}

test("an empty queue says what brings a review, a viewer why they decide none", async () => {
  const page = await openPage(service, { person: rita });
  await page.goto("/dashboard/live/reviews");
  await page.getByRole("heading", { level: 1, name: "Pending Reviews" }).waitFor();
  await page.getByText("No reviews wait for you.").waitFor();
  await page.getByText(/^A review waits when/).waitFor();
  expect(await page.title()).toBe("Pending Reviews · Live · Procedo");

  const other = await openPage(service, { person: viewer });
  await other.goto("/dashboard/sandbox/reviews");
  await other.getByText("An owner can give you the role reviewer.").waitFor();
});

test("a review that another person decides stays in its place, struck through", async () => {
  const [runId] = await requested("vendor-payment", { payee: "First", amount: 900_100 });
  await requested("vendor-payment", { payee: "Second", amount: 900_200 });
  const page = await openPage(service, { person: rita });
  await page.goto("/dashboard/sandbox/reviews");
  const items = page.getByRole("list", { name: "Reviews" }).getByRole("listitem");
  await items.nth(1).waitFor();
  const by = { person: bruno.email, roles: ["reviewer"] };
  await service.engine.reviews.decide({
    environment: "sandbox",
    runId,
    approved: true,
    idempotencyKey: randomUUID(),
    by,
  });
  await items.nth(0).getByText("Approved by another reviewer").waitFor();
  expect(await items.nth(0).innerText()).toContain("Pay 9,001.00 EUR to First?");
  expect(await items.nth(1).innerText()).toContain("Pay 9,002.00 EUR to Second?");

  await page.getByRole("navigation", { name: "Reviews" }).getByRole("link", { name: "Decided" }).click();
  await page.getByRole("link", { name: "Pay 9,001.00 EUR to First?" }).waitFor();
  await page.getByRole("link", { name: "Mine" }).click();
  await page.getByRole("link", { name: "Pay 9,002.00 EUR to Second?" }).waitFor();
  expect(await page.getByRole("link", { name: "Pay 9,001.00 EUR to First?" }).count()).toBe(0);
});

test("a person who may not decide reads why, on the list and at the buttons", async () => {
  const [, reviewId] = await requested("vendor-payment", { payee: "Third", amount: 900_300 });
  const page = await openPage(service, { person: viewer });
  await page.goto(`/dashboard/sandbox/reviews/${reviewId}?show=open`);
  const approve = page.getByRole("button", { name: "Approve" });
  await approve.waitFor();
  expect(await approve.isDisabled()).toBe(true);
  const reason = await approve.getAttribute("aria-describedby");
  expect(await page.locator(`[id="${reason}"]`).innerText()).toContain("An owner can give you the role reviewer.");
  await page
    .getByRole("list", { name: "Reviews" })
    .getByText(/^Not yours: You may look at reviews in Sandbox, and not decide them\./)
    .first()
    .waitFor();
  await page.keyboard.press("a");
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("a link leads a person who is signed out to the review, after they have signed in", async () => {
  const [, reviewId] = await requested("vendor-payment", { payee: "Fourth", amount: 900_400 });
  const page = await openPage(service);
  await page.goto(`/dashboard/sandbox/reviews/${reviewId}`);
  await page.getByRole("textbox", { name: "E-mail" }).fill(rita.email);
  await page.getByLabel("Password").fill(rita.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Pay 9,004.00 EUR to Fourth?" }).waitFor();
});

test("a failed list and a failed review say their request, and are read again", async () => {
  const [, reviewId] = await requested("expense-check", { merchant: "Hotel", amount: 100 });
  const page = await openPage(service, { person: rita });
  const mend = await failReads(page, /\/api\/v1\/reviews\/rev_/, "req_review");
  await page.goto(`/dashboard/sandbox/reviews/${reviewId}`);
  const alert = page.getByRole("alert").filter({ hasText: "Request req_review" });
  await alert.waitFor();
  await mend();
  await alert.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("heading", { level: 1, name: "Which cost centre pays 1.00 EUR to Hotel?" }).waitFor();
  await page
    .getByRole("region", { name: "What will be sent" })
    .getByText("This decision itself sends nothing.")
    .waitFor();
});

test.each([
  ["light", 1280],
  ["dark", 390],
] as const)("the queue and a review have no serious problem of accessibility in %s at %i px", async (scheme, width) => {
  const [, reviewId] = await requested("transfer", { payee: "Fifth", amount: 900_500, invoice: "INV-5" });
  const page = await openPage(service, { person: rita, colorScheme: scheme, width });
  await page.goto("/dashboard/sandbox/reviews");
  await page.getByRole("list", { name: "Reviews" }).getByRole("listitem").first().waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.goto(`/dashboard/sandbox/reviews/${reviewId}`);
  await page.getByRole("region", { name: "Who decides" }).waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  const widths = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
  expect(widths).toEqual([width, width]);
});
