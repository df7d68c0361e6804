import { describe, expect, test } from "vitest";
import { requestProblems } from "./request-problems.ts";
import { triggerSourceSchema } from "./trigger-source.ts";

const schedule = { kind: "schedule", cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" };
const hmac = { kind: "webhook", authentication: { scheme: "hmac", header: "X-Signature" } };

describe("a source", () => {
  test("of a schedule needs only its expression and zone", () => {
    expect(triggerSourceSchema.parse(schedule)).toEqual({
      ...schedule,
      startsAt: null,
      endsAt: null,
      spread: "PT0S",
      catchUp: "latest",
      catchUpWithin: "PT24H",
    });
  });

  test("of a webhook is deduplicated by its body for a day, and signed in hexadecimal with SHA-256", () => {
    expect(triggerSourceSchema.parse(hmac)).toEqual({
      kind: "webhook",
      authentication: {
        scheme: "hmac",
        header: "X-Signature",
        algorithm: "sha256",
        encoding: "hex",
        prefix: "",
        timestampHeader: null,
      },
      dedupe: { by: "body", within: "PT24H" },
    });
  });

  test("of Standard Webhooks is deduplicated by the signed id of its message, unless another way is chosen", () => {
    const source = { kind: "webhook", authentication: { scheme: "standard_webhooks" } };
    const dedupe = { by: "expression", expression: 'headers["webhook-id"]' };
    expect(triggerSourceSchema.parse(source)).toEqual({ ...source, dedupe });
    const chosen = { ...source, dedupe: { by: "body" } };
    expect(triggerSourceSchema.parse(chosen)).toEqual({ ...source, dedupe: { by: "body", within: "PT24H" } });
  });

  test("of custom events may be of any procedure", () => {
    const source = { kind: "event", name: "custom.payment_sent" };
    expect(triggerSourceSchema.parse(source)).toEqual({ ...source, procedureId: null });
  });

  test.each([
    { kind: "webhook" },
    { kind: "webhook", authentication: { scheme: "none" } },
    { kind: "webhook", authentication: { scheme: "token" } },
    { kind: "webhook", authentication: { scheme: "token", header: "not a header" } },
    { ...hmac, authentication: { ...hmac.authentication, algorithm: "md5" } },
    { ...hmac, dedupe: { by: "expression" } },
    { ...hmac, secret: "whsec_mine" },
    { ...schedule, timeZone: "" },
    { ...schedule, cron: "" },
    { ...schedule, catchUp: "some" },
    { ...schedule, startsAt: "tomorrow" },
    { kind: "integration", connection: "ledger", events: [] },
    { kind: "integration", connection: "ledger", events: ["payment.settled", "payment.settled"] },
    { kind: "event", name: "payment_sent" },
    { kind: "event", name: "custom." },
    { kind: "clock" },
    {},
  ])("is not %j", (source) => {
    expect(triggerSourceSchema.safeParse(source).success).toBe(false);
  });

  test("with faults is refused with the place of each", () => {
    const { error } = triggerSourceSchema.safeParse({ ...schedule, cron: "", timeZone: 1, seconds: true });
    expect(error && requestProblems(error).map(({ path }) => path)).toEqual(["/cron", "/timeZone", "/seconds"]);
  });
});
