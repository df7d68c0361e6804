import { ProcedoError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, bob, createHarness, holdDeliveries, uuid, type Harness } from "./harness.ts";
import { call, condition, end, procedure, review } from "./documents.ts";
import { answers, breaks, fails } from "./scripted-bank.ts";

describe("conditions", () => {
  test("take the first branch that holds, in order, and otherwise the default branch", async () => {
    const harness = await createHarness();
    const document = procedure(
      [
        condition("c", { huge: "input.n > 100", large: "input.n > 10" }, "small"),
        end("huge", { w: 1 }),
        end("large", { w: 2 }),
      ],
      { edges: ["start > c", "c:huge > huge", "c:large > large", "c:small > done"] },
    );
    await harness.publish(document);
    const outputs = [];
    for (const n of [101, 11, 10]) outputs.push((await harness.read(await harness.run({ n }))).output);
    expect(outputs).toEqual([{ w: 1 }, { w: 2 }, {}]);
  });
});

describe("the error branch", () => {
  const document = procedure(
    [call("a", "once"), end("failed", { why: "{{ nodes.a.error }}", output: "{{ nodes.a.output.error }}" })],
    {
      edges: ["start > a", "a > done", "a:error > failed"],
    },
  );

  test("takes a refused call, with its message as the step's error and output", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", fails("no funds"));
    expect((await harness.read(await harness.runOf(document))).output).toEqual({ why: "no funds", output: "no funds" });
  });

  test("is taken after the last attempt only", async () => {
    const harness = await createHarness();
    const notSent = fails("refused connection", { outcome: "not_sent" });
    harness.bank.plan("once", notSent, notSent, notSent, notSent);
    const runId = await harness.runOf(document);
    expect((await harness.read(runId)).status).toBe("running");
    await harness.clock.advance(60_000);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { why: "refused connection" } });
    expect(harness.bank.calls).toHaveLength(4);
  });

  test("is not taken by a call of unknown outcome, which opens a review", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", breaks());
    expect((await harness.read(await harness.runOf(document))).status).toBe("awaiting_review");
  });

  test("takes arguments that the action rejects, which are never sent", async () => {
    const harness = await createHarness();
    const wrong = procedure(
      [
        call("a", "pay", { arguments: { to: "{{ input.to }}", amount: "{{ input.amount }}" } }),
        end("failed", { why: "{{ nodes.a.error }}" }),
      ],
      {
        edges: ["start > a", "a > done", "a:error > failed"],
      },
    );
    const run = await harness.read(await harness.runOf(wrong, { to: "acme", amount: 1.5 }));
    expect(run).toMatchObject({ status: "completed", output: { why: expect.stringContaining("/amount") as string } });
    expect(harness.bank.calls).toEqual([]);
  });

  test("leads to further nodes, which see that the step failed", async () => {
    const harness = await createHarness();
    const document = procedure(
      [call("a", "once"), call("report", "read", { arguments: { why: "{{ nodes.a.error }}" } })],
      {
        edges: ["start > a", "a > done", "a:error > report", "report > done"],
      },
    );
    harness.bank.plan("once", fails("no funds"));
    expect((await harness.read(await harness.runOf(document))).status).toBe("completed");
    expect(harness.bank.callsOf("read")[0]?.args).toEqual({ why: "no funds" });
  });
});

/** Pending deliveries, oldest first. */
async function deliveriesOf(harness: Harness, webhookId: string, environment: "sandbox" | "live" = "sandbox") {
  const scope = { workspace: "default", environment };
  const page = await harness.storage.deliveries.list({ scope, webhookId, limit: 100 });
  return page.items
    .toReversed()
    .map(({ event, data, ...rest }) => ({ event, data: JSON.parse(data) as unknown, ...rest }));
}

const paying = procedure(
  [
    review("r", { title: "Pay?", data: { n: "{{ input.n }}" } }),
    call("pay", "once", { emit: { name: "payment_sent", data: { id: "{{ nodes.pay.output.id }}" } } }),
  ],
  { output: { id: "{{ nodes.pay.output.id }}" } },
);
const events = ["human_review_requested", "custom.payment_sent", "run_completed", "run_failed"];
const hook = { url: "https://93.184.216.34/hook", events, environment: "sandbox", by: alice } as const;

async function eventHarness(): Promise<Harness> {
  const harness = await createHarness();
  holdDeliveries(harness.engine);
  return harness;
}

describe("events", () => {
  test("get one delivery for each subscribed webhook, written with the row that caused them", async () => {
    const harness = await eventHarness();
    const all = await harness.engine.webhooks.create(hook);
    const one = await harness.engine.webhooks.create({ ...hook, events: ["run_completed"] });
    const runId = await harness.runOf(paying, { n: 3 });
    const origin = { runId, procedureId: "p", environment: "sandbox" };
    const requested = {
      event: "human_review_requested",
      data: { ...origin, reviewTitle: "Pay?", reviewData: { n: 3 } },
      status: "pending",
    };
    expect(await deliveriesOf(harness, all.webhookId)).toMatchObject([requested]);
    await harness.decide(runId);
    expect(await deliveriesOf(harness, all.webhookId)).toMatchObject([
      requested,
      { event: "custom.payment_sent", data: { ...origin, payload: { id: "once-1" } }, status: "pending" },
      { event: "run_completed", data: { ...origin, status: "completed", output: { id: "once-1" } }, status: "pending" },
    ]);
    expect(await deliveriesOf(harness, one.webhookId)).toMatchObject([{ event: "run_completed" }]);
    const ids = [...(await deliveriesOf(harness, all.webhookId)), ...(await deliveriesOf(harness, one.webhookId))];
    expect(new Set(ids.map(({ deliveryId }) => deliveryId)).size).toBe(4);
  });

  test("of a run carry their order, from its first worker to its last", async () => {
    const harness = await eventHarness();
    const { webhookId } = await harness.engine.webhooks.create(hook);
    const runId = await harness.runOf(paying, { n: 3 });
    harness.engine.way.cut();
    const other = await harness.addEngine();
    holdDeliveries(other);
    const decision = { environment: "sandbox", runId, approved: true, idempotencyKey: uuid() } as const;
    await other.reviews.decide({ ...decision, by: bob });
    await harness.clock.advance(30_000);
    const reported = await deliveriesOf(harness, webhookId);
    expect(reported.map(({ event, data }) => [event, (data as { sequence: number }).sequence])).toEqual([
      ["human_review_requested", 1],
      ["custom.payment_sent", 2],
      ["run_completed", 3],
    ]);
  });

  test("of a failed run contain the reason", async () => {
    const harness = await eventHarness();
    const { webhookId } = await harness.engine.webhooks.create(hook);
    const runId = await harness.runOf(paying, { n: 3 });
    await harness.decide(runId, { approved: false, rejectionReason: "no" });
    expect((await deliveriesOf(harness, webhookId)).at(-1)).toMatchObject({
      event: "run_failed",
      data: { runId, procedureId: "p", environment: "sandbox", status: "failed", error: "no" },
    });
  });

  test("announce every kind of review", async () => {
    const harness = await eventHarness();
    const { webhookId } = await harness.engine.webhooks.create({ ...hook, events: ["human_review_requested"] });
    harness.bank.plan("once", breaks());
    const guarded = procedure([call("a", "once", { guards: [{ check: "false", otherwise: "review" }] })]);
    const runId = await harness.runOf(guarded);
    await harness.decide(runId);
    expect(
      (await deliveriesOf(harness, webhookId)).map(({ data }) => (data as { reviewTitle: string }).reviewTitle),
    ).toEqual(["Guard held back: a", "Outcome unknown: a"]);
  });

  test("get a recorded delivery for an inactive webhook, and none for a removed one or one of the other environment", async () => {
    const harness = await eventHarness();
    const inactive = await harness.engine.webhooks.create({ ...hook, events: ["run_completed"], isActive: false });
    const removed = await harness.engine.webhooks.create(hook);
    const live = await harness.engine.webhooks.create({ ...hook, environment: "live" });
    await harness.engine.webhooks.remove({ environment: "sandbox", webhookId: removed.webhookId, by: alice });
    const runId = await harness.runOf(paying, { n: 3 });
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(await deliveriesOf(harness, inactive.webhookId)).toMatchObject([{ event: "run_completed" }]);
    expect(await deliveriesOf(harness, removed.webhookId)).toEqual([]);
    expect(await deliveriesOf(harness, live.webhookId, "live")).toEqual([]);
    expect(await deliveriesOf(harness, live.webhookId, "sandbox")).toEqual([]);
  });

  test("get no second delivery from a row that is written again after a lost answer", async () => {
    const harness = await eventHarness();
    const { webhookId } = await harness.engine.webhooks.create(hook);
    harness.engine.way.on("runs.commit", async (work) => {
      await work();
      if (harness.engine.way.count("runs.commit") % 2 === 0) throw new ProcedoError("storage_unavailable", "lost");
      return await work();
    });
    const runId = await harness.runOf(paying, { n: 3 });
    await harness.clock.advance(5_000);
    await harness.decide(runId);
    await harness.clock.advance(20_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect((await deliveriesOf(harness, webhookId)).map(({ event }) => event)).toEqual([
      "human_review_requested",
      "custom.payment_sent",
      "run_completed",
    ]);
  });

  test("that cannot be rendered fail the run with the reason, and the call is not made again", async () => {
    const harness = await eventHarness();
    harness.bank.plan("once", answers({ other: 1 }));
    const runId = await harness.runOf(
      procedure([call("pay", "once", { emit: { name: "sent", data: { id: "{{ nodes.pay.output.id }}" } } })]),
    );
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("event") as string,
    });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("that cannot be rendered leave a record of the step with the result of its call and the event's failure", async () => {
    const harness = await eventHarness();
    harness.bank.plan("once", answers({ other: 1 }));
    const runId = await harness.runOf(
      procedure([call("pay", "once", { emit: { name: "sent", data: { id: "{{ nodes.pay.output.id }}" } } })]),
    );
    const step = (await harness.read(runId)).steps.find(({ nodeId }) => nodeId === "pay");
    expect(step).toMatchObject({
      status: "completed",
      output: { other: 1 },
      error: expect.stringContaining('The event of "pay"') as string,
      attempts: [{ attempt: 1 }],
    });
  });

  test("that cannot be rendered are no failure of the call: the error branch is not taken", async () => {
    const harness = await eventHarness();
    harness.bank.plan("once", answers({ other: 1 }));
    const document = procedure(
      [call("pay", "once", { emit: { name: "sent", data: { id: "{{ nodes.pay.output.id }}" } } }), end("failed")],
      {
        edges: ["start > pay", "pay > done", "pay:error > failed"],
      },
    );
    expect((await harness.read(await harness.runOf(document))).status).toBe("failed");
  });
});

describe("webhooks", () => {
  test("show the signing secret when they are created and nowhere else", async () => {
    const harness = await createHarness();
    const { secret, ...shown } = await harness.engine.webhooks.create(hook);
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    expect((await harness.engine.webhooks.list({ environment: "sandbox", limit: 10 })).items).toEqual([shown]);
    const [record] = (await harness.storage.records.list({ workspace: "default", kind: "webhook", limit: 10 })).items;
    expect(JSON.stringify(record)).not.toContain(secret);
  });

  test("with unknown events are refused, each with its pointer", async () => {
    const harness = await createHarness();
    const created = harness.engine.webhooks.create({ ...hook, events: ["run_completed", "nothing", "custom."] });
    await expect(created).rejects.toMatchObject({
      code: "invalid_input",
      details: [{ path: "/events/1" }, { path: "/events/2" }],
    });
    await expect(harness.engine.webhooks.create({ ...hook, events: [] })).rejects.toMatchObject({
      details: [{ path: "/events" }],
    });
  });

  test.each([
    "http://127.0.0.1/x",
    "http://[::1]/x",
    "http://169.254.169.254/latest",
    "file:///etc/passwd",
    "http://10.0.0.1/",
  ])("with a forbidden address are refused: %s", async (url) => {
    const harness = await createHarness();
    await expect(harness.engine.webhooks.create({ ...hook, url })).rejects.toMatchObject({
      code: "destination_not_allowed",
    });
  });

  test("are created and removed only with the permission to manage", async () => {
    const harness = await createHarness();
    const by = { person: "eve", permissions: ["run", "review"] } as const;
    await expect(harness.engine.webhooks.create({ ...hook, by })).rejects.toMatchObject({ code: "permission_denied" });
    const { webhookId } = await harness.engine.webhooks.create(hook);
    await expect(harness.engine.webhooks.remove({ environment: "sandbox", webhookId, by })).rejects.toMatchObject({
      code: "permission_denied",
    });
    await expect(harness.engine.webhooks.remove({ environment: "live", webhookId, by: alice })).rejects.toMatchObject({
      code: "webhook_not_found",
    });
    expect((await harness.engine.webhooks.list({ environment: "sandbox", limit: 10 })).items).toHaveLength(1);
  });
});
