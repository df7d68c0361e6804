import { isValidSignature } from "@procedo/webhooks";
import { describe, expect, test } from "vitest";
import { envelopeOf, signedHeaders } from "./envelope.ts";

const claimed = {
  scope: { workspace: "w", environment: "live" },
  deliveryId: "dlv_1",
  webhookId: "whk_1",
  event: "run_completed",
  createdAtMs: Date.UTC(2026, 0, 2, 12),
  data: '{"output":{"text":"Zürich 💶 \\ud800","big":12345678901234567890,"exact":0.10}}',
  epoch: 1,
  attempt: 1,
  manual: false,
} as const;
const secret = "whsec_ZsO8cmljaCDwn5K2";

describe("the request of a delivery", () => {
  test("contains the event's data byte for byte, including big numbers and lone surrogates", () => {
    expect(Buffer.from(envelopeOf(claimed)).toString()).toBe(
      `{"id":"dlv_1","event":"run_completed","createdAt":"2026-01-02T12:00:00.000Z","data":${claimed.data}}`,
    );
  });

  test("has the same signature as openssl computes", () => {
    const body = envelopeOf(claimed);
    const signature = signedHeaders(body, { secret, old: undefined }, 0)["X-Service-Signature"];
    // openssl dgst -sha256 -hmac whsec_ZsO8cmljaCDwn5K2
    expect(signature).toBe("sha256=cd20ad49c6514836d10d4c560f16728ddaed96f325e97e498ad996684f29d294");
  });

  test("is also signed with the old secret until that expires", () => {
    const body = envelopeOf(claimed);
    const secrets = { secret, old: { secret: "whsec_old", expiresAtMs: 1_000 } };
    const before = signedHeaders(body, secrets, 999);
    expect(isValidSignature({ body, secret, signature: before["X-Service-Signature"] })).toBe(true);
    expect(isValidSignature({ body, secret: "whsec_old", signature: before["X-Service-Signature-Old"] })).toBe(true);
    expect(signedHeaders(body, secrets, 1_000)).toEqual({
      "content-type": "application/json",
      "X-Service-Signature": before["X-Service-Signature"],
    });
  });
});
