import { describe, expect, test } from "vitest";
import { bob, carol, createHarness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { breaks } from "./scripted-bank.ts";

const outputs = { type: "object", properties: { amount: { type: "integer" } }, required: ["amount"] };
const missing = {
  code: "invalid_decision",
  status: 422,
  details: [{ path: expect.stringContaining("/outputs") as string }],
};

describe("an approval without the outputs that the node requires", () => {
  test("is refused with the missing outputs, and the run keeps waiting", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(
      procedure([review("r", { outputs })], { output: { of: "{{ nodes.r.output.amount }}" } }),
    );
    await expect(harness.decide(runId)).rejects.toMatchObject(missing);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    await harness.decide(runId, { outputs: { amount: 7 } });
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { of: 7 } });
  });

  test("is refused as the first of several; a later one need not repeat them", async () => {
    const harness = await createHarness();
    const quorum = procedure([review("r", { outputs, approvals: 2 })], {
      output: { of: "{{ nodes.r.output.amount }}" },
    });
    const runId = await harness.runOf(quorum);
    await expect(harness.decide(runId, { by: bob })).rejects.toMatchObject(missing);
    await harness.decide(runId, { by: carol, outputs: { amount: 7 } });
    await harness.decide(runId, { by: bob });
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { of: 7 } });
  });

  test("never completes a quorum, whichever two decide at the same moment", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    const runId = await harness.runOf(procedure([review("r", { outputs, approvals: 2 })]));
    const results = await Promise.allSettled(
      [bob, carol].map((by, index) =>
        (index === 0 ? harness.engine : other).reviews.decide({
          environment: "sandbox",
          runId,
          approved: true,
          idempotencyKey: crypto.randomUUID(),
          by,
        }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
  });

  test("is accepted if the node requires none, and a rejection is always accepted", async () => {
    const harness = await createHarness();
    const optional = { type: "object", properties: { note: { type: "string" } } };
    const approved = await harness.runOf(
      procedure([review("r", { outputs: optional })], { output: { of: "{{ nodes.r.output }}" } }),
    );
    await harness.decide(approved);
    expect(await harness.read(approved)).toMatchObject({ status: "completed", output: { of: { approved: true } } });
    const rejected = await harness.runOf(procedure([review("r", { outputs })], { procedureId: "q" }));
    await harness.decide(rejected, { approved: false, rejectionReason: "no" });
    expect(await harness.read(rejected)).toMatchObject({ status: "failed", error: "no" });
  });

  test("sends a call of unknown outcome again, even if its action has required outputs", async () => {
    const harness = await createHarness();
    harness.bank.plan("pay", breaks());
    const runId = await harness.runOf(procedure([call("a", "pay", { arguments: { to: "acme", amount: 1 } })]));
    expect((await harness.reviews(runId))[0]?.kind).toBe("outcome_unknown");
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("completed");
  });
});
