import { describe, expect, test } from "vitest";
import { headerOf } from "../calls/recording-server.ts";
import { ledgerDocument } from "../custom-api/documents.ts";
import { by, callDocument, ledgerEngine, sandbox, type LedgerEngine } from "./ledger-engine.ts";

const canary = "c4nary/ü&+7f3e9a1d";
const user = "canary-user-51c2";

const methods = [
  [{ method: "api_key_header", header: "X-Api-Key" }, { apiKey: canary }],
  [{ method: "api_key_query", parameter: "api_key" }, { apiKey: canary }],
  [{ method: "bearer_token" }, { token: canary }],
  [{ method: "basic_auth" }, { user, password: canary }],
] as const;

const basic = Buffer.from(`${user}:${canary}`).toString("base64");
/** Plain, and encoded in JSON, a URL, base64 and hex. */
const forms = [
  canary,
  encodeURIComponent(canary),
  Buffer.from(canary).toString("base64").replace(/=+$/, ""),
  Buffer.from(canary).toString("hex"),
  basic,
  user,
];

/** All visible data of a connection and its runs. */
async function everythingShown({ engine, logged }: LedgerEngine, runIds: readonly string[]): Promise<string> {
  const { items } = await engine.connections.list({ ...sandbox, limit: 10 });
  const shown: unknown[] = [items, logged];
  for (const { connectionId } of items) {
    const place = { ...sandbox, connectionId };
    shown.push(await engine.connections.get(place), await engine.connections.actions({ ...place, limit: 100 }));
    shown.push(await engine.connections.test({ ...place, by }));
  }
  for (const runId of runIds) {
    shown.push(await engine.runs.get({ ...sandbox, runId }), await engine.runs.journal({ ...sandbox, runId }));
    shown.push(await engine.audit.exportRun({ ...sandbox, runId }));
  }
  return JSON.stringify(shown);
}

describe("no secret is in a record, a journal, a log or an error", () => {
  test.each(methods)(
    "%j: also where the API sends it back in every way that it has",
    async (authentication, secrets) => {
      const harness = await ledgerEngine();
      const spec = { text: ledgerDocument(`${harness.server.origin}/v1`) };
      await harness.connect({ spec, authentication, effects: { "pay.now": "idempotent" } }, secrets);
      const echoes = forms.join(" ");
      const json = { "content-type": "application/json", "x-echo": encodeURIComponent(canary), "set-cookie": canary };
      const runIds: string[] = [];
      for (const [status, body] of [
        [200, JSON.stringify({ echoes, [canary]: canary })],
        [401, JSON.stringify({ error: echoes })],
        [400, echoes.repeat(2_000)],
        [302, echoes],
      ] as const) {
        harness.server.answers = [
          { status, headers: { ...json, location: `/?api_key=${encodeURIComponent(canary)}` }, body },
        ];
        runIds.push((await harness.run(callDocument("health", {}))).runId);
      }
      const wire = harness.server.requests
        .map(({ target, headers }) => `${target} ${JSON.stringify(headers)}`)
        .join("\n");
      expect(forms.some((form) => wire.includes(form))).toBe(true);
      const shown = await everythingShown(harness, runIds);
      expect(shown.length).toBeGreaterThan(5_000);
      const hunted = forms.filter((form) => form !== user || authentication.method === "basic_auth");
      expect(hunted.filter((form) => shown.includes(form))).toEqual([]);
    },
  );

  test("nor when no server answers", async () => {
    const harness = await ledgerEngine();
    const spec = { text: ledgerDocument(`${harness.server.origin}/v1`) };
    const authentication = { method: "api_key_query", parameter: "api_key" };
    await harness.connect({ spec, authentication }, { apiKey: canary });
    await harness.server.close();
    const run = await harness.run(callDocument("health", {}, { retry: { maxAttempts: 1 } }));
    expect(run.output?.["error"]).toMatch(/could not be opened/);
    const shown = await everythingShown(harness, [run.runId]);
    expect(forms.filter((form) => shown.includes(form))).toEqual([]);
  });
});

test("a value too short for a text search is redacted where the connection itself puts it", async () => {
  const harness = await ledgerEngine();
  const spec = { text: ledgerDocument(`${harness.server.origin}/v1`) };
  await harness.connect({ spec, authentication: { method: "basic_auth" } }, { user: "u", password: "pw" });
  const run = await harness.run(callDocument("health", {}));
  const [sent] = harness.server.requests;
  expect(sent && headerOf(sent, "authorization")).toEqual([`Basic ${Buffer.from("u:pw").toString("base64")}`]);
  expect(JSON.stringify(run)).not.toContain(Buffer.from("u:pw").toString("base64"));
});
