import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { ActionError } from "@procedo/engine";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { body, bodyInputs, call, operation } from "./operations.ts";
import { recordingServer, type Answer, type RecordingServer } from "./recording-server.ts";

let server: RecordingServer;
beforeAll(async () => {
  server = await recordingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.splice(0);
});

const read = operation();
const write = operation({ method: "post", effect: "once" });
const json = { "content-type": "application/json" };

async function answered(answer: Answer, one = read, secrets = {}) {
  server.answers = [answer];
  return call(one, {}, { baseUrl: server.origin, secrets });
}

async function failure(answer: Answer, one = read, secrets = {}): Promise<ActionError> {
  const error: unknown = await answered(answer, one, secrets).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ActionError) return error;
  throw new Error("The call did not fail as an action does.", { cause: error });
}

describe("a 2xx is the output", () => {
  test.each<[string, Answer, unknown]>([
    ["JSON by its type", { headers: json, body: '{"id":"p1","list":[1,null]}' }, { id: "p1", list: [1, null] }],
    ["JSON of a vendor", { headers: { "content-type": "application/vnd.x+json; charset=utf-8" }, body: "[1]" }, [1]],
    ["JSON without a type", { body: '{"a":1}' }, { a: 1 }],
    ["JSON behind a byte order mark", { headers: json, body: '\ufeff{"a":1}' }, { a: 1 }],
    ["text without a type", { body: "done" }, "done"],
    ["no body", { status: 204 }, null],
    ["an empty body", { status: 200, headers: json }, null],
    ["text", { headers: { "content-type": "text/html" }, body: "<b>ü</b>" }, "<b>ü</b>"],
    [
      "text in its charset",
      { headers: { "content-type": "text/plain; charset=iso-8859-1" }, body: Buffer.from([0x5a, 0xfc]) },
      "Zü",
    ],
    ["XML", { headers: { "content-type": "application/xml" }, body: "<a/>" }, "<a/>"],
    [
      "text without a charset that is not UTF-8",
      { headers: { "content-type": "text/plain" }, body: Buffer.from("Zürich", "latin1") },
      "Zürich",
    ],
    [
      "text in UTF-16 behind a byte order mark",
      { headers: { "content-type": "text/csv" }, body: Buffer.from("\ufeffa;ü", "utf16le") },
      "a;ü",
    ],
    [
      "XML in the encoding that it declares",
      {
        headers: { "content-type": "application/xml" },
        body: Buffer.concat([Buffer.from('<?xml version="1.0" encoding="ISO-8859-5"?><a>'), Buffer.from([0xb4, 0xd0])]),
      },
      '<?xml version="1.0" encoding="ISO-8859-5"?><a>Да',
    ],
    [
      "bytes",
      { headers: { "content-type": "application/pdf" }, body: Buffer.from([0, 255]) },
      { base64: "AP8=", contentType: "application/pdf" },
    ],
  ])("%s", async (_name, answer, output) => {
    expect((await answered(answer)).output).toEqual(output);
  });

  test.each([200, 201, 202, 206, 299])("%d", async (status) => {
    expect((await answered({ status, headers: json, body: "1" }, write)).output).toBe(1);
  });

  test("numbers keep all digits", async () => {
    const text = '{"id":9007199254740993,"amount":0.1000000000000000055,"small":0.1,"big":1e400}';
    expect((await answered({ headers: json, body: text })).output).toEqual({
      id: "9007199254740993",
      amount: "0.1000000000000000055",
      small: 0.1,
      big: "1e400",
    });
  });

  test("a member __proto__ is not dropped, however it is written, and changes nothing", async () => {
    const text = '{"a":{"__proto__":{"polluted":1},"b":[{"\\u005f\\u005fproto\\u005f\\u005f":1,"c":2}]}}';
    const { output } = await answered({ headers: json, body: text });
    expect(JSON.stringify(output)).toBe('{"a":{"__proto__":{"polluted":1},"b":[{"__proto__":1,"c":2}]}}');
    expect(Object.prototype).not.toHaveProperty("polluted");
  });

  test("endlessly nested JSON neither overflows nor is lost", async () => {
    const deep = `${'{"__proto__":['.repeat(100_000)}`;
    expect((await answered({ headers: json, body: deep }, write)).output).toBe(deep);
    const closed = `${"[".repeat(100_000)}"__proto__"${"]".repeat(100_000)}`;
    expect(Array.isArray((await answered({ headers: json, body: closed })).output)).toBe(true);
  });

  test("an output is accepted even when it contradicts the document", async () => {
    const one = operation({ output: { type: "object", required: ["id"] } });
    expect(await answered({ headers: json, body: "[]" }, one)).toMatchObject({ output: [], violations: [] });
  });
});

describe("a 2xx that claims to be JSON and is not", () => {
  const answers: [string, Answer, string][] = [
    ["was cut off", { headers: json, body: '{"paid":true,"id":"p' }, "is not valid JSON"],
    ["holds a page", { headers: json, body: "<html></html>" }, "is not valid JSON"],
    ["is no UTF-8", { headers: json, body: Buffer.from([0xfc]) }, "is not UTF-8"],
    [
      "was cut off within its content coding",
      { headers: { ...json, "content-encoding": "gzip" }, body: gzipSync('{"paid":true}').subarray(0, 15) },
      "content coding that cannot be decoded",
    ],
    [
      "is shorter for its Content-Length",
      { headers: { ...json, "content-length": "9" }, body: '{"paid":t' },
      "is not valid JSON",
    ],
  ];

  test.each(answers)("with %s is not an output, but the write counts as executed", async (_name, answer, reason) => {
    const { unusable, exchange } = await answered({ status: 201, ...answer }, write);
    expect(unusable).toMatch(new RegExp(`^with 201 .*${reason}`));
    expect(exchange?.response).toMatchObject({ status: 201 });
    expect(exchange?.response?.body).toBeDefined();
  });

  test.each(answers)("with %s fails a read, which may be repeated", async (_name, answer, reason) => {
    const error = await failure(answer);
    expect(error).toMatchObject({ outcome: "refused", mayRetry: true });
    expect(error.message).toContain(reason);
  });
});

test.each(["OK", "Accepted.", " queued "])("%j under the type of JSON is text", async (body) => {
  expect(await answered({ status: 201, headers: json, body }, write)).toMatchObject({ output: body });
  expect(await answered({ headers: json, body })).toMatchObject({ output: body });
});

describe("any other response is an error that states the outcome", () => {
  test.each([
    [400, "refused", false, "refused", false],
    [401, "refused", false, "refused", false],
    [404, "refused", false, "refused", false],
    [409, "conflict", false, "conflict", false],
    [423, "conflict", false, "conflict", false],
    [425, "refused", true, "refused", true],
    [422, "refused", false, "refused", false],
    [429, "refused", true, "refused", true],
    [302, "refused", false, "unknown", undefined],
    [408, "refused", true, "unknown", undefined],
    [500, "refused", true, "unknown", undefined],
    [503, "refused", true, "unknown", undefined],
  ] as const)("%d: a read is %s, retried %j; a write %s, %j", async (status, read1, again, write1, writeAgain) => {
    const ofRead = await failure({ status }, read);
    expect([ofRead.outcome, ofRead.mayRetry]).toEqual([read1, again]);
    const ofWrite = await failure({ status }, write);
    expect(ofWrite.outcome).toBe(write1);
    if (writeAgain !== undefined) expect(ofWrite.mayRetry).toBe(writeAgain);
    expect(ofWrite.message).toContain(String(status));
  });

  test("its status, its reason and its body are recorded", async () => {
    const error = await failure({ status: 402, headers: json, body: '{"error":{"code":"card_declined"}}' }, write);
    const said = { error: { code: "card_declined" } };
    expect(error.failureDetails).toEqual({ status: 402, reason: "card_declined", body: said });
    expect(error.exchange?.response).toMatchObject({
      status: 402,
      headers: { "content-type": "application/json" },
      body: said,
    });
    expect(error.message).not.toContain("card_declined");
    expect((await failure({ status: 500 })).failureDetails).toEqual({ status: 500 });
  });

  test("a long body is truncated, with its size and digest", async () => {
    const long = "ü".repeat(20_000);
    const { failureDetails } = await failure({ status: 500, headers: { "content-type": "text/plain" }, body: long });
    expect(failureDetails).toEqual({
      status: 500,
      reason: "ü".repeat(500),
      body: {
        beginning: "ü".repeat(16_384),
        bytes: 40_000,
        sha256: createHash("sha256").update(long).digest("hex"),
      },
    });
  });

  test("no part records a secret, in any encoding and wherever the record ends", async () => {
    const apiKey = 'sk/live"0123&89ü';
    const html = apiKey.replaceAll("&", "&amp;amp;").replaceAll('"', "&amp;#34;");
    const basic = Buffer.from(`u:${apiKey}`).toString("base64");
    for (const written of [apiKey, html, encodeURI(apiKey), JSON.stringify(JSON.stringify(apiKey)), basic]) {
      for (let before = 0; before <= written.length; before++) {
        const body = `${"x".repeat(16 * 1024 - before)}${written} ${"y".repeat(100)}`;
        const error = await failure({ status: 400, body, headers: { "content-type": "text/plain" } }, read, { apiKey });
        const kept = (error.failureDetails as { body: { beginning: string } }).body.beginning;
        expect(kept.replace(/^x+/, "")).toMatch(/^(["\\]*|dT?p?)(\[[redact]*\]?[A"\\=]* ?y*)?$/);
      }
    }
  });

  test("a secret is found in bytes before base64, and in text of another charset", async () => {
    const apiKey = "sk_live_0123456789abcdef";
    const basic = Buffer.from(`user:${apiKey}`).toString("base64");
    const dump = Buffer.concat([Buffer.from([0, 255]), Buffer.from(`Authorization: Basic ${basic}`)]);
    const output = await answered({ headers: { "content-type": "application/octet-stream" }, body: dump }, read, {
      apiKey,
    });
    const { base64 } = output.output as { base64: string };
    expect(Buffer.from(base64, "base64").toString("latin1")).toContain("Basic dXNlcjp[redacted]");
    const utf16 = Buffer.from(`${"x".repeat(100)}${apiKey}${"y".repeat(20_000)}`, "utf16le");
    const headers = { "content-type": "text/plain; charset=utf-16le" };
    const { failureDetails } = await failure({ status: 500, body: utf16, headers }, read, { apiKey });
    expect(JSON.stringify(failureDetails)).toContain("xxx[redacted]yyy");
  });

  test("a secret is not cut in two, which would hide its remainder from the redaction", async () => {
    const secret = "sk_live_0123456789abcdef";
    const echoed = `${"x".repeat(16 * 1024 - 10)}${secret}${"y".repeat(100)}`;
    const error = await failure({ status: 400, body: echoed, headers: { "content-type": "text/plain" } }, read, {
      apiKey: secret,
    });
    expect(JSON.stringify(error.failureDetails)).not.toContain("sk_live");
  });
});

describe("Retry-After", () => {
  test.each([
    [{ "retry-after": "7" }, 7_000],
    [{ "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", date: "Wed, 21 Oct 2026 07:28:00 GMT" }, 30_000],
    [{ "retry-after": "Wed, 21 Oct 2026 07:27:00 GMT", date: "Wed, 21 Oct 2026 07:28:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{}, undefined],
  ])("%j is %j ms", async (headers, expected) => {
    for (const status of [429, 503]) expect((await failure({ status, headers })).retryAfterMs).toBe(expected);
    expect((await failure({ status: 503, headers }, write)).retryAfterMs).toBe(expected);
  });
});

describe("the record of the exchange", () => {
  test("contains the request with its headers and body, and the response with its headers", async () => {
    server.answers = [
      { status: 201, headers: { ...json, "x-request-id": "r1", "set-cookie": ["a=secret", "b=secret"] }, body: "{}" },
    ];
    const one = operation({ method: "post", effect: "once", body: body("application/json"), inputs: bodyInputs("a") });
    const { exchange } = await call(one, { a: [1] }, { baseUrl: server.origin });
    expect(exchange?.request).toEqual({
      method: "POST",
      url: `${server.origin}/it`,
      headers: { accept: expect.any(String) as string, "content-type": "application/json" },
      body: { a: [1] },
    });
    expect(exchange?.response).toMatchObject({ status: 201, headers: { "x-request-id": "r1" } });
    expect(exchange?.response).not.toHaveProperty("body");
    expect(JSON.stringify(exchange)).not.toContain("secret");
  });

  test.each([
    ["text/plain", "a".repeat(70_000), { beginning: "a".repeat(65_536), bytes: 70_000 }],
    ["application/octet-stream", { base64: Buffer.alloc(70_000, 255).toString("base64") }, { bytes: 70_000 }],
    ["application/octet-stream", { base64: "AP8=" }, { base64: "AP8=" }],
    ["application/json", { long: "a".repeat(70_000) }, { bytes: 70_011 }],
  ])("a body of %s is bounded", async (mediaType, value, expected) => {
    server.answers = [{ status: 204 }];
    const made = body(mediaType, { shape: "whole" });
    const one = operation({ method: "post", effect: "once", body: made, inputs: bodyInputs("") });
    const { exchange } = await call(one, { body: value }, { baseUrl: server.origin });
    expect(exchange?.request.body).toMatchObject(expected);
    expect(JSON.stringify(exchange).length).toBeLessThan(100_000);
  });
});
