import { expect, test } from "vitest";
import type { Exchange } from "../integrations/integration.ts";
import { createRedactor } from "../secrets/redact.ts";
import { recordExchange } from "./record-exchange.ts";

const secret = "s3cr3t-value";
const redact = createRedactor([secret]);
const limits = { depth: 64, bytes: 4 * 1024 * 1024 };
const request = { method: "POST", url: "https://x.test/a", headers: {} };
const record = (exchange: Exchange) => recordExchange(exchange, redact, limits);

test("secrets are redacted everywhere", () => {
  const recorded = record({
    request: {
      method: "POST",
      url: `https://x.test/a?key=${secret}`,
      headers: { "x-key": secret, [secret]: "x", authorization: "Basic dTpw" },
      body: { inside: [`Bearer ${secret}`], [secret]: Buffer.from(secret).toString("base64") },
    },
    response: { status: 200, headers: { "Set-Cookie": "a=b", "x-echo": secret }, body: secret },
  });
  expect(JSON.stringify(recorded)).not.toContain(secret);
  expect(recorded).toEqual({
    request: {
      method: "POST",
      url: "https://x.test/a?key=[redacted]",
      headers: { "x-key": "[redacted]", "[redacted]": "x", authorization: "[redacted]" },
      body: { inside: ["Bearer [redacted]"], "[redacted]": "[redacted]" },
    },
    response: { status: 200, headers: { "Set-Cookie": "[redacted]", "x-echo": "[redacted]" }, body: "[redacted]" },
  });
});

test("a secret at the end of a long text is redacted before the text is cut", () => {
  const url = `https://x.test/${"a".repeat(8_192 - 15 - 6)}${secret}`;
  expect(JSON.stringify(record({ request: { ...request, url } }))).not.toContain(secret.slice(0, 6));
});

test("a body above the limit of the record is omitted, with a note", () => {
  const body = "x".repeat(300_000);
  expect(record({ request: { ...request, body }, response: { status: 500, headers: {}, body } })).toEqual({
    request,
    response: { status: 500, headers: {} },
    note:
      "The body of the request is left out: it has 300002 bytes; the limit is 262144 bytes. " +
      "The body of the answer is left out: it has 300002 bytes; the limit is 262144 bytes.",
  });
});

test("an invalid exchange of an integration does not fail the call", () => {
  const broken = {
    get request(): never {
      throw new Error("no");
    },
  };
  expect(record(broken)).toBeUndefined();
  const deep = record({ request: { ...request, body: JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`) as never } });
  expect(deep?.note).toContain("left out");
});

test("an absent answer and a body of null are kept", () => {
  expect(record({ request: { ...request, body: null } })).toEqual({ request: { ...request, body: null } });
});
