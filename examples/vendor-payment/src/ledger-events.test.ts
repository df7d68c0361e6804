import { signatureHeader, signEvent } from "@procedo-examples/ledger";
import { describe, expect, test } from "vitest";
import { ledgerEvents } from "./ledger-events.ts";

const inbound = ledgerEvents.inbound;
if (inbound === undefined) throw new Error("The integration has no events.");

const now = new Date("2026-11-27T09:00:00Z");
const [secret, oldSecret, otherSecret] = [
  "the-secret-of-the-ledger",
  "the-secret-before-it",
  "the-secret-of-another-service",
];
const event = inbound.events[0]?.sample;
const body = JSON.stringify(event);

/** A request to the connection, with the lines of its signature header. */
function message(lines: readonly string[], text = body, atMs = now.getTime()) {
  return {
    header: (name: string) => (name.toLowerCase() === signatureHeader.toLowerCase() ? lines : []),
    body: Buffer.from(text),
    json: () => JSON.parse(text) as never,
    settings: { baseUrl: "http://127.0.0.1:4010" },
    secrets: { signingSecret: secret, token: "token" },
    environment: "sandbox" as const,
    nowMs: atMs,
  };
}
const signed = (...secrets: readonly string[]) => signEvent({ body, secrets, now });

describe("verify", () => {
  test("accepts the ledger's own signature, by either secret while one is replaced", () => {
    for (const line of [signed(secret), signed(secret, oldSecret), signed(otherSecret, secret)]) {
      expect(inbound.verify(message([line]))).toBe(true);
    }
  });

  const good = signed(secret);
  const [time = "", signature = ""] = good.split(",");
  test.each([
    ["no header", []],
    ["an empty header", [""]],
    ["the header twice", [good, good]],
    ["another secret", [signed(otherSecret)]],
    ["no time", [signature]],
    ["two times", [`${time},${good}`]],
    ["no signature", [time]],
    ["an empty signature", [`${time},v1=`]],
    ["another version", [good.replace("v1=", "v0=")]],
    ["a shortened signature", [good.slice(0, -1)]],
    ["a time in words", [good.replace(/t=\d+/, "t=now")]],
    ["a third signature", [`${signed(otherSecret, oldSecret)},${signature}`]],
  ])("refuses %s", (_what, lines) => {
    expect(inbound.verify(message(lines))).toBe(false);
  });

  test("refuses other bytes of the same JSON", () => {
    expect(inbound.verify(message([good], JSON.stringify(event, null, 2)))).toBe(false);
  });

  test("refuses a request whose time differs by more than five minutes, in both directions", () => {
    for (const differenceMs of [-301_000, 301_000]) {
      expect(inbound.verify(message([good], body, now.getTime() + differenceMs))).toBe(false);
    }
    expect(inbound.verify(message([good], body, now.getTime() + 299_000))).toBe(true);
  });
});

describe("parse", () => {
  test("gives the event with the ledger's id, type and time", () => {
    const { id, type } = event as { readonly id: string; readonly type: string };
    expect(inbound.parse(message([]))).toEqual([{ id, type, occurredAtMs: now.getTime(), event }]);
  });

  test("accepts a type that the ledger has added, and refuses what is no event", () => {
    const added = JSON.stringify({ ...(event as object), type: "vendor.blocked" });
    expect(inbound.parse(message([], added))).toMatchObject([{ type: "vendor.blocked" }]);
    for (const text of ["[]", "{}", JSON.stringify({ ...(event as object), id: "" })]) {
      expect(() => inbound.parse(message([], text))).toThrow(expect.objectContaining({ code: "invalid_input" }));
    }
  });
});
