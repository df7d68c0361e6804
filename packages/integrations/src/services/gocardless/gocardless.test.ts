import type { JsonValue } from "@procedo/contract";
import type { InboundMessage } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { probeIntegration } from "../../testing/index.ts";
import { conflictingResource, goCardlessHttp, isCancellationRefused } from "./gocardless-http.ts";
import { goCardlessProbe } from "./gocardless.probe.ts";
import { goCardless } from "./gocardless.ts";

test("GoCardless holds what integrations promise", async () => {
  expect(await probeIntegration(goCardlessProbe)).toEqual([]);
});

describe("a connection to GoCardless", () => {
  const { environmentOf } = goCardless();
  const http = goCardlessHttp(undefined);

  test.each([
    ["live_abc", "live"],
    ["sandbox_abc", "sandbox"],
    ["abc_live_sandbox_", undefined],
  ])("with the token %s is of the environment %s", (accessToken, environment) => {
    expect(environmentOf?.({}, { accessToken })).toBe(environment);
  });

  test("sends its requests to the address of its environment", () => {
    expect(http.baseUrl({ environment: "live", settings: {} })).toBe("https://api.gocardless.com");
    expect(http.baseUrl({ environment: "sandbox", settings: {} })).toBe("https://api-sandbox.gocardless.com");
  });
});

describe("a refusal of GoCardless", () => {
  const { refusal } = goCardlessHttp(undefined);
  const answer = (status: number, error: JsonValue) => ({ status, body: { error } });

  test("names each field at fault", () => {
    const errors = [
      { field: "amount", message: "must be greater than 0", request_pointer: "/payments/amount" },
      { field: "charge_date", message: "must be on or after mandate's next_possible_charge_date" },
    ];
    const refused = answer(422, { type: "validation_failed", code: 422, message: "Validation failed", errors });
    expect(refusal?.(refused)?.message).toBe(
      "GoCardless refused the call: Validation failed (amount must be greater than 0; " +
        "charge_date must be on or after mandate's next_possible_charge_date).",
    );
  });

  test("says each reason once", () => {
    const errors = [{ reason: "unknown", message: "Not known" }];
    const message = "GoCardless did not accept the credentials: Not known.";
    expect(refusal?.(answer(401, { message: "Not known", errors }))).toEqual({ message });
  });

  test("is not seen in the answer of a call that was done, nor in another form", () => {
    expect(refusal?.(answer(200, { message: "Not known" }))).toBeUndefined();
    expect(refusal?.({ status: 502, body: "<html></html>" })).toBeUndefined();
  });

  test("of an idempotency key names the object that exists, and no other refusal does", () => {
    const links = { conflicting_resource_id: "PM1" };
    const errors = [{ reason: "idempotent_creation_conflict", message: "exists", links }];
    expect(conflictingResource(answer(409, { message: "exists", errors }))).toBe("PM1");
    expect(conflictingResource(answer(422, { message: "exists", errors }))).toBeUndefined();
    expect(
      conflictingResource(answer(409, { message: "exists", errors: [{ ...errors[0], links: {} }] })),
    ).toBeUndefined();
    const wordless = { type: "invalid_state", errors: [{ reason: "idempotent_creation_conflict", links }] };
    expect(conflictingResource(answer(409, wordless))).toBe("PM1");
    const other = [{ reason: "bank_account_exists", message: "exists", links: { customer_bank_account: "BA1" } }];
    expect(conflictingResource(answer(409, { message: "exists", errors: other }))).toBeUndefined();
  });

  test("to cancel is told from others", () => {
    const errors = [{ reason: "cancellation_failed", message: "too late" }];
    expect(isCancellationRefused(answer(422, { message: "too late", errors }))).toBe(true);
    expect(isCancellationRefused(answer(422, { message: "too late", errors: [] }))).toBe(false);
    expect(isCancellationRefused({ status: 404, body: null })).toBe(false);
  });
});

describe("a delivery of GoCardless", () => {
  const { inbound } = goCardless();
  const payments = Array.from({ length: 250 }, (_, index) => ({
    ...{ id: `EV${index}`, created_at: "2026-11-27T09:00:00.123Z", resource_type: "payments", action: "paid_out" },
    links: { payment: `PM${index}` },
  }));
  const message = (events: JsonValue, origin: string | undefined, environment: "sandbox" | "live"): InboundMessage => ({
    header: (name) => (name.toLowerCase() === "origin" && origin !== undefined ? [origin] : []),
    body: new Uint8Array(),
    json: () => ({ events }),
    ...{ settings: {}, secrets: {}, environment, nowMs: 0 },
  });

  test("has up to 250 events, each with its own id", () => {
    const events = inbound?.parse(message(payments, "https://api.gocardless.com", "live"));
    expect(events).toHaveLength(250);
    expect(events?.[249]).toEqual({
      ...{ id: "EV249", type: "payments.paid_out", occurredAtMs: Date.parse("2026-11-27T09:00:00.123Z") },
      event: payments[249],
    });
  });

  test.each([
    ["live", "https://api-sandbox.gocardless.com", "other_environment"],
    ["sandbox", "https://api.gocardless.com", "other_environment"],
    ["live", "https://api.gocardless.com", []],
    ["sandbox", undefined, []],
  ] as const)("at a %s address from %s is %j", (environment, origin, wanted) => {
    expect(inbound?.parse(message([], origin, environment))).toEqual(wanted);
  });

  test("with an event of an unknown kind is accepted, and one in another form is refused", () => {
    const unknown = { ...payments[0], resource_type: "vouchers", action: "spent" };
    expect(inbound?.parse(message([unknown], undefined, "live"))).toMatchObject([{ type: "vouchers.spent" }]);
    expect(() => inbound?.parse(message([{ id: "EV1" }], undefined, "live"))).toThrow("not events of GoCardless");
    expect(() => inbound?.parse(message("EV1", undefined, "live"))).toThrow("not events of GoCardless");
  });

  test("with a time in another form is accepted without it", () => {
    const odd = { ...payments[0], created_at: "2026-11-27T09:00::00Z" };
    expect(inbound?.parse(message([odd], undefined, "live"))).toMatchObject([{ id: "EV0", occurredAtMs: undefined }]);
  });

  test("with a wrong signature is answered with 498", () => {
    expect(inbound?.refusalStatus).toBe(498);
  });

  test("is refused by a connection without the secret of its endpoint", () => {
    expect(inbound?.verify(message([], undefined, "live"))).toBe(false);
  });
});
