import { createHmac } from "node:crypto";
import {
  ledgerSecret,
  openApi,
  openPage,
  seriousProblems,
  startService,
  surplusWidth,
  type ApiCall,
  type Service,
  type ServicePerson,
} from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;
let call: ApiCall;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  call = await openApi(service, owner);
  const secrets = { signingSecret: ledgerSecret };
  const connection = { name: "ledger", integration: "ledger", environment: "sandbox", secrets };
  await call("POST", "connections?environment=sandbox", connection);
});

afterAll(async () => {
  await service.stop();
});

/** Sends a signed request of the shop, and returns the status of the answer. */
async function send(address: string, secret: string, body: string): Promise<number> {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return (await fetch(address, { method: "POST", body, headers: { "X-Shop-Signature": signature } })).status;
}

test("a webhook is created with a tested mapping, and its address and secret reach the other service", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/triggers/new?kind=webhook&procedure=vendor-payment");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Bills of the shop");
  await page.getByRole("textbox", { name: "Header with the signature" }).fill("X-Shop-Signature");
  await page.getByRole("textbox", { name: "Condition" }).fill('event.type == "bill.approved"');
  await page.getByRole("combobox", { name: "Payee" }).fill("{{ event.vendor }}");
  await page.getByRole("combobox", { name: "Amount" }).fill("{{ event.cents }}");
  const event = page.getByRole("textbox", { name: "Event", exact: true });
  const tested = page.getByRole("status", { name: "Result of the test" });
  const runTest = page.getByRole("button", { name: "Test", exact: true });
  await event.fill('{ "type": "bill.approved", "vendor": "Acme GmbH", "cents": "many" }');
  await runTest.click();
  await tested.getByText("The input amount must be an integer.").waitFor();
  await event.fill('{ "type": "bill.created" }');
  await runTest.click();
  await tested.getByText("The condition is not met: no run would start.").waitFor();
  await event.fill('{ "type": "bill.approved", "vendor": "Acme GmbH", "cents": 12500 }');
  await runTest.click();
  await tested.getByText("A run would start with this input:").waitFor();
  await tested.getByText("12500").waitFor();
  expect(await seriousProblems(page)).toEqual([]);

  await page.getByRole("button", { name: "Create trigger" }).click();
  const shown = page.getByRole("region", { name: "Shown once" });
  const secret = await shown.getByRole("textbox", { name: "Signing secret" }).inputValue();
  const address = (await page.getByText(/\/in\/v1\/in_sandbox_\w+$/).textContent()) ?? "";
  await page.getByRole("link", { name: "Open the trigger" }).click();
  await page.getByRole("dialog", { name: "Leave without storing it?" }).getByRole("button", { name: "Stay" }).click();
  await shown.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("link", { name: "Open the trigger" }).click();
  await page.getByRole("heading", { level: 1, name: "Bills of the shop" }).waitFor();
  expect(await page.getByText(secret).count()).toBe(0);

  const bill = '{"type":"bill.approved","vendor":"Acme GmbH","cents":12500}';
  expect(await send(address, secret, bill)).toBe(200);
  expect(await send(address, secret, bill)).toBe(200);
  expect(await send(address, secret, '{"type":"bill.created"}')).toBe(200);
  expect(await send(address, secret, '{"type":"bill.approved","vendor":"Acme GmbH","cents":"many"}')).toBe(200);
  expect(await send(address, "another secret", bill)).toBe(401);
  const firings = page.getByRole("table", { name: "Firings" });
  await firings.getByText("The condition was not met.").last().waitFor();
  await firings.getByText("Arrived 1 more time").waitFor();
  await firings.getByText("The procedure does not accept the input.").last().waitFor();
  await page.getByRole("alert").getByText("The newest firing or its run failed.").waitFor();
  expect(await seriousProblems(page)).toEqual([]);

  // The firing names the fault of the event, and is fired again.
  await page.getByRole("combobox", { name: "Firings that are" }).selectOption("Failed");
  await expect.poll(() => firings.getByRole("row").count()).toBe(2);
  await firings.getByRole("row").nth(1).getByRole("link").first().click();
  await page.getByRole("alert").getByText("The input amount must be an integer.").waitFor();
  await page.getByRole("group", { name: "Event", exact: true }).getByText('"many"').waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Fire again" }).click();
  await page.getByRole("link", { name: "Open the new firing" }).click();
  await page.getByText("an earlier firing").waitFor();
  await page.getByRole("link", { name: "Bills of the shop" }).click();

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Rotate secret" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
  const next = await shown.getByRole("textbox", { name: "Signing secret" }).inputValue();
  expect(next).not.toBe(secret);
  await page.getByText("The former one is accepted until").waitFor();
  await shown.getByRole("button", { name: "I have stored it" }).click();
  await shown.waitFor({ state: "detached" });

  // Home leads to it.
  await page.getByRole("link", { name: "Home" }).click();
  const attention = page.getByRole("region", { name: "Needs attention" }).getByRole("listitem");
  await attention.filter({ hasText: "Trigger failing" }).getByRole("link", { name: "Bills of the shop" }).click();
  await page.getByRole("heading", { level: 1, name: "Bills of the shop" }).waitFor();
});

test("events of a connection are chosen by their titles, and their sample fills the test, at 360 pixels", async () => {
  const page = await openPage(service, { person: owner, width: 360, colorScheme: "dark" });
  await page.goto("/dashboard/sandbox/triggers/new?kind=integration&procedure=vendor-payment");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Pay invoices as they arrive");
  await page.getByRole("combobox", { name: "Connection" }).selectOption("ledger");
  await page.getByRole("combobox", { name: "Payee" }).fill("{{ event.data.vendor }}");
  await page.getByRole("combobox", { name: "Amount" }).fill("{{ event.data.amount }}");
  await page.getByRole("button", { name: "Create trigger" }).click();
  await page.getByText("Choose at least one event.").waitFor();
  await page.getByRole("checkbox", { name: "Invoice received" }).check();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("status", { name: "Result of the test" }).getByText("48000").waitFor();
  expect(await surplusWidth(page)).toBe(0);
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Create trigger" }).click();
  await page.getByRole("heading", { level: 1, name: "Pay invoices as they arrive" }).waitFor();
  await page.getByRole("definition").filter({ hasText: "Invoice received" }).waitFor();

  const address = (await page.getByText(/\/in\/v1\/in_sandbox_\w+$/).textContent()) ?? "";
  const body = JSON.stringify({ id: "evt_7", type: "invoice.received", data: { vendor: "Globex", amount: 700 } });
  const signature = createHmac("sha256", ledgerSecret).update(body).digest("hex");
  await fetch(address, { method: "POST", body, headers: { "Ledger-Signature": signature } });
  await page.getByRole("table", { name: "Firings" }).getByText("Run started").waitFor();
  await expect.poll(() => page.getByRole("textbox", { name: "Event", exact: true }).inputValue()).toContain('"evt_7"');
  expect(await surplusWidth(page)).toBe(0);
  expect(service.bank.payments).toContainEqual({ payee: "Globex", amount: 700 });
});

test("an event of a procedure and the template as JSON survive an edit", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/triggers/new?kind=event&procedure=statement");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Book each payment");
  await page.getByRole("textbox", { name: "Event", exact: true }).first().fill("payment_sent");
  await page.getByRole("combobox", { name: "Emitted by" }).selectOption("Vendor payment");
  await page.getByRole("group", { name: "Input as" }).getByRole("button", { name: "JSON" }).click();
  const template = page.getByRole("textbox", { name: "Template as JSON" });
  await template.fill('{ "lines": ');
  await page.getByRole("button", { name: "Create trigger" }).click();
  await page.getByText(/Line 1, column \d+/).waitFor();
  await template.fill('{ "lines": "{{ event.payload.lines }}" }');
  await page.getByRole("button", { name: "Create trigger" }).click();
  await page.getByRole("heading", { level: 1, name: "Book each payment" }).waitFor();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Book every payment");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Book every payment" }).waitFor();
  const { data } = await call<{ readonly data: readonly Readonly<Record<string, unknown>>[] }>(
    "GET",
    "triggers?environment=sandbox&kind=event",
  );
  expect(data).toMatchObject([
    {
      name: "Book every payment",
      source: { name: "custom.payment_sent", procedureId: "vendor-payment" },
      input: { lines: "{{ event.payload.lines }}" },
      revision: 2,
    },
  ]);
});

test("a past period is filled in: the answer counts what was added", async () => {
  const source = { kind: "schedule", cron: "0 12 * * *", timeZone: "Europe/Berlin" };
  const input = { payee: "Acme GmbH", amount: 100 };
  const trigger = { name: "Noon", procedureId: "vendor-payment", source, input, overlap: "queue" };
  const { id } = await call<{ readonly id: string }>("POST", "triggers?environment=sandbox", trigger);
  await call("POST", `triggers/${id}/pause?environment=sandbox`, {});
  const page = await openPage(service, { person: owner });
  await page.goto(`/dashboard/sandbox/triggers/${id}`);
  const open = async (): Promise<void> => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Backfill" }).click();
  };
  await open();
  const dialog = page.getByRole("dialog", { name: "Backfill Noon" });
  await dialog.getByText("The trigger is paused. Resume it first").waitFor();
  expect(await dialog.getByRole("button", { name: "Backfill" }).isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Back", exact: true }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await open();
  await dialog.getByLabel("From").fill("2026-02-01T00:00");
  await dialog.getByLabel("Until").fill("2026-02-03T12:00");
  await dialog.getByRole("button", { name: "Backfill" }).click();
  await page.getByRole("dialog", { name: "Backfill of Noon" }).getByText("2 times start their runs.").waitFor();
});
