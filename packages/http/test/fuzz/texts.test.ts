import { afterEach, describe, expect, test } from "vitest";
import { createHarness, textOf } from "../harness.ts";
import { documentText } from "../listed-api.ts";

const texts: readonly (readonly [name: string, text: string])[] = [
  ["NUL", "a\0b"],
  ["a lone surrogate", "a\ud800b"],
  ["right-to-left marks", "\u202egnp.exe\u2066"],
  ["four bytes of UTF-8", "𝔘𝔫𝔦 👩‍👩‍👧"],
  ["64 kB", "x".repeat(65_536)],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["prototype", "prototype"],
  ["$where", "$where"],
  ["SQL quotes", `'; DROP TABLE runs; --"`],
  ["a JSON path", "a')--"],
  ["CRLF", "a\r\nX-Injected: 1\r\n\r\n"],
  ["a template", "{{7*7}}"],
  ["an expression", "{{ input }}"],
  ["line separators", "\u2028\u2029\u0085"],
  ["a byte order mark", "\ufeffx"],
];
const membersOfObject = Object.getOwnPropertyNames(Object.prototype).sort();

afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(membersOfObject);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

describe("a text is returned as it was sent, or refused", () => {
  test.each(texts)("%s as a value and as a name within the data of a run", async (_name, text) => {
    const harness = await createHarness();
    const key = await harness.key();
    const data = `{"value":${JSON.stringify(text)},${JSON.stringify(text)}:{"polluted":1}}`;
    const sent = { key, text: `{"data":${data},"control":{"executionMode":"sync"}}` };
    const answer = await harness.ask("POST /v1/procedures/echo/sandbox", sent);
    if (answer.status === 200) {
      const echoed = (answer.body["output"] as { said: unknown }).said;
      expect(JSON.stringify(echoed)).toBe(JSON.stringify(JSON.parse(data)));
      const run = await harness.ask(`GET /runs/${textOf(answer.body["runId"])}`, { key });
      expect(JSON.stringify(run.body["output"])).toBe(JSON.stringify(answer.body["output"]));
    } else {
      expect(answer.status).toBe(422);
    }
  });

  test.each(texts)("%s as the name of a key, a webhook, a connection and a document", async (_name, text) => {
    const harness = await createHarness();
    const key = await harness.key();
    const webhook = { url: "http://127.0.0.77:8099", events: ["run_failed"], name: text };
    const settings = { spec: { text: documentText({ title: text, actions: [text] }) } };
    const connection = { integration: "custom_api", environment: "sandbox", settings };
    for (const [target, body] of [
      ["POST /api/v1/api-keys", { environment: "sandbox", name: text }],
      ["POST /api/v1/webhooks", webhook],
      ["POST /api/v1/connections", { ...connection, name: text }],
    ] as const) {
      const answer = await harness.ask(target, { key, body });
      if (answer.status === 201) expect(answer.body).toHaveProperty("name", text);
      else expect([400, 422]).toContain(answer.status);
    }
    const saved = await harness.ask("PUT /api/v1/procedures/new/draft", {
      key,
      body: { document: { name: text, [text]: text } },
    });
    if (saved.status === 200) {
      const { body } = await harness.ask("GET /api/v1/procedures/new", { key });
      expect(JSON.stringify((body["draft"] as { document: unknown }).document)).toBe(
        JSON.stringify({ name: text, [text]: text }),
      );
    } else expect(saved.status).toBe(422);
  });

  test.each(texts)("%s as a reason, an idempotency key, a version, and in a path", async (_name, text) => {
    const harness = await createHarness();
    const key = await harness.key();
    const runId = await harness.run("ask", key);
    const cancelled = await harness.ask(`POST /api/v1/runs/${runId}/cancel`, { key, body: { reason: text } });
    expect([200, 400, 422]).toContain(cancelled.status);
    const pinned = await harness.ask("POST /v1/procedures/echo/sandbox", {
      key,
      body: { data: {}, metadata: { procedureVersion: text } },
    });
    expect(pinned.status).toBe(404);
    const published = await harness.ask("POST /api/v1/procedures/echo/versions", {
      key,
      body: { version: text, document: harness.documents.echo },
    });
    expect([200, 201, 400]).toContain(published.status);
    const inPath = encodeURIComponent(text.toWellFormed());
    expect((await harness.ask(`GET /runs/${inPath}`, { key })).status).toBe(404);
    expect((await harness.ask(`GET /api/v1/procedures/${inPath}/versions/${inPath}`, { key })).status).toBe(404);
    expect((await harness.ask(`GET /api/v1/runs?procedureId=${inPath}`, { key })).status).toBeLessThan(500);
    expect(harness.logged).toEqual([]);
  });
});

test("100,000 members, and a text of a megabyte, are ordinary data or too large", async () => {
  const harness = await createHarness();
  const key = await harness.key();
  const members = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, 0]));
  for (const data of [members, { text: "x".repeat(1024 * 1024) }]) {
    const answer = await harness.ask("POST /v1/procedures/echo/sandbox", { key, body: { data } });
    expect([202, 413, 422]).toContain(answer.status);
  }
  expect(harness.logged).toEqual([]);
});
