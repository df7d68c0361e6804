import * as sync from "@procedo/webhooks";
import * as web from "@procedo/webhooks/web";
import { describe, expect, test } from "vitest";
import { completed, custom, exactBytes, failed, notEvents, reviewRequested, secret } from "./vectors.ts";

const { body, signature } = completed;
const hex = signature.slice("sha256=".length);
const another = "whsec_another";
const bytes = new TextEncoder().encode(String(body));

/** Header values that a sender could send beside the valid one. */
const badSignatures: readonly (readonly [name: string, value: unknown, code: sync.WebhookErrorCode])[] = [
  ["missing", undefined, "missing_signature"],
  ["null, as Headers give a missing one", null, "missing_signature"],
  ["empty", "", "missing_signature"],
  ["a sentence", "I'm not even a real signature header", "malformed_signature"],
  ["only white space", "   ", "malformed_signature"],
  ["the digest without its prefix", hex, "malformed_signature"],
  ["an unknown algorithm", `sha1=${hex}`, "malformed_signature"],
  ["an algorithm that is nearly right", `sha258=${hex}`, "malformed_signature"],
  ["a version prefix", `v0=${hex}`, "malformed_signature"],
  ["the prefix in capitals", `SHA256=${hex}`, "malformed_signature"],
  ["the prefix alone", "sha256=", "malformed_signature"],
  ["cut to 8 digits", signature.slice(0, 15), "malformed_signature"],
  ["one digit short", signature.slice(0, -1), "malformed_signature"],
  ["one digit long", `${signature}0`, "malformed_signature"],
  ["an invalid digit", `${signature.slice(0, -1)}g`, "malformed_signature"],
  ["capital digits", `sha256=${hex.toUpperCase()}`, "malformed_signature"],
  ["a line break behind it", `${signature}\n`, "malformed_signature"],
  ["a space before it", ` ${signature}`, "malformed_signature"],
  ["a second part", `${signature}=`, "malformed_signature"],
  ["twice, as Node joins a repeated header", `${signature}, ${signature}`, "malformed_signature"],
  ["a list", [signature], "malformed_signature"],
  ["an empty list", [], "malformed_signature"],
  ["an object", { toString: () => signature }, "malformed_signature"],
  ["a number", 0, "malformed_signature"],
  ["bytes", new TextEncoder().encode(signature), "malformed_signature"],
  ["wide digits", `sha256=${"１".repeat(64)}`, "malformed_signature"],
  ["zeros", `sha256=${"0".repeat(64)}`, "wrong_signature"],
  ["another body's", failed.signature, "wrong_signature"],
  ["its first digit changed", signature.replace("=7", "=8"), "wrong_signature"],
  ["its last digit changed", `${signature.slice(0, -1)}4`, "wrong_signature"],
];

/** Settings that would accept everything, or nothing. */
const badSecrets: readonly (readonly [name: string, value: unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["empty", ""],
  ["white space", " \n"],
  ["only its prefix", "whsec_"],
  ["followed by a line break", `${secret}\n`],
  ["followed by a space", `${secret} `],
  ["of two words", "whsec_a b"],
  ["a number", 42],
  ["a key object", { secret }],
  ["an empty list", []],
  ["a list with a hole in it", [secret, undefined]],
  ["a list with an empty one", [secret, ""]],
];

describe.each([
  ["@procedo/webhooks", sync],
  ["@procedo/webhooks/web", web],
] as const)("%s", (_entry, { isValidSignature, signWebhook, verifyWebhook }) => {
  const verify = async (received: object): Promise<web.WebhookEvent> =>
    verifyWebhook({ body, signature, secret, ...received });
  const isValid = async (received: object): Promise<boolean> =>
    isValidSignature({ body, signature, secret, ...received });

  test.each([completed, failed, reviewRequested, custom])(
    "a signature of openssl is valid: $signature",
    async (vector) => {
      expect(await isValid(vector)).toBe(true);
      expect(await verify(vector)).toEqual(JSON.parse(String(vector.body)));
    },
  );

  test.each(Object.entries(exactBytes))(
    "the signature depends on the bytes, not on their meaning: %s",
    async (_name, vector) => {
      expect(await verify(vector)).toEqual(JSON.parse(String(vector.body)));
      const again = JSON.stringify(JSON.parse(String(vector.body)));
      expect(again).not.toBe(vector.body);
      expect(await isValid({ ...vector, body: again })).toBe(false);
    },
  );

  test.each(Object.entries({ ...exactBytes, ...notEvents }))("signs as openssl does: %s", async (_name, vector) => {
    expect(await signWebhook({ body: vector.body, secret })).toBe(vector.signature);
  });

  test("signs with a key in UTF-8, and with one longer than the hash's block", async () => {
    expect(await signWebhook({ body: "x", secret: "whsec_schlüssel👍" })).toBe(
      "sha256=85e5c4a6ffce75e757ec8e1d96328e7d6c24d9a22497a58fdb58694f9c8cabe3",
    );
    // RFC 4231, test case 2, and `openssl dgst -sha256 -hmac` with 131 letters.
    expect(await signWebhook({ body: "what do ya want for nothing?", secret: "Jefe" })).toBe(
      "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
    expect(await signWebhook({ body: "x", secret: "a".repeat(131) })).toBe(
      "sha256=76f0801bdbc0ff29214ffdd6edce36467d4142a842d91a011c59c66d12693db0",
    );
  });

  test.each([
    ["text", body],
    ["a Uint8Array", bytes],
    ["a Buffer", Buffer.from(bytes)],
    ["an ArrayBuffer", bytes.buffer],
    ["a view into a larger buffer", new Uint8Array([0, ...bytes, 0]).subarray(1, -1)],
    ["a DataView", new DataView(bytes.buffer)],
  ])("accepts %s", async (_name, given) => {
    expect(await isValid({ body: given })).toBe(true);
    expect((await verify({ body: given })).id).toBe("dlv_1");
  });

  test.each(badSignatures)("refuses a signature that is %s", async (_name, value, code) => {
    expect(await isValid({ signature: value })).toBe(false);
    await expect(verify({ signature: value })).rejects.toMatchObject({ name: "WebhookError", code });
  });

  test.each(badSecrets)("refuses a secret that is %s", async (_name, value) => {
    await expect(isValid({ secret: value })).rejects.toMatchObject({ code: "invalid_secret" });
    await expect(verify({ secret: value })).rejects.toMatchObject({ code: "invalid_secret" });
    const sign = async (): Promise<string> => signWebhook({ body, secret: value as string });
    await expect(sign()).rejects.toMatchObject({ code: "invalid_secret" });
  });

  test("a missing secret is reported even if the request is invalid", async () => {
    await expect(verify({ secret: "", signature: undefined })).rejects.toMatchObject({ code: "invalid_secret" });
    await expect(isValid({ secret: "", body: undefined })).rejects.toMatchObject({ code: "invalid_secret" });
  });

  test("any changed bit of the body makes the signature invalid", async () => {
    for (let index = 0; index < bytes.length; index += 7) {
      const changed = bytes.slice();
      changed[index] = (changed[index] ?? 0) ^ (1 << (index % 8));
      expect(await isValid({ body: changed })).toBe(false);
    }
    expect(await isValid({ body: bytes.subarray(0, -1) })).toBe(false);
    expect(await isValid({ body: `${String(body)}\n` })).toBe(false);
  });

  test("one of several secrets must match, in any position", async () => {
    expect(await isValid({ secret: [secret] })).toBe(true);
    expect(await isValid({ secret: [another, secret] })).toBe(true);
    expect(await isValid({ secret: [secret, another] })).toBe(true);
    expect(await isValid({ secret: [another, "whsec_third"] })).toBe(false);
    await expect(verify({ secret: another })).rejects.toMatchObject({ code: "wrong_signature" });
  });

  test("a receiver with the old secret accepts the old signature while it is sent", async () => {
    const newSignature = await signWebhook({ body: String(body), secret: another });
    const rotated = { signature: newSignature, oldSignature: signature, secret };
    expect((await verify(rotated)).id).toBe("dlv_1");
    expect(await isValid(rotated)).toBe(true);
    expect(await isValid({ ...rotated, oldSignature: undefined })).toBe(false);
    expect(await isValid({ ...rotated, secret: "whsec_third" })).toBe(false);
  });

  test.each(badSignatures)("an old signature that is %s has no effect", async (_name, value) => {
    expect(await isValid({ signature: failed.signature, oldSignature: value })).toBe(false);
    expect(await isValid({ oldSignature: value })).toBe(true);
  });

  test("the old signature does not replace a missing or malformed one", async () => {
    expect(await isValid({ signature: undefined, oldSignature: signature })).toBe(false);
    await expect(verify({ signature: "sha256=", oldSignature: signature })).rejects.toMatchObject({
      code: "malformed_signature",
    });
  });

  test.each([
    ["a parsed body", JSON.parse(String(body)) as unknown],
    ["nothing", undefined],
    ["null", null],
    ["a Date", new Date(0)],
    ["a number", 1],
    ["a list of bytes", [...bytes]],
    ["an object that looks like text", { toString: () => body, length: 5 }],
  ])("never verifies %s instead of the raw body, and reports the reason", async (_name, given) => {
    await expect(verify({ body: given })).rejects.toMatchObject({ code: "body_not_raw" });
    await expect(verify({ body: given })).rejects.toThrow("express.raw");
    expect(await isValid({ body: given })).toBe(false);
    const sign = async (): Promise<string> => signWebhook({ body: given as string, secret });
    await expect(sign()).rejects.toMatchObject({ code: "body_not_raw" });
  });

  test.each(Object.entries(notEvents))(
    "%s, validly signed, has another error than an invalid signature",
    async (_name, vector) => {
      expect(await isValid(vector)).toBe(true);
      await expect(verify(vector)).rejects.toMatchObject({ code: vector.code });
      await expect(verify({ ...vector, signature })).rejects.toMatchObject({ code: "wrong_signature" });
    },
  );

  test("no error contains a secret, a digest or a part of the body", async () => {
    const attempts = [
      ...badSignatures.map(([, value]) => ({ signature: value })),
      ...Object.values(notEvents),
      { secret: `${secret} ` },
      { body: { confidential: "confidential" } },
    ];
    for (const attempt of attempts) {
      const error = await verify(attempt).catch((thrown: unknown) => thrown);
      const reported = error instanceof Error ? `${error.message} ${error.stack} ${JSON.stringify(error)}` : "";
      expect(reported).toContain("WebhookError");
      expect(reported).not.toMatch(new RegExp(`${secret}|${hex}|confidential|ssl_check|vendor-payment`));
    }
  });
});
