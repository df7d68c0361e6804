import { afterEach, expect, test, vi } from "vitest";
import { signWebhook } from "./sign-webhook.ts";
import { isValidSignature } from "./verify-webhook.ts";

afterEach(() => vi.restoreAllMocks());

test("every secret is compared with every signature, also after a match", () => {
  const { timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const compare = vi
    .spyOn(process.getBuiltinModule("node:crypto"), "timingSafeEqual")
    .mockImplementation(timingSafeEqual);
  const body = "{}";
  const [first, middle, last, foreign] = ["whsec_first", "whsec_middle", "whsec_last", "whsec_foreign"] as const;
  const secret = [first, middle, last];
  const oldSignature = signWebhook({ body, secret: foreign });
  const counts = [first, middle, last, foreign].map((by) => {
    compare.mockClear();
    const isRight = isValidSignature({ body, signature: signWebhook({ body, secret: by }), oldSignature, secret });
    return [isRight, compare.mock.calls.length];
  });
  expect(counts).toEqual([
    [true, 6],
    [true, 6],
    [true, 6],
    [false, 6],
  ]);
});

test("a malformed signature costs no HMAC", () => {
  const hmac = vi.spyOn(process.getBuiltinModule("node:crypto"), "createHmac");
  expect(isValidSignature({ body: "{}", signature: "sha256=", secret: "whsec_secret" })).toBe(false);
  expect(hmac).not.toHaveBeenCalled();
});
