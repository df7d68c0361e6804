import { openPage, seriousProblems, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let viewer: ServicePerson;

beforeAll(async () => {
  service = await startService();
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"] });
});

afterAll(async () => {
  await service.stop();
});

const input = (amount: string) => ({ payee: "Acme", number: "INV-7", text: `Please pay EUR ${amount} by Friday.` });

test.each([
  ["light", 1280],
  ["dark", 390],
] as const)("the conversation of an agent is read in %s at %d pixels", async (colorScheme, width) => {
  const runId = await service.run("invoice", input("125.00"));
  const page = await openPage(service, { person: viewer, colorScheme, width });
  await page.goto(`/dashboard/sandbox/runs/${runId}?step=pay.1`);
  const step = page.getByRole("region", { name: "Step", exact: true });
  await step.getByRole("heading", { name: "Agent" }).waitFor();
  await step.getByText("2 turns · 1714 tokens").waitFor();
  await step.getByText("The proposal did not fit. The model was asked to correct it.").waitFor();
  await step.getByText("The proposed call was accepted and made.").waitFor();

  // The model's words are marked as its own, and the rules of the service are there but closed.
  const words = step.getByRole("figure", { name: "Model's words" });
  expect(await words.count()).toBe(2);
  await words.first().getByText("The invoice asks for EUR 125.00, which I propose to pay.").waitFor();
  const rules = step.getByText("You carry out one step of a business procedure.");
  expect(await rules.isVisible()).toBe(false);
  await step.getByText("Rules and instructions").click();
  await rules.waitFor();

  // What was proposed first, the refusal that the model was given, and the call that was made.
  const values = step.getByRole("group", { name: "Arguments" });
  expect(await values.first().textContent()).toContain('"125.00 EUR"');
  expect(await values.last().textContent()).toContain("12500");
  await step.getByText("Refused: pay").waitFor();
  // Values that were just shown become focusable once their width is known.
  await expect.poll(() => seriousProblems(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
});

test("a proposal above the limit waits for a person, and the timeline says so", async () => {
  const runId = await service.run("invoice", input("12500.00"));
  const page = await openPage(service, { person: viewer });
  await page.goto(`/dashboard/sandbox/runs/${runId}`);
  await page.getByRole("treeitem", { name: /^Pay the invoice, Waiting for review/, selected: true }).waitFor();
  const step = page.getByRole("region", { name: "Step", exact: true });
  await step.getByText("A person was asked to decide about the proposal.").waitFor();
  await step.getByText("No one has decided yet.").waitFor();
  expect(await step.getByRole("heading", { name: "Attempts" }).count()).toBe(0);
  await page.goto(`/dashboard/sandbox/runs/${runId}/record`);
  await page.getByRole("button", { name: "Verify in this browser" }).click();
  await page.getByRole("status", { name: "Verdict" }).getByText("Verified: ").waitFor();
});
