import { testProcedure } from "@procedo/engine/testing";
import { afterEach, describe, expect, test } from "vitest";
import { fakeBank } from "../src/fakes/fake-bank.ts";
import { fakeSlack } from "../src/fakes/fake-slack.ts";
import { fakeStripe } from "../src/fakes/fake-stripe.ts";
import { serveHandlers, type ServedHandlers } from "../src/fakes/serve-handlers.ts";
import type { SamplePayout } from "../src/fakes/stripe-samples.ts";
import { channel, day, document, input, payoutOf, reconciliationConnections, secrets } from "./reconciliation-setup.ts";

/* The integrations of Stripe and Slack against the handlers, over HTTP. */
const egress = { allowNetworks: ["127.0.0.0/8"] };
const opened: ServedHandlers[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function serve(handlers: Parameters<typeof serveHandlers>[0]): Promise<string> {
  const server = await serveHandlers(handlers);
  opened.push(server);
  return server.url;
}

/** A run that reads the payouts from the handlers of Stripe. */
async function reconcileAt(
  payouts: readonly SamplePayout[],
  secretKey = secrets.secretKey,
  retryAfterSeconds?: number,
) {
  const stripe = fakeStripe({ secretKey, payouts });
  if (retryAfterSeconds !== undefined) stripe.limitNextRequest(retryAfterSeconds);
  const data = payouts.map(({ payout: { id, amount } }) => ({
    ...{ creditId: `cr_${id}`, amountMinor: amount, currency: "EUR", reference: id },
  }));
  return await testProcedure({
    ...{ document, input, egress, ...reconciliationConnections({ stripe: await serve(stripe.handlers) }) },
    actions: { bank: { list_credits: { data } }, slack: { post_message: { ok: true, channel, ts: "1.1" } } },
  });
}

describe("Stripe", () => {
  test("lists more payouts than a page: one that arrives on the day is found on the second page", async () => {
    const earlier = Array.from({ length: 100 }, (_, index) => payoutOf(`po_${index}`, 100, { on: "2026-11-25" }));
    // Page after page is read from the newest payout on, so that the wanted one comes last.
    const run = await reconcileAt([...earlier, payoutOf("po_last", 70_000)]);
    expect(run.outputOf("payouts")).toMatchObject({ pages: 2, hasMore: false });
    expect(run.outputOf("arriving")).toMatchObject({ automaticIds: ["po_last"] });
  });

  test("lists the transactions of one payout, which add up to it", async () => {
    const run = await reconcileAt([payoutOf("po_1", 500), payoutOf("po_2", 700)]);
    expect([run.status, run.output?.["outcome"], run.reviews]).toEqual(["completed", "reconciled", []]);
  });

  test("that answers 429 is asked again after the time that it names", async () => {
    const run = await reconcileAt([payoutOf("po_1", 500)], secrets.secretKey, 30);
    expect(run.callsOf("payouts").map(({ outcome }) => outcome)).toEqual(["error", "ok"]);
    expect(run.output?.["outcome"]).toBe("reconciled");
  });

  test("refuses another key, which fails the run", async () => {
    const run = await reconcileAt([], "sk_test_another_key");
    expect([run.status, run.effects]).toEqual(["failed", []]);
    expect(run.error).toContain("Invalid API Key provided.");
  });
});

describe("Slack", () => {
  async function postTo(access: { readonly botToken: string; readonly channel: string }, losesAnswer = false) {
    const slack = fakeSlack(access);
    if (losesAnswer) slack.loseNextAnswer();
    const run = await testProcedure({
      ...{ document, input, egress, ...reconciliationConnections({ slack: await serve(slack.handlers) }) },
      actions: {
        stripe: { list_payouts: { items: [], pages: 1, hasMore: false } },
        bank: { list_credits: { data: [] } },
      },
    });
    return { run, messages: slack.messages() };
  }

  test("keeps the message", async () => {
    const { run, messages } = await postTo({ botToken: secrets.botToken, channel });
    expect(messages).toEqual([
      { channel, text: `Payouts of ${day}: reconciled. None arrived.`, ts: run.output?.["messageTs"] },
    ]);
  });

  test.each([
    ["another token", { botToken: "xoxb-another-token", channel }, "Slack rejected the token."],
    ["an unknown channel", { botToken: secrets.botToken, channel: "C0OTHER" }, "Slack finds no such channel"],
  ])("refuses %s, and keeps no message", async (_case, access, reason) => {
    const { run, messages } = await postTo(access);
    expect([run.status, messages]).toEqual(["failed", []]);
    expect(run.error).toContain(reason);
  });

  test("that cuts the connection has kept the message, and a person is asked for the outcome", async () => {
    const { run, messages } = await postTo({ botToken: secrets.botToken, channel }, true);
    expect([run.review?.kind, messages.length]).toEqual(["outcome_unknown", 1]);
  });
});

describe("the bank", () => {
  const credits = [day, "2026-11-25"].map((bookedOn) => ({
    ...{ creditId: `cr_${bookedOn}`, amountMinor: 500, currency: "EUR", reference: null, bookedOn },
  }));

  test("lists the credits of one day for its token only", async () => {
    const url = await serve(fakeBank({ isGood: async (token) => token === secrets.token, credits }));
    const ask = (token: string) =>
      fetch(`${url}/credits?bookedOn=${day}`, { headers: { authorization: `Bearer ${token}` } });
    expect(await (await ask(secrets.token)).json()).toEqual({
      data: [{ creditId: `cr_${day}`, amountMinor: 500, currency: "EUR", reference: null }],
    });
    expect((await ask("another-token")).status).toBe(401);
  });
});

test("a request without a handler is answered with 501", async () => {
  const url = await serve([]);
  const answer = await fetch(`${url}/v1/charges`);
  expect([answer.status, await answer.text()]).toEqual([501, "No handler answers GET /v1/charges."]);
});
