import { randomUUID } from "node:crypto";
import type { JsonObject, ProcedureDocument } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { ledgerDocument, ledgerPaths } from "../custom-api/documents.ts";
import { by, callDocument, ledgerEngine, sandbox, type LedgerEngine } from "./ledger-engine.ts";

const plain = callDocument("pay.now", { amount: 5 });

/** The ledger's payment, with a review. */
const covered: ProcedureDocument = {
  ...plain,
  nodes: [...plain.nodes, { id: "ok", kind: "human_review", title: "Pay?", covers: "it" }],
  edges: [{ from: "start", to: "ok" }, { from: "ok", to: "it" }, ...plain.edges.slice(1)],
};

const settings = { idempotencyHeader: "Idempotency-Key" };

async function waiting(): Promise<{ harness: LedgerEngine; runId: string; connectionId: string }> {
  const harness = await ledgerEngine();
  const { connectionId } = await harness.connect({ ...settings, spec: { text: document(harness, ledgerPaths) } });
  const { runId, status } = await harness.run(covered);
  expect(status).toBe("awaiting_review");
  return { harness, runId, connectionId };
}

function document({ server }: LedgerEngine, paths: JsonObject): string {
  return ledgerDocument(`${server.origin}/v1`, paths);
}

async function approved({ engine }: LedgerEngine, runId: string) {
  await engine.reviews.decide({
    ...sandbox,
    runId,
    approved: true,
    idempotencyKey: randomUUID(),
    by: { person: "bob" },
  });
  await engine.runs.wait({ ...sandbox, runId });
  return engine.runs.get({ ...sandbox, runId });
}

/** The same payment at another path, with another argument. */
const { "/payments": payments = null, ...others } = ledgerPaths;
const moved: JsonObject = { ...others, "/v2/payments": payments };

describe("a call that was approved before the document changed", () => {
  test("is sent as shown to the reviewer", async () => {
    const { harness, runId, connectionId } = await waiting();
    const spec = { text: document(harness, moved) };
    await harness.engine.connections.update({ ...sandbox, connectionId, settings: { spec }, by });
    harness.server.answers = [{ status: 200, body: "{}" }];
    expect((await approved(harness, runId)).status).toBe("completed");
    expect(harness.server.last().target).toBe("/v1/payments");

    const next = await harness.run({ ...plain, procedureId: "next" });
    expect(next.status).toBe("completed");
    expect(harness.server.last().target).toBe("/v1/v2/payments");
  });

  test("is not sent to another address", async () => {
    const { harness, runId, connectionId } = await waiting();
    const other = await ledgerEngine();
    const baseUrl = `${other.server.origin}/v1`;
    await harness.engine.connections.update({ ...sandbox, connectionId, settings: { baseUrl }, by });
    const run = await approved(harness, runId);
    expect(run.output).toHaveProperty("error");
    expect([...harness.server.requests, ...other.server.requests]).toEqual([]);
  });
});
