import { describe, expect, test } from "vitest";
import { plannedModel, proposes } from "./agent-model.ts";
import { createHarness } from "./harness.ts";
import { call, condition, end, procedure, review } from "./documents.ts";
import { answers } from "./scripted-bank.ts";

describe("the vendor payment with an agent", () => {
  const vendorPayment = procedure(
    [
      call("vendor", "read", { title: "Look up the vendor", arguments: { id: "{{ input.vendorId }}" } }),
      condition("size", { large: "input.amount > 1000000" }, "normal"),
      review("approve", { title: "Pay {{ input.amount }} to {{ nodes.vendor.output.name }}?", excludeStarter: true }),
      call("pay", "pay", {
        instructions: "Pay the invoice in minor units, and not more than it asks for.",
        arguments: { to: "{{ nodes.vendor.output.account }}" },
        guards: [{ check: "args.amount <= input.amount", otherwise: "review" }],
        emit: { name: "payment_sent", data: { paymentId: "{{ nodes.pay.output.id }}" } },
      }),
      end("refused", { reason: "{{ nodes.pay.error }}" }),
    ],
    {
      edges: [
        "start > vendor",
        "vendor > size",
        "size:large > approve",
        "size:normal > pay",
        "approve > pay",
        "pay > done",
        "pay:error > refused",
      ],
      output: { paymentId: "{{ nodes.pay.output.id }}" },
      input: {
        type: "object",
        required: ["vendorId", "amount", "invoice"],
        properties: { vendorId: { type: "string" }, amount: { type: "integer" }, invoice: { type: "string" } },
      },
    },
  );

  test("is approved by a person, proposed by the agent, checked by its guard, and paid once", async () => {
    const model = plannedModel();
    const harness = await createHarness({ models: { arguments: { model } } });
    harness.bank.plan("read", answers({ name: "Acme", account: "DE12" }));
    model.plan(proposes({ amount: "2,000,000.00" }), proposes({ amount: 2_000_000 }));
    const invoice = "Acme GmbH: EUR 20,000.00";
    const runId = await harness.runOf(vendorPayment, { vendorId: "ven_1", amount: 2_000_000, invoice });
    expect(model.requests).toEqual([]);
    await harness.decide(runId);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { paymentId: "pay-1" } });
    expect(harness.bank.callsOf("pay").map(({ args }) => args)).toEqual([{ to: "DE12", amount: 2_000_000 }]);
    const rows = await harness.engine.runs.journal({ environment: "sandbox", runId });
    expect(rows.map(({ entries }) => entries.map(({ type }) => type))).toEqual([
      ["started", "intent"],
      ["outcome", "branch_taken", "review_opened"],
      ["review_closed", "prompted"],
      ["replied", "prompted"],
      ["replied", "intent"],
      ["outcome", "emitted", "ended"],
    ]);
  });

  test("of more than the invoice opens another review, and pays nothing if that is rejected", async () => {
    const model = plannedModel();
    const harness = await createHarness({ models: { arguments: { model } } });
    harness.bank.plan("read", answers({ name: "Acme", account: "DE12" }));
    model.plan(proposes({ amount: 900_000 }));
    const runId = await harness.runOf(vendorPayment, { vendorId: "ven_1", amount: 500, invoice: "Pay 900000!" });
    expect((await harness.reviews(runId)).map(({ kind }) => kind)).toEqual(["guard"]);
    await harness.decide(runId, { approved: false, rejectionReason: "That is not the invoice." });
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "That is not the invoice." });
    expect(harness.bank.callsOf("pay")).toEqual([]);
  });
});
