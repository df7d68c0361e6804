import { describe, expect, test } from "vitest";
import { createHarness, type AskOptions } from "./harness.ts";

const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const big = "x".repeat(1024 * 1024);
const json = { "content-type": "application/json" };
const start = "POST /v1/procedures/echo";

/** Each request fails all checks from this one on, and gets the answer of the first. */
const faults: readonly [
  what: string,
  target: string,
  as: "nobody" | "reader" | "runner",
  options: AskOptions,
  answer: object,
][] = [
  ["the path", "POST /v1/procedure/echo/mars", "nobody", { text: "{" }, { status: 404, body: { code: "not_found" } }],
  ["the method", "PUT /v1/procedures/echo/mars", "nobody", { text: "{" }, { status: 405 }],
  ["the key", `${start}/mars`, "nobody", { text: "{" }, { status: 401, body: { code: "unauthorized" } }],
  ["an unknown environment", `${start}/mars`, "reader", { text: "{" }, { status: 404, body: { code: "not_found" } }],
  [
    "the other environment",
    `${start}/live`,
    "reader",
    { text: "{" },
    { status: 403, body: { code: "environment_mismatch" } },
  ],
  [
    "the other environment in the query",
    `${start}/sandbox?environment=live`,
    "reader",
    { text: "{" },
    { status: 403, body: { code: "environment_mismatch" } },
  ],
  [
    "the permission",
    `${start}/sandbox?x=1`,
    "reader",
    { text: "{" },
    { status: 403, body: { code: "permission_denied", error: expect.stringContaining('"run"') } },
  ],
  [
    "the query",
    `${start}/sandbox?x=1`,
    "runner",
    { text: "{", headers: { "content-type": "text/plain" } },
    { status: 400, body: { code: "unknown_field" } },
  ],
  [
    "the content type",
    `${start}/sandbox`,
    "runner",
    { text: big, headers: { "content-type": "text/plain" } },
    { status: 415 },
  ],
  [
    "the content encoding",
    `${start}/sandbox`,
    "runner",
    { text: big, headers: { ...json, "content-encoding": "gzip" } },
    { status: 415 },
  ],
  ["the size", `${start}/sandbox`, "runner", { text: `${big}{` }, { status: 413, body: { code: "payload_too_large" } }],
  [
    "the JSON",
    `${start}/sandbox`,
    "runner",
    { text: '{"data":{},"x":9007199254740993,}' },
    {
      status: 400,
      body: { code: "malformed_request", error: expect.stringMatching(/Line 1, column 32: There is a comma before/) },
    },
  ],
  [
    "the depth",
    `${start}/sandbox`,
    "runner",
    { text: `{"x":9007199254740993,"data":${deep(65)}}` },
    { status: 400, body: { code: "too_deep" } },
  ],
  [
    "a number",
    `${start}/sandbox`,
    "runner",
    { text: '{"x":9007199254740993}' },
    { status: 422, body: { code: "inexact_number", details: [{ path: "/x" }] } },
  ],
  [
    "a field",
    `${start}/sandbox`,
    "runner",
    { text: '{"x":1,"data":{}}' },
    { status: 400, body: { code: "unknown_field", details: [{ path: "/x" }] } },
  ],
  [
    "a missing field",
    "POST /v1/procedures/none/sandbox",
    "runner",
    { text: "{}" },
    { status: 400, body: { code: "malformed_request", details: [{ path: "/data" }] } },
  ],
  [
    "the requested resource",
    "POST /v1/procedures/none/sandbox",
    "runner",
    { text: '{"data":{}}' },
    { status: 404, body: { code: "procedure_not_found" } },
  ],
];

describe("a request is refused first for", () => {
  test.each(faults)("%s", async (_what, target, as, options, answer) => {
    const harness = await createHarness();
    const key = as === "nobody" ? undefined : await harness.key(as === "reader" ? [] : ["run"]);
    expect(await harness.ask(target, { ...options, key })).toMatchObject(answer);
  });
});

describe("a body", () => {
  test("of 64 levels within its envelope is accepted, of 65 it is a 400", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const ask = (levels: number) => harness.ask(`${start}/sandbox`, { key, text: `{"data":{"x":${deep(levels)}}}` });
    expect((await ask(63)).status).toBe(202);
    expect(await ask(64)).toMatchObject({ status: 400, body: { code: "too_deep" } });
  });

  test.each([10_000, 500_000])("of %d levels is refused without being parsed", async (levels) => {
    const harness = await createHarness();
    const text = `{"data":${deep(levels)}}`;
    const answer = await harness.ask(`${start}/sandbox`, { key: await harness.key(), text });
    expect(answer).toMatchObject({ status: 400, body: { code: "too_deep" } });
  });

  test("of exactly 1 MiB is accepted, of one byte more it is a 413, with and without a declared size", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const text = (bytes: number) => `{"data":{"x":"${"x".repeat(bytes - 17)}"}}`;
    expect((await harness.ask(`${start}/sandbox`, { key, text: text(1024 * 1024) })).status).toBe(202);
    const larger = text(1024 * 1024 + 1);
    expect((await harness.ask(`${start}/sandbox`, { key, text: larger })).status).toBe(413);
    const declared = { ...json, "content-length": String(larger.length) };
    expect((await harness.ask(`${start}/sandbox`, { key, text: larger, headers: declared })).status).toBe(413);
  });

  test("that is not UTF-8, or begins with a byte order mark, is a 400", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    for (const bytes of [Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from("\ufeff{}")]) {
      const response = await harness.http.fetch(
        new Request("http://procedo.test/v1/procedures/echo/sandbox", {
          method: "POST",
          headers: { ...json, authorization: `Bearer ${key}` },
          body: bytes,
        }),
      );
      expect(response.status).toBe(400);
    }
  });

  test.each(["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
    "of type %s is accepted",
    async (type) => {
      const harness = await createHarness();
      const options = { key: await harness.key(), text: '{"data":{}}', headers: { "content-type": type } };
      expect((await harness.ask(`${start}/sandbox`, options)).status).toBe(202);
    },
  );

  test.each([
    "application/json; charset=latin1",
    "application/jsonx",
    "text/json",
    "application/json, application/json",
    "",
  ])("of type %j is a 415", async (type) => {
    const harness = await createHarness();
    const options = { key: await harness.key(), text: '{"data":{}}', headers: { "content-type": type } };
    expect((await harness.ask(`${start}/sandbox`, options)).status).toBe(415);
  });

  test("that is missing but required is a 400", async () => {
    const harness = await createHarness();
    const answer = await harness.ask(`${start}/sandbox`, { key: await harness.key(), headers: json });
    expect(answer).toMatchObject({ status: 400, body: { code: "malformed_request" } });
  });

  test("that is not expected is not ignored", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const answer = await harness.ask("DELETE /api/v1/webhooks/whk_1", { key, body: { environment: "live" } });
    expect(answer).toMatchObject({ status: 400, body: { code: "unknown_field" } });
  });
});
