import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { call, procedure } from "./documents.ts";

describe("the context that an action receives", () => {
  test("may be copied: the copy has the members of the original and no others", async () => {
    const harness = await createHarness();
    let refused: unknown;
    harness.bank.plan("once", async ({ context }) => {
      const copy = { ...context, extra: 1 };
      expect(copy).toMatchObject({ idempotencyKey: context.idempotencyKey, attempt: 1, nodeId: "a" });
      refused = await copy.fetch("http://169.254.169.254/").catch((error: unknown) => error);
      return { id: "done" };
    });
    const run = await harness.read(await harness.runOf(procedure([call("a", "once")])));
    await harness.clock.settle();
    expect((await harness.read(run.runId)).status).toBe("completed");
    expect(refused).toMatchObject({ code: "destination_not_allowed" });
  });

  test("has one signal, however often it is read", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", async ({ context }) => ({ id: String(context.signal === context.signal) }));
    const run = await harness.read(await harness.runOf(procedure([call("a", "once")])));
    expect(run.steps[1]?.output).toEqual({ id: "true" });
  });
});
