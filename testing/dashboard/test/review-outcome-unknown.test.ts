import { openPage, seriousProblems, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import type { Environment } from "@procedo/contract";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let reviewer: ServicePerson;

beforeAll(async () => {
  service = await startService();
  reviewer = await service.join("Rita Reviewer", { sandbox: ["reviewer"], live: ["reviewer"] });
});

afterAll(async () => {
  await service.stop();
});

/** Opens the review of a transfer whose answer was lost. */
async function openUnknown(payee: string, amount: number, environment: Environment = "sandbox") {
  const runId = await service.run("transfer", { payee, amount }, environment);
  const review = await service.engine.reviews.open({ environment, runId });
  const page = await openPage(service, { person: reviewer });
  await page.goto(`/dashboard/${environment}/reviews/${review?.reviewId}`);
  const sent = page.getByRole("region", { name: "What will be sent" });
  await sent.getByRole("heading", { name: "What was sent" }).waitFor();
  await sent.getByText(String(amount), { exact: true }).waitFor();
  const stateOf = async () => await service.engine.runs.get({ environment, runId });
  return { page, sent, stateOf, booked: () => service.clearing.book.filter((booked) => booked.amount === amount) };
}

test("a call that happened continues the run with its result, and is not sent again", async () => {
  const { page, sent, stateOf, booked } = await openUnknown("Lost answer", 301);
  await page.getByRole("heading", { level: 1, name: "Outcome unknown: Send the transfer" }).waitFor();
  await sent.getByText(booked()[0]?.key ?? "").waitFor();
  await sent.getByText(/^first sent .* ago/).waitFor();
  await page.getByRole("button", { name: "It happened" }).click();
  const decision = page.getByRole("group", { name: "Decision" });
  const transferId = decision.getByRole("textbox", { name: "transferId" });
  await expect.poll(() => transferId.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await transferId.fill("T-1");
  await decision.getByRole("textbox", { name: "state" }).fill("booked");
  await page.getByRole("button", { name: "It happened" }).click();
  await page.getByRole("status", { name: "Decision recorded" }).waitFor();
  await expect.poll(async () => (await stateOf()).status).toBe("completed");
  expect(booked()).toHaveLength(1);
});

test("a call that is sent again has the same key, and the clearing house books it once", async () => {
  const { page, stateOf, booked } = await openUnknown("Lost answer", 302);
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByRole("status", { name: "Decision recorded" }).waitFor();
  await expect.poll(async () => (await stateOf()).status).toBe("completed");
  expect(booked()).toHaveLength(1);
});

test("a call that did not happen fails the run with the reason, and is not sent", async () => {
  const { page, stateOf, booked } = await openUnknown("Lost request", 303);
  await page.getByRole("button", { name: "It did not happen" }).click();
  const dialog = page.getByRole("dialog", { name: "It did not happen" });
  await dialog.getByRole("textbox", { name: "Reason" }).fill("The bank has no such transfer.");
  await dialog.getByRole("button", { name: "It did not happen" }).click();
  await page.getByRole("status", { name: "Decision recorded" }).waitFor();
  await expect.poll(async () => (await stateOf()).status).toBe("failed");
  expect((await stateOf()).error).toContain("The bank has no such transfer.");
  expect(booked()).toEqual([]);
});

test("live asks once more before a call is sent again", async () => {
  const { page, stateOf, booked } = await openUnknown("Lost request", 304, "live");
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Send again Live" }).click();
  const dialog = page.getByRole("dialog", { name: "Send again in live?" });
  await dialog.getByText("304", { exact: true }).waitFor();
  expect(booked()).toEqual([]);
  await dialog.getByRole("button", { name: "Send again Live" }).click();
  await page.getByRole("status", { name: "Decision recorded" }).waitFor();
  await expect.poll(async () => (await stateOf()).status).toBe("completed");
  expect(booked()).toHaveLength(1);
});
