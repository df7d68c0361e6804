import type { JsonObject, JsonValue } from "@procedo/contract";
import { ActionError, type InboundIntegration, type InboundMessage, type Secrets } from "@procedo/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import Stripe from "stripe";
import { probeContext } from "../../testing/probe-calls.ts";
import { startProbeService, type ProbeService } from "../../testing/probe-service.ts";
import { probeIntegration } from "../../testing/index.ts";
import { stripeEventTypes } from "./stripe-event-types.ts";
import { probedSecrets, signed, stripeProbe } from "./stripe.probe.ts";
import { stripe } from "./stripe.ts";

test("Stripe holds what integrations promise", async () => {
  expect(await probeIntegration(stripeProbe)).toEqual([]);
});

const nowMs = Date.parse("2026-11-27T12:00:00Z");
const seconds = nowMs / 1_000;
const { webhookSecret, previousWebhookSecret } = probedSecrets;

function inboundOf(integration = stripe()): InboundIntegration {
  if (integration.inbound === undefined) throw new Error("Stripe has no events.");
  return integration.inbound;
}

function message(
  body: string,
  header: string | readonly string[] | undefined,
  {
    secrets = probedSecrets,
    environment = "sandbox" as const,
  }: Partial<Pick<InboundMessage, "environment">> & { secrets?: Secrets } = {},
): InboundMessage {
  const json = () => JSON.parse(body) as JsonValue;
  const lines = header === undefined ? [] : [header].flat();
  const bytes = new TextEncoder().encode(body);
  return { header: () => lines, body: bytes, json, settings: {}, secrets, environment, nowMs };
}

const { verify, parse } = inboundOf();
const event = JSON.stringify(stripeEventTypes[0]?.sample);
const good = signed(event, seconds, webhookSecret);
const signature = good.split("v1=")[1] ?? "";

describe("an event", () => {
  test.each([
    ["no header", undefined],
    ["an empty header", ""],
    ["an empty signature", `t=${seconds},v1=`],
    ["a signature of the scheme v0 only", good.replace("v1=", "v0=")],
    ["a signature by another secret", signed(event, seconds, "whsec_another_secret")],
    ["one digit of its signature changed", good.replace(/.$/, (last) => (last === "0" ? "1" : "0"))],
    ["a signature in capitals that is cut", `t=${seconds},v1=${signature.toUpperCase().slice(0, 63)}`],
    ["no time", `v1=${signature}`],
    ["a time that is a text", `t=now,v1=${signature}`],
    ["two times", `t=${seconds},${good}`],
    ["a time 301 seconds ahead", signed(event, seconds + 301, webhookSecret)],
    ["a time 301 seconds ago", signed(event, seconds - 301, webhookSecret)],
    ["its header sent twice", [good, good]],
    ["more signatures than Stripe has secrets", `t=${seconds},${`v1=${signature},`.repeat(6)}`],
  ])("with %s is refused", (_fault, header) => {
    expect(verify(message(event, header))).toBe(false);
  });

  test("written again in another form is refused under its signature", () => {
    expect(verify(message(JSON.stringify(JSON.parse(event), undefined, 2), good))).toBe(false);
  });

  test("with several signatures is accepted if one is good", () => {
    expect(verify(message(event, signed(event, seconds, "whsec_another_secret", webhookSecret)))).toBe(true);
    expect(verify(message(event, `${good},v0=6ffbb59b`))).toBe(true);
  });

  test("signed with the previous secret is accepted as long as the connection has it", () => {
    const header = signed(event, seconds, previousWebhookSecret);
    const { previousWebhookSecret: _previous, ...later } = probedSecrets;
    expect(verify(message(event, header))).toBe(true);
    expect(verify(message(event, header, { secrets: later }))).toBe(false);
  });

  test("is refused by a connection without a webhook secret, also when signed with an empty one", () => {
    const secrets = { secretKey: probedSecrets.secretKey };
    for (const header of [good, signed(event, seconds, ""), signed(event, seconds, "undefined")]) {
      expect(verify(message(event, header, { secrets }))).toBe(false);
    }
  });

  test("that Stripe's own library signs is accepted", () => {
    const webhooks = new Stripe(probedSecrets.secretKey).webhooks;
    const header = webhooks.generateTestHeaderString({ payload: event, secret: webhookSecret, timestamp: seconds });
    expect(verify(message(event, header))).toBe(true);
    expect(webhooks.constructEvent(event, good, webhookSecret, undefined, undefined, nowMs).object).toBe("event");
  });

  test("has Stripe's id and time", () => {
    const facts = { id: "evt_1paymentintentcreated", occurredAtMs: 1_795_770_000_000 };
    expect(parse(message(event, good))).toMatchObject([facts]);
  });

  test("of the other mode is refused in both environments", () => {
    const live = JSON.stringify({ ...(JSON.parse(event) as object), livemode: true });
    expect(parse(message(live, good))).toBe("other_environment");
    expect(parse(message(event, good, { environment: "live" }))).toBe("other_environment");
    expect(parse(message(live, good, { environment: "live" }))).toHaveLength(1);
  });

  test.each([
    "[]",
    "null",
    '{"object":"event"}',
    JSON.stringify({ ...(JSON.parse(event) as object), object: "v2.core.event" }),
  ])("in another form than Stripe's is refused: %s", (body) => {
    expect(() => parse(message(body, good))).toThrow(/not an event of Stripe/);
  });
});

let service: ProbeService;
beforeAll(async () => {
  service = await startProbeService();
});
afterAll(() => service.close());

test("a backfill asks for at most twenty types at once", async () => {
  const context = probeContext({ environment: "sandbox", secrets: probedSecrets }, "list");
  const types = stripeEventTypes.map(({ type }) => type);
  const arrived = service.answer([{ status: 200, body: JSON.stringify({ data: [], has_more: false }) }]);
  const { list } = inboundOf(stripe({ baseUrl: service.origin }));
  expect(await list?.({ ...context, signal: context.signal, fromMs: 0, toMs: nowMs, types })).toEqual([]);
  const asked = arrived.map(({ request }) => request.split("types%5B%5D=").length - 1);
  expect(asked).toEqual([20, types.length - 20]);
});

test("a backfill with more events than it can list is refused, not cut", async () => {
  const context = probeContext({ environment: "sandbox", secrets: probedSecrets }, "list");
  service.answer([{ status: 200, body: JSON.stringify({ data: [{ id: "evt_1" }], has_more: true }) }]);
  const { list } = inboundOf(stripe({ baseUrl: service.origin }));
  const listing = list?.({ ...context, signal: context.signal, fromMs: 0, toMs: nowMs, types: ["payout.paid"] });
  await expect(listing).rejects.toThrow("The period has too many events. Choose a shorter one.");
});

describe("a refusal of Stripe", () => {
  const context = probeContext({ environment: "sandbox", secrets: probedSecrets }, "create_refund");
  const refused = async (status: number, error: JsonObject) => {
    service.answer([{ status, body: JSON.stringify({ error }) }]);
    const action = stripe({ baseUrl: service.origin }).actions.get("create_refund");
    const thrown: unknown = await action
      ?.call({ payment_intent: "pi_1" }, context)
      .catch((problem: unknown) => problem);
    if (!(thrown instanceof ActionError)) throw new Error(`No ActionError was thrown, but ${String(thrown)}.`);
    return thrown;
  };

  test.each([
    [
      401,
      { message: "Invalid API Key provided: sk_test_****" },
      "refused",
      "Stripe did not accept the credentials: Invalid API Key provided: sk_test_****.",
    ],
    [
      402,
      { type: "card_error", code: "card_declined", decline_code: "insufficient_funds", message: "Declined." },
      "refused",
      "The payment was declined: Declined (card_declined, insufficient_funds)",
    ],
    [
      403,
      { type: "invalid_request_error", message: "Needs rak_refund_write." },
      "refused",
      "Stripe does not permit the call: Needs rak_refund_write.",
    ],
    [
      404,
      { type: "invalid_request_error", code: "resource_missing", message: "No such payment_intent." },
      "refused",
      "Stripe does not have the object: No such payment_intent (resource_missing).",
    ],
    [
      400,
      { type: "idempotency_error", message: "Another request had this key." },
      "conflict",
      "has seen this call's idempotency key before",
    ],
    [
      409,
      { type: "idempotency_error", code: "idempotency_key_in_use", message: "In progress." },
      "conflict",
      "(idempotency_key_in_use)",
    ],
    [
      429,
      { type: "invalid_request_error", code: "lock_timeout", message: "In use." },
      "refused",
      "Stripe has had too many requests: In use (lock_timeout).",
    ],
    [500, { type: "api_error", message: "Sorry." }, "unknown", "answered with 500"],
  ] as const)("of status %i is told in words: %j", async (status, error, outcome, words) => {
    const thrown = await refused(status, error);
    expect(thrown.message).toContain(words);
    expect(thrown.outcome).toBe(outcome);
    expect(thrown.mayRetry).toBe(status === 429);
  });

  test("records no client secret of the payment that it is about", async () => {
    const intent = { id: "pi_1", client_secret: "pi_1_secret_Kq3vT9" };
    const { failureDetails, exchange } = await refused(402, {
      type: "card_error",
      message: "No.",
      payment_intent: intent,
    });
    expect(JSON.stringify([failureDetails, exchange])).not.toContain("secret_Kq3vT9");
  });
});

describe("a key", () => {
  const { environmentOf, checkConnection } = stripe();
  test.each([
    ["sk_test_0123456789", "sandbox"],
    ["rk_test_0123456789", "sandbox"],
    ["sk_live_0123456789", "live"],
    ["rk_live_0123456789", "live"],
  ])("%s is of the environment %s", (secretKey, environment) => {
    expect(checkConnection({}, { secretKey })).toEqual([]);
    expect(environmentOf?.({}, { secretKey })).toBe(environment);
  });

  test.each(["pk_live_0123456789", "whsec_0123456789", "sk_0123456789", "sk_live_"])("%s is none", (secretKey) => {
    expect(checkConnection({}, { secretKey })).toHaveLength(1);
  });

  test("of a webhook is told from an API key", () => {
    const secrets = { secretKey: "sk_test_0123456789", webhookSecret: "sk_test_0123456789" };
    expect(checkConnection({}, secrets)).toMatchObject([{ path: "/secrets/webhookSecret" }]);
  });
});

describe("the name of an account", () => {
  test.each([
    [{ business_profile: { name: "Acme" }, email: "a@acme.example" }, "Acme"],
    [{ business_profile: null, settings: null, email: "a@acme.example" }, "a@acme.example"],
    [{}, "acct_1"],
  ])("of %j is %s", async (facts, name) => {
    service.answer([{ status: 200, body: JSON.stringify({ id: "acct_1", object: "account", ...facts }) }]);
    const { environment, settings, secrets, redactor, fetch, connect, signal } = probeContext(
      { environment: "sandbox", secrets: probedSecrets },
      "account",
    );
    const found = stripe({ baseUrl: service.origin }).account?.({
      environment,
      settings,
      secrets,
      redactor,
      fetch,
      connect,
      signal,
    });
    expect(await found).toEqual({ id: "acct_1", name });
  });
});
