import { describe, expect, test } from "vitest";
import { bob, carol, createBench } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";
import { breaks } from "./scripted-bank.ts";

const outputs = { type: "object", properties: { amount: { type: "integer" } }, required: ["amount"] };
const missing = {
  code: "invalid_decision",
  status: 422,
  details: [{ path: expect.stringContaining("/outputs") as string }],
};

describe("an approval without the outputs that the node requires", () => {
  test("is refused with what is missing, and the run waits on", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(
      procedure([review("r", { outputs })], { output: { of: "{{ nodes.r.output.amount }}" } }),
    );
    await expect(bench.decide(runId)).rejects.toMatchObject(missing);
    expect((await bench.read(runId)).status).toBe("awaiting_review");
    await bench.decide(runId, { outputs: { amount: 7 } });
    expect(await bench.read(runId)).toMatchObject({ status: "completed", output: { of: 7 } });
  });

  test("is refused as the first of several; a later one need not repeat them", async () => {
    const bench = await createBench();
    const quorum = procedure([review("r", { outputs, approvals: 2 })], {
      output: { of: "{{ nodes.r.output.amount }}" },
    });
    const runId = await bench.runOf(quorum);
    await expect(bench.decide(runId, { by: bob })).rejects.toMatchObject(missing);
    await bench.decide(runId, { by: carol, outputs: { amount: 7 } });
    await bench.decide(runId, { by: bob });
    expect(await bench.read(runId)).toMatchObject({ status: "completed", output: { of: 7 } });
  });

  test("never completes a quorum, whichever two decide at the same moment", async () => {
    const bench = await createBench();
    const other = await bench.addEngine();
    const runId = await bench.runOf(procedure([review("r", { outputs, approvals: 2 })]));
    const results = await Promise.allSettled(
      [bob, carol].map((by, index) =>
        (index === 0 ? bench.engine : other).reviews.decide({
          environment: "sandbox",
          runId,
          approved: true,
          idempotencyKey: crypto.randomUUID(),
          by,
        }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect((await bench.read(runId)).status).toBe("awaiting_review");
  });

  test("is taken where the node requires none, and a rejection always is", async () => {
    const bench = await createBench();
    const optional = { type: "object", properties: { note: { type: "string" } } };
    const approved = await bench.runOf(
      procedure([review("r", { outputs: optional })], { output: { of: "{{ nodes.r.output }}" } }),
    );
    await bench.decide(approved);
    expect(await bench.read(approved)).toMatchObject({ status: "completed", output: { of: { approved: true } } });
    const rejected = await bench.runOf(procedure([review("r", { outputs })], { procedureId: "q" }));
    await bench.decide(rejected, { approved: false, rejectionReason: "no" });
    expect(await bench.read(rejected)).toMatchObject({ status: "failed", error: "no" });
  });

  test("sends a call of unknown outcome again, whatever the call answers", async () => {
    const bench = await createBench();
    bench.bank.plan("pay", breaks());
    const runId = await bench.runOf(procedure([call("a", "pay", { arguments: { to: "acme", amount: 1 } })]));
    expect((await bench.reviews(runId))[0]?.kind).toBe("outcome_unknown");
    await bench.decide(runId);
    expect((await bench.read(runId)).status).toBe("completed");
  });
});
