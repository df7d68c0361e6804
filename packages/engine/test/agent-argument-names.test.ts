import { z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { lastOf, plannedModel, proposes, requestOf, toolOf, type ModelBehaviour } from "./agent-model.ts";
import { createHarness, type Harness } from "./harness.ts";
import { call, procedure } from "./documents.ts";

/* Arguments with names that a provider refuses: the model sees other names, everything else sees the original ones. */

const payInput = z.object({
  to: z.string(),
  amount: z.int(),
  "filter[name]": z.string().max(5).optional(),
  $top: z.int().optional(),
  größe: z.object({ $top: z.int() }).optional(),
});

const pay = call("pay", "pay", {
  instructions: "Pay what the invoice asks for.",
  arguments: { to: "{{ input.vendorId }}" },
  guards: [{ check: 'args["$top"] == 5', otherwise: "fail" }],
});

async function runWith(...behaviours: readonly ModelBehaviour[]) {
  const model = plannedModel();
  model.plan(...behaviours);
  const harness = await createHarness({ models: { arguments: { model } }, bank: { payInput } });
  const runId = await harness.runOf(procedure([pay]), { vendorId: "ven_1" });
  return { model, harness, runId };
}

async function entriesOf(harness: Harness, runId: string): Promise<string> {
  return JSON.stringify(await harness.engine.runs.journal({ environment: "sandbox", runId }));
}

describe("an agent whose action has such arguments", () => {
  test("is offered other names, and calls with the original names: in the guard, the journal and the request", async () => {
    const proposed = { amount: 500, filter_name: "acme", top: 5, gro_e: { $top: 7 } };
    const { model, harness, runId } = await runWith(proposes(proposed));
    const args = { to: "ven_1", amount: 500, "filter[name]": "acme", $top: 5, größe: { $top: 7 } };
    expect(harness.bank.calls.map((one) => one.args)).toEqual([args]);
    expect(Object.keys(toolOf(requestOf(model, 1)).inputSchema["properties"] as object)).toEqual([
      ...["amount", "filter_name", "top", "gro_e"],
    ]);
    const journal = await entriesOf(harness, runId);
    expect([journal.includes("filter_name"), journal.includes("filter[name]")]).toEqual([false, true]);
  });

  test("receives its violations by the offered names, and sees its call as it made it", async () => {
    const { model, harness } = await runWith(
      proposes({ amount: 500, filter_name: "too long", top: "five" }),
      proposes('{"amount":500,"top":5,"filter[name]":"a","filter_name":"b"}'),
      proposes({ amount: 500, $top: 5 }),
    );
    const first = lastOf(requestOf(model, 2));
    expect(first).toContain("/filter_name Too big");
    expect(first).toContain("/top Invalid input");
    expect(JSON.stringify(requestOf(model, 2).prompt)).not.toMatch(/filter\[name\]|\$top/);
    expect(lastOf(requestOf(model, 3))).toContain('the member \\"/filter_name\\" twice');
    expect(harness.bank.calls.map((one) => one.args)).toEqual([{ to: "ven_1", amount: 500, $top: 5 }]);
  });

  test("has the same names in each turn and for each order of its arguments", async () => {
    const { model } = await runWith(proposes({ amount: "x" }), proposes({ amount: 500, top: 5 }));
    expect(toolOf(requestOf(model, 2)).inputSchema).toEqual(toolOf(requestOf(model, 1)).inputSchema);
  });
});
