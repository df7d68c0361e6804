import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  openPage,
  seriousProblems,
  startService,
  surplusWidth,
  type Service,
  type ServicePerson,
  type WatchedPage,
} from "@procedo-testing/dashboard";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let service: Service;
let builder: ServicePerson;
let viewer: ServicePerson;
let receiverUrl: string;

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
const broken = new Set<string>();

/** Refuses the paths of {@link broken}. */
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    const path = request.url ?? "";
    received.push({ path, headers: request.headers, body });
    response.writeHead(broken.has(path) ? 500 : 204).end();
  });
});

beforeAll(async () => {
  service = await startService();
  builder = await service.join("Bea Builder", { sandbox: ["builder"], live: ["builder"] });
  viewer = await service.join("Vera Viewer", { sandbox: ["viewer"], live: [] });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await service.stop();
  receiver.closeAllConnections();
  receiver.close();
});

/** Creates a webhook for completed runs whose receiver has the path of its name. */
async function webhookAt(name: string): Promise<{ readonly id: string; readonly secret: string }> {
  const { webhookId, secret } = await service.engine.webhooks.create({
    name,
    url: `${receiverUrl}/${name}`,
    events: ["run_completed"],
    environment: "sandbox",
    by: { person: "operator" },
  });
  return { id: webhookId, secret };
}

async function openWebhook(id: string, options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> {
  const page = await openPage(service, { person: builder, ...options });
  await page.goto(`/dashboard/sandbox/webhooks/${id}`);
  await page.getByRole("region", { name: "Deliveries" }).waitFor();
  return page;
}

describe("a builder creates a webhook", () => {
  test("by keyboard alone: the secret is shown once, and leaving asks first", async () => {
    const page = await openPage(service, { person: builder });
    await page.goto("/dashboard/sandbox/webhooks");
    await page.getByText("No address receives events yet.").waitFor();
    await page.getByRole("link", { name: "New webhook" }).press("Enter");
    await page.getByRole("textbox", { name: "Address" }).press("Control+A");
    await page.keyboard.type(`${receiverUrl}/erp`);
    await page.keyboard.press("Tab");
    await page.keyboard.type("ERP");
    await page.getByRole("textbox", { name: "Name" }).press("Tab");
    await page.keyboard.press("Space");
    expect(await page.getByRole("checkbox", { name: "run_completed" }).isChecked()).toBe(true);
    await page.getByRole("textbox", { name: "Custom event" }).press("Control+A");
    await page.keyboard.type("payment_made");
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    const secret = page.getByRole("region", { name: "Shown once" }).getByRole("textbox", { name: "Signing secret" });
    expect(await secret.inputValue()).toMatch(/^whsec_\S+$/);
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "Open in Live" }).press("Enter");
    await page.getByRole("dialog", { name: "Leave without storing it?" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "I have stored it" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "ERP" }).waitFor();
    await page.getByRole("definition").getByText("run_completed, custom.payment_made").waitFor();
  });

  test("what the service refuses stands at its field, and nothing typed is lost", async () => {
    const page = await openPage(service, { person: builder, width: 360 });
    await page.goto("/dashboard/live/webhooks/new");
    const address = page.getByRole("textbox", { name: "Address" });
    await address.fill("http://169.254.169.254/latest");
    await page.getByRole("button", { name: "Create webhook Live" }).click();
    await page.getByRole("alert").getByText("Choose at least one event.").waitFor();
    await page.getByRole("checkbox", { name: "run_failed" }).check();
    await page.getByRole("textbox", { name: "Custom event" }).fill("not allowed!");
    await page.getByRole("button", { name: "Create webhook Live" }).click();
    await page.getByText("This field must be one of").waitFor();
    await page.getByRole("textbox", { name: "Custom event" }).fill("");
    await page.getByRole("button", { name: "Create webhook Live" }).click();
    await page.locator("[aria-invalid=true]").waitFor();
    expect(await address.getAttribute("aria-invalid")).toBe("true");
    expect(await address.inputValue()).toBe("http://169.254.169.254/latest");
    expect(await surplusWidth(page)).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
  });

  test("a secret is not shown in the other environment", async () => {
    const page = await openPage(service, { person: builder });
    await page.goto("/dashboard/sandbox/webhooks/new");
    await page.getByRole("textbox", { name: "Address" }).fill(`${receiverUrl}/left`);
    await page.getByRole("checkbox", { name: "run_failed" }).check();
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByRole("region", { name: "Shown once" }).waitFor();
    await page.getByRole("link", { name: "Open in Live" }).click();
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("button", { name: "Create webhook Live" }).waitFor();
    expect(await page.getByRole("region", { name: "Shown once" }).count()).toBe(0);
    expect(await page.getByRole("textbox", { name: "Address" }).inputValue()).toBe("");
  });
});

describe("deliveries", () => {
  test("a failing webhook comes first; its delivery tells each attempt, and is resent", async () => {
    broken.add("/zulu");
    await webhookAt("alpha");
    await webhookAt("zulu");
    const runId = await service.run("vendor-payment", { payee: "Acme GmbH", amount: 100 });
    const page = await openPage(service, { person: builder });
    await page.goto("/dashboard/sandbox/webhooks");
    const first = page.getByRole("table", { name: "Webhooks" }).getByRole("row").nth(1);
    await first.and(page.getByRole("row", { name: /zulu.*Failing.*Pending, answered 500/ })).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await first.getByRole("link", { name: "zulu" }).click();
    await page.getByRole("alert").getByText("No request was accepted since").waitFor();
    await page.getByRole("textbox", { name: "Run" }).fill(runId);
    await page.keyboard.press("Tab");
    await page.getByRole("combobox", { name: "Status" }).selectOption("Delivered");
    await page.getByText("No deliveries fit these filters.").waitFor();
    await page.getByRole("combobox", { name: "Status" }).selectOption("Pending");
    const deliveries = page.getByRole("table", { name: "Deliveries" });
    await deliveries.getByRole("link").first().click();
    await page.getByRole("heading", { level: 1, name: "run_completed" }).waitFor();
    const attempts = page.getByRole("table", { name: "Attempts" });
    await attempts.getByRole("row", { name: /^1 Not accepted, answered 500.*The schedule$/ }).waitFor();
    await page.getByRole("group", { name: "Body" }).getByText(runId).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    broken.delete("/zulu");
    await page.getByRole("button", { name: "Resend", exact: true }).click();
    await page.getByRole("status").getByText("Delivered, answered 204").waitFor();
    await attempts.getByRole("row", { name: /^\d Accepted, answered 204/ }).waitFor();
  });

  test("a delivered event is sent again after a question, under the same id", async () => {
    const { id } = await webhookAt("repeated");
    await service.run("vendor-payment", { payee: "Acme GmbH", amount: 104 });
    const page = await openWebhook(id);
    await page.getByRole("row", { name: /Delivered, answered 204/ }).waitFor();
    await page.getByRole("table", { name: "Deliveries" }).getByRole("link").first().click();
    await page.getByRole("heading", { level: 1, name: "run_completed" }).waitFor();
    await page.getByRole("button", { name: "Resend", exact: true }).click();
    const again = page.getByRole("dialog", { name: "Send a delivered event again?" });
    await again.getByText("It is sent again under the same id").waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await again.getByRole("button", { name: "Resend", exact: true }).click();
    const attempts = page.getByRole("table", { name: "Attempts" });
    await attempts.getByRole("row", { name: /^2 Accepted, answered 204.*A person$/ }).waitFor();
    const bodies = received.filter(({ path }) => path === "/repeated").map(({ body }) => body);
    expect(bodies).toEqual([bodies[0], bodies[0]]);
  });

  test("events of an inactive webhook are skipped, and resent for a period once it is active", async () => {
    const { id } = await webhookAt("pausing");
    const page = await openWebhook(id, { width: 390, colorScheme: "dark" });
    await page.getByRole("button", { name: "Deactivate", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Deactivate pausing?" });
    await dialog.getByText("Events of that time are kept as skipped deliveries").waitFor();
    await dialog.getByRole("button", { name: "Deactivate", exact: true }).click();
    await page.getByRole("alert").getByText(`Deactivated by ${builder.email}.`).waitFor();
    expect(await page.getByRole("button", { name: "Resend failed" }).isDisabled()).toBe(true);
    await page.getByText("Activate the webhook first.").waitFor();
    for (const amount of [101, 102]) await service.run("vendor-payment", { payee: "Acme GmbH", amount });
    await page
      .getByRole("row", { name: /Skipped/ })
      .nth(1)
      .waitFor();
    expect(await surplusWidth(page)).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Activate", exact: true }).click();
    await page.getByRole("button", { name: "Resend failed" }).click();
    const resend = page.getByRole("dialog", { name: "Resend to pausing" });
    expect(await seriousProblems(page)).toEqual([]);
    await resend.getByRole("button", { name: "Resend", exact: true }).click();
    await resend.getByRole("status").getByText("2 deliveries are on their way again.").waitFor();
    await resend.getByRole("button", { name: "Resend", exact: true }).click();
    await resend.getByRole("status").getByText("No such delivery was found.").waitFor();
    await resend.getByRole("button", { name: "Close", exact: true }).last().click();
    await page
      .getByRole("row", { name: /Delivered, answered 204/ })
      .nth(1)
      .waitFor();
  });

  test("a test event is followed until it arrives", async () => {
    const { id } = await webhookAt("tested");
    const page = await openWebhook(id);
    await page.getByRole("button", { name: "Send test event" }).click();
    const dialog = page.getByRole("dialog", { name: "Send test event" });
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await dialog.getByRole("status").getByText("Delivered, answered 204").waitFor();
    await dialog.getByRole("link", { name: "Open the delivery" }).click();
    await page.getByRole("definition").getByText("None: a test").waitFor();
  });
});

describe("the signing secret", () => {
  test("is rotated with an overlap, and a signature of either secret is checked in the browser", async () => {
    const { id, secret: old } = await webhookAt("signed");
    const page = await openWebhook(id);
    await page.getByRole("button", { name: "Rotate secret" }).click();
    const dialog = page.getByRole("dialog", { name: "Rotate the signing secret?" });
    await dialog.getByText("X-Service-Signature-Old by the old one").waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Rotate", exact: true }).click();
    const shown = page.getByRole("region", { name: "Shown once" });
    const secret = await shown.getByRole("textbox", { name: "Signing secret" }).inputValue();
    expect(secret).not.toBe(old);
    await page.getByText("Until then the old secret signs too").waitFor();
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByRole("dialog", { name: "Leave without storing it?" }).getByRole("button", { name: "Stay" }).click();
    await shown.getByRole("button", { name: "I have stored it" }).click();
    await shown.waitFor({ state: "detached" });

    await service.run("vendor-payment", { payee: "Acme GmbH", amount: 103 });
    await page.getByRole("row", { name: /Delivered/ }).waitFor();
    const request = received.findLast(({ path }) => path === "/signed");
    if (request === undefined) throw new Error("The receiver got no request.");
    const region = page.getByRole("region", { name: "Check a signature" });
    const sent: string[] = [];
    page.on("request", (one) => {
      if (one.method() !== "GET" || one.url().includes("whsec")) sent.push(one.url());
    });
    const check = async (body: string, key: string): Promise<void> => {
      const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}`);
      await region.getByRole("textbox", { name: "Headers" }).fill(headers.join("\n"));
      await region.getByRole("textbox", { name: "Body" }).fill(body);
      await region.getByRole("textbox", { name: "Signing secret" }).fill(key);
      await region.getByRole("button", { name: "Check" }).click();
    };
    await check(request.body, secret);
    await region.getByRole("status").getByText("The signature fits.").waitFor();
    await check(request.body, old);
    await region.getByRole("status").getByText("It is the one in X-Service-Signature-Old").waitFor();
    await check(JSON.stringify(JSON.parse(request.body), undefined, 2), secret);
    await region.getByRole("alert").getByText("parsed and written again").waitFor();
    await check(request.body, "whsec_another");
    await region.getByRole("alert").getByText("the secret is of another webhook or was rotated").waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    expect(sent).toEqual([]);
  });
});

test("a webhook is edited, and deleting it says what ends", async () => {
  const { id } = await webhookAt("changing");
  const page = await openWebhook(id);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const edit = page.getByRole("dialog", { name: "Edit changing" });
  await edit.getByRole("textbox", { name: "Name" }).fill("Changed");
  await edit.getByRole("checkbox", { name: "run_failed" }).check();
  await edit.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Changed" }).waitFor();
  expect(await service.engine.webhooks.get({ environment: "sandbox", webhookId: id })).toMatchObject({
    url: `${receiverUrl}/changing`,
    events: ["run_completed", "run_failed"],
  });
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Changed?" });
  await dialog.getByText("its secret is void").waitFor();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  await page.getByRole("status", { name: "Messages" }).getByText("Changed was deleted.").waitFor();
  await page.getByRole("table", { name: "Webhooks" }).waitFor();
  expect(await page.getByRole("link", { name: "Changed" }).count()).toBe(0);
});

test("a viewer sees webhooks, and why they are not changed", async () => {
  const { id } = await webhookAt("seen");
  const page = await openWebhook(id, { person: viewer });
  await page.getByText("You may look at webhooks in Sandbox, and not change them.").waitFor();
  for (const name of ["Edit", "Deactivate", "Rotate secret", "Delete", "Send test event", "Resend failed"]) {
    expect(await page.getByRole("button", { name }).count(), name).toBe(0);
  }
  await page.goto("/dashboard/sandbox/webhooks/new");
  await page.getByRole("alert").getByText("An owner can give you the role builder.").waitFor();
  expect(await page.getByRole("textbox", { name: "Address" }).count()).toBe(0);
});
