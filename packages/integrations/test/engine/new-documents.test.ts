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

async function waiting(): Promise<{ bench: LedgerEngine; runId: string; connectionId: string }> {
  const bench = await ledgerEngine();
  const { connectionId } = await bench.connect({ ...settings, spec: { text: document(bench, ledgerPaths) } });
  const { runId, status } = await bench.run(covered);
  expect(status).toBe("awaiting_review");
  return { bench, runId, connectionId };
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
    const { bench, runId, connectionId } = await waiting();
    const spec = { text: document(bench, moved) };
    await bench.engine.connections.update({ ...sandbox, connectionId, settings: { spec }, by });
    bench.server.answers = [{ status: 200, body: "{}" }];
    expect((await approved(bench, runId)).status).toBe("completed");
    expect(bench.server.last().target).toBe("/v1/payments");

    const next = await bench.run({ ...plain, procedureId: "next" });
    expect(next.status).toBe("completed");
    expect(bench.server.last().target).toBe("/v1/v2/payments");
  });

  test("is not sent to another address", async () => {
    const { bench, runId, connectionId } = await waiting();
    const other = await ledgerEngine();
    const baseUrl = `${other.server.origin}/v1`;
    await bench.engine.connections.update({ ...sandbox, connectionId, settings: { baseUrl }, by });
    const run = await approved(bench, runId);
    expect(run.output).toHaveProperty("error");
    expect([...bench.server.requests, ...other.server.requests]).toEqual([]);
  });
});
