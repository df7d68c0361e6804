import { expect, describe, test } from "vitest";
import { credit, message, posted, reconcileDay } from "./reconcile-day.ts";
import { day, payoutOf } from "./reconciliation-setup.ts";

const short = { payouts: [payoutOf("po_1", 50_000)], credits: [credit("cr_1", 48_500, "po_1")] };

describe("a difference", () => {
  test("waits for a reviewer, and nothing is posted before the decision", async () => {
    const run = await reconcileDay(short);
    expect(run.review).toMatchObject({
      title: `Decide on the differences in the payouts of ${day}`,
      data: {
        differences: ["amount_differs (po_1, cr_1): expected 500.00 EUR, found 485.00 EUR"],
        payouts: ["500.00 EUR (payouts: 1)"],
      },
    });
    expect(run.effects).toEqual([]);
  });

  test.each(["accepted", "open"])("that is %s is posted with the reviewer's note", async (decision) => {
    const run = await reconcileDay(short);
    await run.approve({ outputs: { decision, note: "The bank kept a fee." } });
    expect(run.effects).toEqual([message(`differences ${decision} (1). The bank kept a fee.`)]);
    expect(run.output).toEqual({ outcome: decision, messageTs: posted.ts });
  });

  test("needs a decision and a note", async () => {
    const run = await reconcileDay(short);
    await expect(run.approve()).rejects.toMatchObject({ code: "invalid_decision" });
    await expect(run.approve({ outputs: { decision: "open" } })).rejects.toMatchObject({ code: "invalid_decision" });
    expect(run.effects).toEqual([]);
  });

  test("cannot be decided by the person who started the run", async () => {
    const run = await reconcileDay(short);
    const outputs = { decision: "accepted", note: "Fine." };
    const by = { person: "starter", roles: ["reviewer"] };
    await expect(run.approve({ outputs, by })).rejects.toMatchObject({ code: "permission_denied" });
  });

  test("that is rejected fails the run with the reason, and posts nothing", async () => {
    const run = await reconcileDay(short);
    await run.reject("The statement is of the wrong account.");
    expect([run.status, run.error]).toEqual(["failed", "The statement is of the wrong account."]);
    expect(run.effects).toEqual([]);
  });

  test("that is not decided within three days fails the run, and posts nothing", async () => {
    const run = await reconcileDay(short);
    await run.advance("P2D");
    expect(run.status).toBe("awaiting_review");
    await run.advance("P1D");
    expect([run.status, run.effects]).toEqual(["failed", []]);
  });
});
