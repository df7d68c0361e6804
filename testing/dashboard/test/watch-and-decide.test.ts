import {
  openPage,
  startService,
  type PageOptions,
  type Service,
  type ServicePerson,
  type WatchedPage,
} from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;
let reviewer: ServicePerson;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  reviewer = await service.join("Rita Reviewer", { sandbox: ["reviewer"], live: ["reviewer"] });
});

afterAll(async () => {
  await service.stop();
});

const open = (options?: PageOptions): Promise<WatchedPage> => openPage(service, options);

test("a person signs in at a link, and returns to it", async () => {
  const page = await open();
  await page.goto("/dashboard/sandbox/runs?status=failed");
  await page.getByRole("textbox", { name: "E-mail" }).fill(owner.email);
  await page.getByLabel("Password").fill("a wrong password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("E-mail or password is wrong.").waitFor();
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
  expect(new URL(page.url()).search).toContain("failed");
  expect(await page.title()).toBe("Runs · Sandbox · Procedo");
});

test("a run is started from the form, waits, is approved by another person, and pays once", async () => {
  const page = await open({ person: owner });
  await page.goto("/dashboard/live/runs/new?procedure=vendor-payment");
  await page.getByRole("textbox", { name: "Payee" }).fill("Acme GmbH");
  await page.getByRole("textbox", { name: "Amount" }).fill("4500000");
  await page.getByRole("button", { name: /^Start run/ }).click();
  await page.getByText("Pay 45,000.00 EUR to Acme GmbH?").first().waitFor();
  await page.getByRole("link", { name: "Open review" }).first().click();
  const approve = page.getByRole("button", { name: /^Approve/ });
  expect(await approve.isDisabled()).toBe(true);

  const other = await open({ person: reviewer });
  await other.goto("/dashboard/live/reviews");
  await other.getByRole("list", { name: "Reviews" }).getByRole("link").first().waitFor();
  await other.keyboard.press("j");
  await other.getByRole("region", { name: "What will be sent" }).getByText("4500000").waitFor();
  await other.keyboard.press("a");
  await other
    .getByRole("dialog", { name: "Approve in live?" })
    .getByRole("button", { name: /^Approve/ })
    .click();
  await other.getByRole("status").getByText("Decision recorded").waitFor();
  await page.getByRole("alert").getByText("Already decided").waitFor();
  await expect.poll(() => service.bank.payments).toEqual([{ payee: "Acme GmbH", amount: 4_500_000 }]);
});

test("the record of a run is verified in the browser", async () => {
  const runId = await service.run("vendor-payment", { payee: "Globex", amount: 100 });
  const page = await open({ person: owner });
  await page.goto(`/dashboard/sandbox/runs/${runId}`);
  await page.getByRole("treeitem", { name: /^Pay the vendor, Completed/ }).click();
  await page
    .getByRole("region", { name: "Step" })
    .getByText(/"receipt-\d/)
    .waitFor();
  await page.getByRole("link", { name: "Record" }).click();
  await page.getByRole("button", { name: "Verify in this browser" }).click();
  await page.getByText(/^Verified: \d+ rows$/).waitFor();
});
