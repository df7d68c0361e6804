import { openPage, startService, type Service, type ServicePerson, type WatchedPage } from "@procedo-testing/dashboard";
import type { Environment } from "@procedo/contract";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let rita: ServicePerson;
let bruno: ServicePerson;

beforeAll(async () => {
  service = await startService();
  rita = await service.join("Rita Reviewer", { sandbox: ["reviewer"], live: ["reviewer"] });
  bruno = await service.join("Bruno Reviewer", { sandbox: ["reviewer"], live: ["reviewer"] });
});

afterAll(async () => {
  await service.stop();
});

type Data = Parameters<Service["run"]>[1];

async function requested(procedureId: string, data: Data, environment: Environment = "sandbox") {
  const runId = await service.run(procedureId, data, environment);
  const review = await service.engine.reviews.open({ environment, runId });
  const path = `/dashboard/${environment}/reviews/${review?.reviewId}`;
  return {
    path,
    run: async () => await service.engine.runs.get({ environment, runId }),
    review: async () => await service.engine.reviews.get({ environment, reviewId: review?.reviewId ?? "" }),
  };
}

async function openReview(path: string, person: ServicePerson, width?: number): Promise<WatchedPage> {
  const page = await openPage(service, { person, ...(width !== undefined && { width, height: 844 }) });
  await page.goto(path);
  await page.getByRole("group", { name: "Decision" }).getByRole("button").first().waitFor();
  return page;
}

const recorded = (page: WatchedPage) => page.getByRole("status", { name: "Decision recorded" });
const paid = (payee: string): number => service.bank.payments.filter((payment) => payment.payee === payee).length;

test("by keyboard alone: the next review opens after a decision, and a second press or a held key does not decide it", async () => {
  const first = await requested("vendor-payment", { payee: "Key one", amount: 700_100 });
  const second = await requested("vendor-payment", { payee: "Key two", amount: 700_200 });
  const page = await openPage(service, { person: rita });
  await page.goto("/dashboard/sandbox/reviews");
  await page.getByRole("link", { name: /to Key two\?$/ }).waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { level: 1, name: "Pay 7,001.00 EUR to Key one?" }).waitFor();
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await page.keyboard.down("a");
  await recorded(page).getByText("The next review is open.").waitFor();
  await page.keyboard.down("a");
  const heading = page.getByRole("heading", { level: 1, name: "Pay 7,002.00 EUR to Key two?" });
  await heading.waitFor();
  await expect.poll(() => heading.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await expect.poll(() => paid("Key one")).toBe(1);
  expect((await second.run()).status).toBe("awaiting_review");
  expect((await first.run()).status).toBe("completed");

  await expect.poll(() => page.getByRole("button", { name: "Reject" }).isEnabled()).toBe(true);
  await page.keyboard.down("a");
  await page.keyboard.up("a");
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog", { name: "Reject" });
  expect(await dialog.getByRole("button", { name: "Reject" }).isDisabled()).toBe(true);
  await page.keyboard.type("Paid in October.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await recorded(page).getByText("No other review waits for you.").waitFor();
  await expect.poll(async () => (await second.run()).error).toContain("Paid in October.");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1, name: "Pending Reviews" }).waitFor();
});

test("of two reviewers who decide in the same moment one is recorded, and the other is told", async () => {
  const { path } = await requested("vendor-payment", { payee: "Race", amount: 700_300 }, "live");
  const pages = [await openReview(path, rita), await openReview(path, bruno)] as const;
  const confirms = pages.map((page) =>
    page.getByRole("dialog", { name: "Approve in live?" }).getByRole("button", { name: /^Approve/ }),
  );
  for (const [index, page] of pages.entries()) {
    await page.getByRole("button", { name: "Approve Live" }).click();
    const dialog = page.getByRole("dialog", { name: "Approve in live?" });
    await dialog.getByText("Pay 7,003.00 EUR to Race?").waitFor();
    await dialog.getByText("700300", { exact: true }).waitFor();
    expect(await confirms[index]?.isVisible()).toBe(true);
  }
  await Promise.all(confirms.map((confirm) => confirm.click()));
  const isTold = async (page: WatchedPage): Promise<string> => {
    const told = page.getByRole("alert").filter({ hasText: "Already decided" });
    await recorded(page).or(told).first().waitFor();
    return (await recorded(page).isVisible()) ? "recorded" : "told";
  };
  expect((await Promise.all(pages.map(isTold))).toSorted()).toEqual(["recorded", "told"]);
  await expect.poll(() => paid("Race")).toBe(1);
});

test("two people have to approve a large transfer, whose receiver and digits are shown", async () => {
  const { path } = await requested("transfer", { payee: "Quorum", amount: 123_456_789 });
  const page = await openReview(path, rita);
  const sent = page.getByRole("region", { name: "What will be sent" });
  await sent.getByText("123456789", { exact: true }).waitFor();
  await sent.getByText(new URL(service.clearing.documentUrl).origin).waitFor();
  const who = page.getByRole("region", { name: "Who decides" });
  await who.getByText(/0 of 2 approvals/).waitFor();
  const other = await openReview(path, bruno);
  await page.getByRole("button", { name: "Approve" }).click();
  await recorded(page).waitFor();
  await page.getByText("You have already decided on this review.").waitFor();
  expect(await page.getByRole("button", { name: "Approve" }).isDisabled()).toBe(true);
  await other
    .getByRole("region", { name: "Who decides" })
    .getByText(/1 of 2 approvals/)
    .waitFor();
  await other.getByRole("region", { name: "Who decides" }).getByText(rita.email).waitFor();
  expect(service.clearing.book).toEqual([]);
  await other.getByRole("button", { name: "Approve" }).click();
  await recorded(other).waitFor();
  await expect.poll(() => service.clearing.book.map(({ amount }) => amount)).toEqual([123_456_789]);
});

test("a stale page decides nothing, shows both versions, and decides the present one anew", async () => {
  const { path, run } = await requested("vendor-payment", { payee: "Stale", amount: 700_400 });
  const page = await openPage(service, { person: rita });
  let isOlder = true;
  await page.route("**/api/runner-proxy/review/*", async (route) => {
    isOlder = false;
    await route.continue();
  });
  await page.route(/\/api\/v1\/reviews\/rev_/, async (route) => {
    const answer = await route.fetch();
    const review = (await answer.json()) as Record<string, unknown>;
    const older = { ...review, digest: "older", title: "Pay 1.00 EUR to Stale?" };
    await route.fulfill({ response: answer, json: isOlder ? older : review });
  });
  await page.goto(path);
  await page.getByRole("heading", { level: 1, name: "Pay 1.00 EUR to Stale?" }).waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("alert").getByText("This changed while you were reading.").waitFor();
  await page.getByRole("region", { name: "As you read it" }).getByText("Pay 1.00 EUR to Stale?").waitFor();
  await page.getByRole("region", { name: "As it is now" }).getByText("Pay 7,004.00 EUR to Stale?").waitFor();
  for (const name of ["What will be sent", "What was shown", "Who decides"]) {
    await page.getByRole("region", { name, exact: true }).waitFor();
  }
  expect(await page.getByRole("button", { name: "Approve" }).isDisabled()).toBe(true);
  expect((await run()).status).toBe("awaiting_review");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.getByRole("button", { name: "Read the present version" }).click();
  await page.getByRole("heading", { level: 1, name: "Pay 7,004.00 EUR to Stale?" }).waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await recorded(page).waitFor();
  await expect.poll(() => paid("Stale")).toBe(1);
});

test("a decision whose answer is lost keeps its entries, and counts once when it is pressed again", async () => {
  const { path, run, review } = await requested("expense-check", { merchant: "Hotel", amount: 41_250 });
  const page = await openReview(path, rita);
  const decision = page.getByRole("group", { name: "Decision" });
  await decision.getByRole("button", { name: "Approve" }).click();
  await decision
    .getByText(/is required\.$/)
    .first()
    .waitFor();
  await decision.getByRole("combobox", { name: "Cost centre" }).selectOption("travel");
  await decision.getByRole("textbox", { name: "Tax" }).fill("2700");
  const keys: string[] = [];
  await page.route("**/api/runner-proxy/review/*", async (route) => {
    keys.push((route.request().postDataJSON() as { idempotencyKey: string }).idempotencyKey);
    if (keys.length > 1) return await route.continue();
    await route.fetch();
    await route.abort();
  });
  // Nor can the page read that the review is decided.
  await page.route(/\/api\/v1\/reviews/, (route) => route.abort());
  await decision.getByRole("button", { name: "Approve" }).click();
  await expect.poll(async () => (await run()).status).toBe("completed");
  await decision.getByText(/it counts once/).waitFor();
  expect(await decision.getByRole("combobox", { name: "Cost centre" }).inputValue()).toBe("travel");
  expect(await decision.getByRole("textbox", { name: "Tax" }).inputValue()).toBe("2700");
  await decision.getByRole("button", { name: "Approve" }).click();
  await recorded(page).waitFor();
  expect(keys).toEqual([keys[0], keys[0]]);
  expect((await run()).output).toEqual({ costCentre: "travel", tax: 2700 });
  expect((await review()).decisions).toHaveLength(1);
});

test("a call whose approval was answered too late is sent once, although the approval is pressed again", async () => {
  const { path } = await requested("vendor-payment", { payee: "Lost", amount: 700_700 });
  const page = await openReview(path, rita);
  let attempts = 0;
  await page.route("**/api/runner-proxy/review/*", async (route) => {
    attempts++;
    if (attempts > 1) return await route.continue();
    await route.fetch();
    await route.fulfill({ status: 504, body: "Gateway Timeout" });
  });
  await page.route(/\/api\/v1\/reviews/, (route) => route.abort());
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText(/it counts once/).waitFor();
  await expect.poll(() => paid("Lost")).toBe(1);
  await page.getByRole("button", { name: "Approve" }).click();
  await recorded(page).waitFor();
  expect(attempts).toBe(2);
  expect(paid("Lost")).toBe(1);
});

test("without a network nothing is lost, and the same button decides later", async () => {
  const { path, run } = await requested("vendor-payment", { payee: "Offline", amount: 700_500 });
  const page = await openReview(path, rita);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Reject" }).click();
  const dialog = page.getByRole("dialog", { name: "Reject" });
  await dialog.getByRole("textbox", { name: "Reason" }).fill("No such invoice.");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await page.getByRole("alert").getByText("No answer came from the service.").waitFor();
  await page.context().setOffline(false);
  expect((await run()).status).toBe("awaiting_review");
  await page.getByRole("button", { name: "Reject" }).click();
  expect(await dialog.getByRole("textbox", { name: "Reason" }).inputValue()).toBe("No such invoice.");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await recorded(page).waitFor();
  await expect.poll(async () => (await run()).error).toContain("No such invoice.");
});

test("on a phone a review is opened, read to its end and approved by tapping", async () => {
  await requested("vendor-payment", { payee: "Phone", amount: 700_600 });
  const page = await openPage(service, { person: bruno, width: 390, height: 844 });
  await page.goto("/dashboard/sandbox/reviews");
  await page.getByRole("link", { name: /to Phone\?$/ }).click();
  const approve = page.getByRole("button", { name: "Approve" });
  await approve.waitFor();
  expect(await page.getByRole("list", { name: "Reviews" }).isVisible()).toBe(false);
  const digest = page.getByRole("region", { name: "Who decides" }).getByRole("button", { name: "Copy digest" });
  await page.keyboard.press("End");
  const gap = async (): Promise<number> => {
    const [last, bar] = [await digest.boundingBox(), await approve.boundingBox()];
    return (bar?.y ?? 0) - (last?.y ?? 0) - (last?.height ?? 0);
  };
  await expect.poll(gap).toBeGreaterThanOrEqual(0);
  await approve.click();
  await recorded(page).waitFor();
  await expect.poll(() => paid("Phone")).toBe(1);
});
