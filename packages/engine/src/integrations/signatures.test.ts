import { createHmac } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { isSignature, signedAtMs } from "./signatures.ts";

const secret = "It's a Secret to Everybody";
const message = ["Hello, World!"];
/** From GitHub's page "Validating webhook deliveries". */
const hex = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

describe("a signature", () => {
  it("is the HMAC of the message, as services document it", () => {
    expect(isSignature(hex, message, { secret })).toBe(true);
    expect(isSignature(Buffer.from(hex, "hex").toString("base64"), message, { secret, encoding: "base64" })).toBe(true);
  });

  it.each(["sha1", "sha256", "sha512"] as const)("is made by %s where its form says so", (algorithm) => {
    const signature = createHmac(algorithm, secret).update("Hello, World!").digest("hex");
    expect(isSignature(signature, message, { secret, algorithm })).toBe(true);
    for (const other of ["sha1", "sha256", "sha512"] as const) {
      expect(isSignature(signature, message, { secret, algorithm: other })).toBe(other === algorithm);
    }
  });

  it("covers the message in parts and in bytes alike", () => {
    expect(isSignature(hex, ["Hello,", new TextEncoder().encode(" World!")], { secret })).toBe(true);
    expect(isSignature(hex, message, { secret: new TextEncoder().encode(secret) })).toBe(true);
  });

  it("is hex in either case", () => {
    expect(isSignature(hex.toUpperCase(), message, { secret })).toBe(true);
  });

  it.each([
    ["empty", ""],
    ["shortened by a digit", hex.slice(0, 63)],
    ["in upper case and shortened", hex.toUpperCase().slice(0, 63)],
    ["with a digit more", `${hex}0`],
    ["with a digit changed", hex.replace(/.$/, "8")],
    ["with a character that is no digit", `${hex.slice(0, 63)}g`],
    ["with spaces", ` ${hex}`],
    ["of another secret", createHmac("sha256", "other").update("Hello, World!").digest("hex")],
    ["in base64", Buffer.from(hex, "hex").toString("base64")],
  ])("is refused when it is %s", (_how, text) => {
    expect(isSignature(text, message, { secret })).toBe(false);
  });

  it.each([
    ["without its padding", (whole: string) => whole.replace(/=+$/, "")],
    ["without a slash", (whole: string) => whole.replace("/", "")],
    ["in base64url", (whole: string) => whole.replaceAll("+", "-").replaceAll("/", "_")],
    ["with a line break", (whole: string) => `${whole.slice(0, 10)}\n${whole.slice(10)}`],
    ["with more behind it", (whole: string) => `${whole}AA`],
    ["in hex", (whole: string) => Buffer.from(whole, "base64").toString("hex")],
  ])("in base64 is refused %s", (_how, change) => {
    // A message whose signature holds both characters that base64url writes in another way.
    const body = [...Array(1_000).keys()].find((number) => /[+].*[/]/.test(base64Of(`${number}`)));
    const whole = base64Of(`${body}`);
    expect(isSignature(whole, [`${body}`], { secret, encoding: "base64" })).toBe(true);
    expect(isSignature(change(whole), [`${body}`], { secret, encoding: "base64" })).toBe(false);
  });
});

function base64Of(body: string): string {
  return createHmac("sha256", secret).update(body).digest("base64");
}

test.each([
  ["1000", 1_000_000],
  ["1300", 1_300_000],
  ["700", 700_000],
  ["1301", undefined],
  ["699", undefined],
  ["", undefined],
  ["soon", undefined],
  ["-1000", undefined],
  ["1000.5", undefined],
  ["1e3", undefined],
  [" 1000", undefined],
  ["0x3e8", undefined],
  ["1000000", undefined],
])("the time %j of a signature at second 1000 is %s", (seconds, expected) => {
  expect(signedAtMs(seconds, 1_000_000)).toBe(expected);
});
