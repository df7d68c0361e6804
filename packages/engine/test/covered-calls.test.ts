import { defineIntegration, z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, bob, carol, createHarness } from "./harness.ts";
import { call, condition, procedure, review } from "./documents.ts";
import { breaks, fails } from "./scripted-bank.ts";

const pay = (settings: Parameters<typeof call>[2] = {}) =>
  call("pay", "pay", {
    title: "Pay",
    arguments: { to: "{{ input.to }}", amount: "{{ input.amount }}" },
    guards: [{ check: "args.amount <= 100", otherwise: "review" }],
    ...settings,
  });

const large = { to: "acme", amount: 5_000 };

/** The URLs of the connections through which the action was called. */
const taken: string[] = [];

const till = defineIntegration({
  name: "till",
  settings: z.object({ url: z.string() }),
  actions: ({ defineAction }) => ({
    take: defineAction({
      description: "Takes.",
      input: z.object({}),
      effect: "once",
      run: async (_input, { settings }) => {
        taken.push(settings.url);
        return {};
      },
    }),
  }),
});

describe("a review that covers a call", () => {
  const simple = procedure(
    [
      review("ok", { covers: "pay" }),
      call("pay", "pay", { arguments: { to: "{{ input.to }}", amount: "{{ input.amount }}" } }),
    ],
    {
      output: { id: "{{ nodes.pay.output.id }}" },
    },
  );

  test("shows the call as it will be sent, and the approval sends exactly that", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(simple, large);
    expect((await harness.reviews(runId))[0]).toMatchObject({
      kind: "human_review",
      call: { nodeId: "pay", action: "pay", args: large },
    });
    await harness.decide(runId);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "pay-1" } });
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([large]);
  });

  test("whose call depends on values that are known only after the approval cannot be published", async () => {
    const harness = await createHarness();
    const document = procedure([
      review("ok", { covers: "pay" }),
      call("quote", "read"),
      call("pay", "pay", { arguments: { to: "acme", amount: "{{ nodes.quote.output.amount }}" } }),
    ]);
    await expect(harness.publish(document)).rejects.toMatchObject({
      code: "invalid_document",
      message: expect.stringContaining("nodes.quote") as string,
    });
  });

  test("sends exactly the frozen call when another engine resumes from the journal alone", async () => {
    const harness = await createHarness();
    const data = {
      to: "a name that is long enough to be stored by reference in the journal, and then some",
      amount: 5_000,
    };
    const runId = await harness.runOf(simple, data);
    const successor = await harness.addEngine();
    await harness.engine.stop();
    await harness.decide(runId);
    await harness.clock.advance(2_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([data]);
  });

  test("applies only to the visit for which it was opened", async () => {
    const harness = await createHarness();
    const loop = procedure(
      [
        review("ok", { covers: "pay" }),
        call("pay", "pay", {
          arguments: { to: "{{ input.to }}", amount: "{{ input.amount }}" },
          guards: [{ check: "args.amount <= 100", otherwise: "fail" }],
        }),
        condition("again", { yes: "true" }, "no"),
      ],
      { edges: ["start > ok", "ok > pay", "pay > again", "again:yes > pay", "again:no > done"] },
    );
    const runId = await harness.runOf(loop, { to: "acme", amount: 1 });
    await harness.decide(runId);
    const states = (await harness.entries(runId)).filter((entry) => entry.type === "intent");
    expect(states.slice(0, 2).map((entry) => entry.type === "intent" && "approvedDigest" in entry)).toEqual([
      true,
      false,
    ]);
  });

  test("sends nothing if the action has changed since the approval", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(simple, large);
    await harness.engine.stop();
    await harness.addEngine({
      bank: { payInput: z.object({ to: z.string(), amount: z.int(), memo: z.string().optional() }) },
    });
    await harness.decide(runId);
    await harness.clock.advance(2_000);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("has changed") as string,
    });
    expect(harness.bank.calls).toEqual([]);
  });

  test("sends nothing again if the action changed between two attempts", async () => {
    const harness = await createHarness();
    harness.bank.plan("pay", fails("not sent", { outcome: "not_sent", retryAfterMs: 30_000 }));
    const runId = await harness.runOf(simple, large);
    await harness.decide(runId);
    await harness.engine.stop();
    await harness.addEngine({
      bank: { payInput: z.object({ to: z.string(), amount: z.int(), memo: z.string().optional() }) },
    });
    await harness.clock.advance(60_000);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("has changed") as string,
    });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("is not opened if its call cannot be rendered", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(simple, { to: "acme", amount: "a lot" });
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining('covers "pay"') as string,
    });
    expect(await harness.reviews(runId)).toEqual([]);
  });

  test("a rejection sends nothing", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(simple, large);
    await harness.decide(runId, { approved: false, rejectionReason: "no" });
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "no" });
    expect(harness.bank.calls).toEqual([]);
  });

  test("allows only its own possible approvers to decide the call's other reviews", async () => {
    const harness = await createHarness();
    harness.bank.plan("pay", breaks());
    const reviewers = { people: ["carol", "dora"] };
    const runId = await harness.runOf(
      procedure([review("ok", { covers: "pay", reviewers, approvals: 2, excludeStarter: true }), pay()]),
      large,
    );
    const approve = async (): Promise<void> => {
      for (const by of [bob, alice]) {
        await expect(harness.decide(runId, { by })).rejects.toMatchObject({ code: "permission_denied" });
      }
      await harness.decide(runId, { by: carol });
      expect((await harness.read(runId)).status).toBe("awaiting_review");
      await harness.decide(runId, { by: { person: "dora" } });
    };
    await approve();
    expect((await harness.reviews(runId)).at(-1)).toMatchObject({ kind: "guard", status: "open" });
    await approve();
    expect((await harness.reviews(runId)).at(-1)).toMatchObject({ kind: "outcome_unknown", status: "open" });
    await approve();
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(2);
  });

  test("lets the starter decide none of the call's reviews, even if it names no reviewers", async () => {
    const harness = await createHarness();
    harness.bank.plan("pay", breaks());
    const starter = { person: "alice", roles: ["reviewer"] };
    const document = procedure([
      review("ok", { covers: "pay", reviewers: { roles: ["reviewer"] }, excludeStarter: true }),
      pay(),
    ]);
    const runId = await harness.runOf(document, large);
    for (const kind of ["human_review", "guard", "outcome_unknown"]) {
      expect((await harness.reviews(runId)).at(-1)).toMatchObject({ kind, status: "open" });
      for (const by of [starter, { person: "alice", via: "key_2", roles: ["reviewer"] }, { person: "dora" }]) {
        await expect(harness.decide(runId, { by })).rejects.toMatchObject({ code: "permission_denied" });
      }
      await harness.decide(runId, { by: bob });
    }
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("does not restrict the reviews of other calls", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", breaks());
    const document = procedure([
      call("other", "once"),
      review("ok", { covers: "pay", reviewers: { people: ["carol", "dora"] }, approvals: 2 }),
      pay(),
    ]);
    const runId = await harness.runOf(document, large);
    expect(await harness.reviews(runId)).toMatchObject([
      { kind: "outcome_unknown", nodeId: "other", rules: { roles: [], people: [], approvals: 1 } },
    ]);
    await harness.decide(runId, { by: alice, outputs: { id: "x" } });
    expect((await harness.reviews(runId)).at(-1)).toMatchObject({ kind: "human_review", rules: { approvals: 2 } });
  });

  test("sends nothing to another connection that has taken the name of the shown one", async () => {
    const integrations = [till];
    const harness = await createHarness({ integrations });
    const connect = (url: string) =>
      harness.engine.connections.create({
        name: "till",
        integration: "till",
        environment: "sandbox",
        settings: { url },
        by: alice,
      });
    const { connectionId } = await connect("https://one.test");
    const document = procedure([
      review("ok", { covers: "take" }),
      { id: "take", kind: "tool_call", connection: "till", action: "take" },
    ]);
    const [same, swapped] = [await harness.runOf(document), await harness.run()];
    await harness.decide(same);
    expect(await harness.read(same)).toMatchObject({ status: "completed" });
    await harness.engine.connections.remove({ environment: "sandbox", connectionId, by: alice, force: true });
    await connect("https://two.test");
    await harness.decide(swapped);
    expect((await harness.read(swapped)).status).toBe("failed");
    expect(taken).toEqual(["https://one.test"]);
  });

  test("does not disable a guard of the covered call", async () => {
    const harness = await createHarness();
    const document = procedure([review("ok", { covers: "pay" }), pay()]);
    const runId = await harness.runOf(document, large);
    await harness.decide(runId);
    expect((await harness.reviews(runId)).map(({ kind, status }) => [kind, status])).toEqual([
      ["human_review", "approved"],
      ["guard", "open"],
    ]);
    expect(harness.bank.calls).toEqual([]);
  });
});
