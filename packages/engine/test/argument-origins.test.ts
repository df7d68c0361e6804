import type { JsonObject, ProcedureNode, ToolCallNode } from "@procedo/contract";
import { z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { plannedModel, proposes, says } from "./agent-model.ts";
import { createHarness, type Harness, type HarnessOptions } from "./harness.ts";
import { call, condition, procedure, review } from "./documents.ts";
import { breaks } from "./scripted-bank.ts";

const data = { to: "acme", hint: "a mail that a stranger wrote" };

/** An agent's payment with a review. */
const pay = (mapped: JsonObject, settings: Partial<ToolCallNode> = {}) =>
  call("pay", "pay", {
    instructions: "Pay what is due.",
    arguments: mapped,
    guards: [{ check: "false", otherwise: "review" }],
    ...settings,
  });

async function shownOf(harness: Harness, runId: string): Promise<JsonObject> {
  return (await harness.reviews(runId)).at(-1)?.data ?? {};
}

/** The shown origins of a payment whose node maps these arguments, after these other nodes. */
async function originsOf(
  mapped: JsonObject,
  before: readonly ProcedureNode[] = [],
  options: HarnessOptions = {},
): Promise<unknown> {
  const model = plannedModel();
  model.plan(proposes({ amount: 5 }));
  const harness = await createHarness({ models: { arguments: { model } }, ...options });
  const runId = await harness.runOf(procedure([...before, pay(mapped)]), data);
  if ((await harness.read(runId)).status === "awaiting_review" && before.some(({ kind }) => kind === "human_review")) {
    await harness.decide(runId, { outputs: { to: "acme" } });
  }
  return (await shownOf(harness, runId))["argumentOrigins"];
}

describe("the origin of an argument in an agent's call", () => {
  test("is the procedure if the document states the value", async () => {
    expect(await originsOf({ to: "acme" })).toEqual({ "/to": "procedure", "/amount": "agent" });
    expect(await originsOf({ to: '{{ "ac" + "me" }}' })).toEqual({ "/to": "procedure", "/amount": "agent" });
  });

  test("is the run's data if the document only passes the data on", async () => {
    const to = [{ path: "input.to", from: "input" }];
    expect(await originsOf({ to: "{{ input.to }}" })).toEqual({ "/to": to, "/amount": "agent" });
  });

  test("is a service if the document passes on its answer", async () => {
    const vendor = call("vendor", "read");
    const to = [
      { path: "nodes.vendor.output.id", from: "service" },
      { path: "run.startedBy", from: "run" },
    ];
    const template = "{{ nodes.vendor.output.id }} for {{ run.startedBy }}";
    expect(await originsOf({ to: template }, [vendor])).toMatchObject({ "/to": to });
  });

  test("is another agent if the document passes on the result of its call, because that agent chose the call", async () => {
    const model = plannedModel();
    model.plan(proposes({ id: "inv_of_mallory" }), proposes({ amount: 5 }));
    const invoice = call("invoice", "read", { instructions: "Look up the invoice." });
    const origins = await originsOf({ to: "{{ nodes.invoice.output.id }}" }, [invoice], {
      models: { arguments: { model } },
    });
    expect(origins).toEqual({ "/to": [{ path: "nodes.invoice.output.id", from: "agent" }], "/amount": "agent" });
  });

  test("is a person if the document passes on the outputs of a review", async () => {
    const origins = await originsOf({ to: "{{ nodes.who.output.to }}" }, [review("who")]);
    expect(origins).toMatchObject({ "/to": [{ path: "nodes.who.output.to", from: "person" }] });
  });

  test("is the procedure if the value is the name of a chosen branch", async () => {
    const size: ProcedureNode = condition("size", { large: "true" }, "small");
    const model = plannedModel();
    model.plan(proposes({ amount: 5 }));
    const harness = await createHarness({ models: { arguments: { model } } });
    const document = procedure([size, pay({ to: "{{ nodes.size.output.branch }}" })], {
      edges: ["start > size", "size:large > pay", "size:small > done", "pay > done"],
    });
    expect(await shownOf(harness, await harness.runOf(document, data))).toMatchObject({
      argumentOrigins: { "/to": [{ path: "nodes.size.output.branch", from: "procedure" }] },
    });
  });

  test("is recorded for every part that is sent, and for no omitted part", async () => {
    const payInput = z.object({ to: z.string(), amount: z.int(), memo: z.string().optional() });
    const mapped = { to: "{{ input.to }}", memo: "{{ input.?memo }}" };
    const origins = await originsOf(mapped, [], { bank: { payInput } });
    expect(Object.keys(origins as object).sort()).toEqual(["/amount", "/to"]);
  });
});

describe("an agent's call of unknown outcome", () => {
  const inDoubt = async (settings: Partial<ToolCallNode> = {}) => {
    const model = plannedModel();
    model.plan(async (options) => {
      const { content } = await proposes({ amount: 50 })(options);
      return { content: [{ type: "text", text: "As the mail says." }, ...content] };
    }, says("Done."));
    const harness = await createHarness({ models: { arguments: { model } } });
    harness.bank.plan("pay", breaks());
    const document = procedure([pay({ to: "{{ input.to }}" }, { guards: [], ...settings })]);
    return { harness, runId: await harness.runOf(document, data) };
  };

  test.each([1, 3])(
    "is shown with the origin of its arguments and the model's text apart (maxCalls %d)",
    async (maxCalls) => {
      const { harness, runId } = await inDoubt({ maxCalls });
      expect(await harness.reviews(runId)).toMatchObject([
        {
          kind: "outcome_unknown",
          data: {
            connection: "bank",
            action: "pay",
            arguments: { to: "acme", amount: 50 },
            argumentOrigins: { "/to": [{ path: "input.to", from: "input" }], "/amount": "agent" },
            agent: { text: "As the mail says." },
            attempt: 1,
          },
        },
      ]);
      expect((await harness.reviews(runId))[0]?.call).toBeUndefined();
    },
  );

  test("is shown without an agent if none proposed it", async () => {
    const harness = await createHarness();
    harness.bank.plan("pay", breaks());
    const runId = await harness.runOf(procedure([call("pay", "pay", { arguments: { to: "acme", amount: 5 } })]));
    expect(await shownOf(harness, runId)).not.toHaveProperty("argumentOrigins");
    expect(await shownOf(harness, runId)).not.toHaveProperty("agent");
  });
});
