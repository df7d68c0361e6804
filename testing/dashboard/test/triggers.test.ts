import {
  failReads,
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
let viewer: ServicePerson;
let call: ApiCall;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"], live: ["viewer"] });
  call = await openApi(service, owner);
});

afterAll(async () => {
  await service.stop();
});

/** Creates a schedule that pays Acme, and returns its id. */
async function schedule(name: string, environment = "sandbox"): Promise<string> {
  const source = { kind: "schedule", cron: "30 6 * * 1-5", timeZone: "America/New_York" };
  const input = { payee: "Acme GmbH", amount: 500 };
  const body = { name, procedureId: "vendor-payment", source, input };
  return (await call<{ readonly id: string }>("POST", `triggers?environment=${environment}`, body)).id;
}

test("a schedule is created by keys alone, with its next times in both zones, and fires by hand", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox");
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.getByText("Nothing starts runs in Sandbox by itself").waitFor();
  await page.getByRole("link", { name: "New trigger" }).first().press("Enter");
  await page.getByRole("heading", { level: 1, name: "New trigger" }).waitFor();
  await page.getByRole("textbox", { name: "Name", exact: true }).focus();
  await page.keyboard.type("Daily payment");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Vendor");
  await page.getByRole("combobox", { name: "Payee" }).waitFor();
  const repeats = page.getByRole("combobox", { name: "Repeats" });
  await repeats.focus();
  await page.keyboard.type("Every day");
  const zone = page.getByRole("combobox", { name: "Time zone" });
  await zone.focus();
  await page.keyboard.type("America/New_Y");
  await page.getByText("At 06:30 in America/New_York.").waitFor();
  const times = page.getByRole("table", { name: "Next times" });
  await times.getByRole("columnheader", { name: "Time of the schedule (America/New_York)" }).waitFor();
  await times
    .getByText(/06:30:00 GMT-[45]$/)
    .first()
    .waitFor();
  expect(await times.getByRole("row").count()).toBe(6);
  expect(await seriousProblems(page)).toEqual([]);

  // Without its input the trigger is refused, and what was typed stays.
  const create = page.getByRole("button", { name: "Create trigger" });
  await create.press("Enter");
  await page.getByRole("alert").first().waitFor();
  expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Daily payment");
  await page.getByRole("combobox", { name: "Payee" }).fill("Acme GmbH");
  await page.getByRole("combobox", { name: "Amount" }).fill("500");
  await create.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Daily payment" }).waitFor();
  await page.getByText("It has not fired yet.").waitFor();

  await page.getByRole("button", { name: "Fire now" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Fire Daily payment now?" });
  await dialog.getByText("Olga Owner").waitFor();
  await dialog.getByRole("button", { name: "Fire now" }).press("Enter");
  const row = page.getByRole("table", { name: "Firings" }).getByRole("row").nth(1);
  await row.getByText("Run started").waitFor();
  await row.getByText(`By hand, ${owner.email}`).waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await row.getByRole("link", { name: /^run_/ }).press("Enter");
  await page.getByRole("link", { name: "By hand, from “Daily payment”" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Daily payment" }).waitFor();
});

test("the list is filtered, those that need a person come first, and the address keeps the filters", async () => {
  const wanted = await schedule("Payout of the month");
  await call("POST", `triggers/${wanted}/pause?environment=sandbox`, {});
  await schedule("Second payout");
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/sandbox/triggers");
  const table = page.getByRole("table", { name: "Triggers" });
  await table.getByRole("row", { name: /^Second payout Active .*At 06:30, Monday through Friday/ }).waitFor();
  await page.getByRole("combobox", { name: "State" }).selectOption("Paused");
  await expect.poll(() => table.getByRole("row").count()).toBe(2);
  await table.getByText("None while paused").waitFor();
  expect(new URL(page.url()).searchParams.get("state")).toBe("paused");
  await page.getByRole("searchbox", { name: "Search triggers" }).fill("second");
  await page.getByText("No triggers fit these filters.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await page.getByRole("searchbox", { name: "Search triggers" }).fill("second");
  await expect.poll(() => table.getByRole("row").count()).toBe(2);
  await page.getByRole("searchbox", { name: "Search triggers" }).blur();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Second payout" }).waitFor();
});

test("a trigger is paused with a reason, resumed, edited and deleted, on a phone in the dark", async () => {
  const triggerId = await schedule("Weekly payout");
  const page = await openPage(service, { person: owner, width: 360, colorScheme: "dark" });
  await page.goto(`/dashboard/sandbox/triggers/${triggerId}`);
  await page.getByRole("button", { name: "Pause" }).click();
  const pause = page.getByRole("dialog", { name: "Pause Weekly payout?" });
  await pause.getByRole("textbox", { name: "Reason" }).fill("The bank is closed.");
  expect(await seriousProblems(page)).toEqual([]);
  await pause.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("alert").getByText("The bank is closed.").waitFor();
  expect(await surplusWidth(page)).toBe(0);
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("status", { name: "Messages" }).getByText("Weekly payout starts runs again.").waitFor();

  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("combobox", { name: "Repeats" }).selectOption("On a day of the month");
  await page.getByRole("combobox", { name: "Day", exact: true }).selectOption("The last day");
  await page.getByText("At 06:30, on the last day of the month in America/New_York.").waitFor();
  expect(await surplusWidth(page)).toBe(0);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("At 06:30, on the last day of the month").waitFor();
  const stored = await call<{ readonly source: { readonly cron: string } }>(
    "GET",
    `triggers/${triggerId}?environment=sandbox`,
  );
  expect(stored.source.cron).toBe("30 6 L * *");

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const remove = page.getByRole("dialog", { name: "Delete Weekly payout?" });
  await remove.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Triggers" }).waitFor();
  expect(await page.getByRole("link", { name: "Weekly payout" }).count()).toBe(0);
});

test("an edit while another person saved keeps what was typed, and opens the present values on request", async () => {
  const triggerId = await schedule("Shared payout");
  const page = await openPage(service, { person: owner });
  await page.goto(`/dashboard/sandbox/triggers/${triggerId}/edit`);
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Mine");
  await call("PATCH", `triggers/${triggerId}?environment=sandbox`, { name: "Theirs" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("changed this trigger while you were editing.").waitFor();
  expect(await name.inputValue()).toBe("Mine");
  await page.getByRole("button", { name: "Open the present values" }).click();
  await expect.poll(() => name.inputValue()).toBe("Theirs");
});

test("a cron expression that cannot be is told before and after saving", async () => {
  const page = await openPage(service, { person: owner });
  await page.goto("/dashboard/live/triggers/new?procedure=vendor-payment");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Never");
  await page.getByRole("combobox", { name: "Repeats" }).selectOption("By a cron expression");
  const cron = page.getByRole("textbox", { name: "Cron expression" });
  expect(await cron.inputValue()).toBe("30 6 * * 1-5");
  await cron.fill("0 0 30 2 *");
  await page
    .getByRole("region", { name: "Next times" })
    .getByText(/never fires/)
    .waitFor();
  await page.getByRole("combobox", { name: "Payee" }).fill("Acme");
  await page.getByRole("combobox", { name: "Amount" }).fill("12,50");
  await page.getByRole("button", { name: "Create trigger Live" }).click();
  await page.getByText(/^This field is not valid JSON/).waitFor();
  await page.getByRole("combobox", { name: "Amount" }).fill("1250");
  await page.getByRole("button", { name: "Create trigger Live" }).click();
  await page.getByText(/^This field never fires/).waitFor();
  await page.getByRole("textbox", { name: "Cron expression" }).and(page.locator(":focus")).waitFor();
});

test("a viewer sees triggers, and is told who changes them", async () => {
  const triggerId = await schedule("Seen payout", "live");
  const page = await openPage(service, { person: viewer });
  await page.goto(`/dashboard/live/triggers/${triggerId}`);
  await page.getByText("You may look at triggers in Live.").waitFor();
  for (const name of [/^Pause/, /^Fire now/, /^More actions/, /^Test/]) {
    expect(await page.getByRole("button", { name }).count()).toBe(0);
  }
  await page.goto("/dashboard/live/triggers/new");
  await page.getByText("You may not change triggers in Live").waitFor();
});

test("a list that fails names the request, and an unknown trigger is not found", async () => {
  const page = await openPage(service, { person: owner });
  const mend = await failReads(page, "**/api/v1/triggers?*", "req_test");
  await page.goto("/dashboard/sandbox/triggers");
  await page.getByRole("alert").getByText("req_test").waitFor();
  await mend();
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("table", { name: "Triggers" }).waitFor();
  await page.goto("/dashboard/sandbox/triggers/trg_nothing");
  await page.getByRole("alert").waitFor();
});
