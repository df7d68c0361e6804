import type { JsonObject, ProcedureDocument } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { ledgerDocument } from "../custom-api/documents.ts";
import { by, ledgerEngine, sandbox, type LedgerEngine } from "./ledger-engine.ts";

const token = "t0ken  5f0c3c1e8b5e&";
const json = { "content-type": "application/json" };

/** A payment with a condition on its refusal. */
function payment(branches: { name: string; when: string }[]): ProcedureDocument {
  const ends = [...branches.map(({ name }) => name), "other"];
  return {
    schemaVersion: 1,
    procedureId: "p",
    name: "P",
    input: { type: "object" },
    nodes: [
      { id: "start", kind: "start" },
      {
        id: "pay",
        kind: "tool_call",
        connection: "ledger",
        action: "pay.now",
        arguments: { amount: 1250 },
      },
      { id: "paid", kind: "end", output: {} },
      { id: "why", kind: "condition", branches, otherwise: "other" },
      ...ends.map((id) => ({
        id,
        kind: "end" as const,
        output: {
          status: "{{ nodes.pay.error.status }}",
          reason: "{{ nodes.pay.error.reason }}",
          message: "{{ nodes.pay.error }}",
          end: id,
        },
      })),
    ],
    edges: [
      { from: "start", to: "pay" },
      { from: "pay", to: "paid" },
      { from: "pay", branch: "error", to: "why" },
      ...ends.map((name) => ({ from: "why", branch: name, to: name })),
    ],
  };
}

const reasons = payment([
  { name: "unknown", when: "nodes.pay.error.status in [404, 410]" },
  { name: "funds", when: 'nodes.pay.error.body.?error.?code.orValue("") == "insufficient_funds"' },
  { name: "limit", when: 'nodes.pay.error.reason.contains("limit")' },
]);

async function connected(): Promise<LedgerEngine> {
  const harness = await ledgerEngine();
  const spec = { text: ledgerDocument(`${harness.server.origin}/v1`) };
  await harness.connect(
    { spec, authentication: { method: "bearer_token" }, idempotencyHeader: "Idempotency-Key" },
    { token },
  );
  return harness;
}

async function refused(status: number, body: string, headers = json): Promise<JsonObject> {
  const harness = await connected();
  harness.server.answers = [{ status, headers, body }];
  const run = await harness.run(reasons);
  expect(run.status).toBe("completed");
  expect(harness.server.requests).toHaveLength(1);
  return run.output as JsonObject;
}

describe("a condition reads the reason of a refusal", () => {
  test("by status", async () => {
    const problem = { type: "about:blank", title: "Not Found", detail: "There is no account acc_7." };
    expect(await refused(404, JSON.stringify(problem), { "content-type": "application/problem+json" })).toEqual({
      end: "unknown",
      status: 404,
      reason: "There is no account acc_7.",
      message: '"pay.now" was answered with 404 (Not Found).',
    });
  });

  test("by the code in the body", async () => {
    const body = { error: { code: "insufficient_funds", message: "The balance is 12.00 EUR." } };
    expect(await refused(402, JSON.stringify(body))).toMatchObject({
      end: "funds",
      status: 402,
      reason: "The balance is 12.00 EUR.",
    });
  });

  test("by the message", async () => {
    const output = await refused(422, "Over the daily limit.", { "content-type": "text/plain" });
    expect(output).toMatchObject({ end: "limit", status: 422, reason: "Over the daily limit." });
  });

  test("without a reason", async () => {
    expect(await refused(403, "")).toMatchObject({ end: "other", status: 403, reason: "" });
  });

  test("without a response, without failing itself", async () => {
    const harness = await connected();
    await harness.server.close();
    const run = await harness.run(reasons);
    expect(run).toMatchObject({ status: "completed", output: { end: "other", status: 0, reason: "" } });
  });
});

test("406 and similar statuses have their own description", async () => {
  for (const [status, meaning] of [
    [402, "Payment Required: "],
    [405, "Method Not Allowed: "],
    [406, "Not Acceptable: the service has no response of a type that the call accepts"],
    [412, "Precondition Failed: "],
    [415, "Unsupported Media Type: "],
    [428, "Precondition Required: "],
    [451, "Unavailable For Legal Reasons"],
  ] as const) {
    expect((await refused(status, "{}"))["message"]).toContain(`was answered with ${status} (${meaning}`);
  }
});

test("a reason is short, and contains no secret in any encoding", async () => {
  const long = await refused(400, JSON.stringify({ message: "x".repeat(5_000) }));
  expect(long["reason"]).toBe("x".repeat(500));
  for (const echo of [token, token.replaceAll("&", "&amp;")]) {
    const reported = await refused(400, `<error><message>Not ${echo} please</message></error>`, {
      "content-type": "application/xml",
    });
    expect(reported["reason"]).toBe("Not [redacted] please");
  }
});

test("a misspelt member of an error prevents publishing", async () => {
  const harness = await connected();
  const document = payment([{ name: "unknown", when: "nodes.pay.error.stauts == 404" }]);
  const published = harness.engine.procedures.publish({ document, version: "v1", by, defaultIn: ["sandbox"] });
  await expect(published).rejects.toMatchObject({
    details: [
      { path: "/nodes/3/branches/0/when", message: expect.stringContaining('did you mean "status"?') as string },
    ],
  });
});

test("the steps of a run keep the status, the reason and the body of a refusal", async () => {
  const harness = await connected();
  harness.server.answers = [{ status: 422, headers: json, body: '{"message":"No."}' }];
  const { runId } = await harness.run(reasons);
  const journal = await harness.engine.runs.journal({ ...sandbox, runId });
  expect(JSON.stringify(journal)).toContain('"details":{"status":422,"reason":"No.","body":{"message":"No."}}');
});
