import { describe, expect, test } from "vitest";
import { canary, findCanaries } from "./canary-forms.ts";

const text = 'cn/+"0123456789 abcdef%';
const secret = canary("the secret", text);
const base64 = (before: string): string => Buffer.from(`${before}${text} and more`).toString("base64");

describe("a secret is found", () => {
  test.each([
    ["as it is", `before ${text} after`],
    ["within JSON", JSON.stringify({ token: text })],
    ["in hex", Buffer.from(`x${text}x`).toString("hex")],
    ["in upper-case hex", Buffer.from(text).toString("hex").toUpperCase()],
    ["in an address", `https://a.example/?token=${encodeURIComponent(text)}`],
    ["in an address with lower-case escapes", encodeURIComponent(text).replace(/%../g, (part) => part.toLowerCase())],
    ["in a form", new URLSearchParams({ token: text }).toString()],
    ["in HTML", `<p>${text.replace('"', "&quot;")}</p>`],
    ["in HTML twice", text.replace('"', "&amp;#x22;").replaceAll("/", "&amp;#x2F;").replaceAll("+", "&amp;#x2B;")],
    ["in JSON within JSON", JSON.stringify(JSON.stringify({ token: text }))],
    ["in an address within HTML", encodeURI(text).replaceAll("+", "&#x2B;").replaceAll("/", "&#x2F;")],
    ["in base64", base64("")],
    ["in base64 behind one character", base64("u")],
    ["in base64 behind two", base64("u:")],
    ["in base64url", Buffer.from(`user:${text}`).toString("base64url")],
  ])("%s", (_what, trace) => {
    expect(findCanaries([secret], [{ where: "a log", bytes: Buffer.from(trace) }])).toEqual([
      expect.stringContaining("the secret stands in a log"),
    ]);
  });

  test("when it is no text", () => {
    const key = { name: "the key", bytes: Buffer.from([0xff, 0, 0xfe, 1, 0xfd, 2, 0xfc, 3]) };
    const trace = { where: "a file", bytes: Buffer.from(`key=${key.bytes.toString("base64")}`) };
    expect(findCanaries([key], [trace])).toHaveLength(1);
    expect(findCanaries([key], [{ where: "a file", bytes: Buffer.from("key=") }])).toEqual([]);
  });
});

test("a form that two names fit is reported once", () => {
  const digits = canary("the digits", "0123456789");
  const trace = { where: "a request", bytes: Buffer.from(Buffer.from("0123456789").toString("hex")) };
  expect(findCanaries([digits], [trace])).toEqual(["the digits stands in a request (hex)."]);
});

test("an absent secret is not found", () => {
  expect(findCanaries([secret], [{ where: "a log", bytes: Buffer.from("[redacted]") }])).toEqual([]);
});
