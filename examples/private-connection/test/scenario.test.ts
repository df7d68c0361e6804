import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkEffects } from "../src/check-effects.ts";
import { describeScene } from "../src/describe-scene.ts";
import { openExample, type Example } from "../src/open-example.ts";
import { runScenario, type Scene } from "../src/run-scenario.ts";

let example: Example;
let scenes: readonly Scene[];

beforeAll(async () => {
  example = await openExample();
  scenes = await runScenario(example);
});

// If opening failed, nothing needs closing, and the original failure is reported.
afterAll(() => (example as Example | undefined)?.close());

function scene(index: number): Scene {
  const found = scenes[index];
  if (found === undefined) throw new Error(`The story has no scene ${index}.`);
  return found;
}

const stepOf = (one: Scene, id: string) => (one.run.steps ?? []).find(({ nodeId }) => nodeId === id);

describe("a payment after a screening", () => {
  test("a clear vendor is paid without a review", () => {
    expect(scene(0)).toMatchObject({ run: { status: "completed", output: { paymentId: "pay_1" } }, reviews: [] });
    expect(stepOf(scene(0), "screen")).toMatchObject({ output: { verdict: "clear", matches: [] } });
  });

  test("a vendor with a name similar to a listed one is paid after a person has compared them", () => {
    expect(scene(1).run).toMatchObject({ status: "completed", output: { paymentId: "pay_2" } });
    expect(scene(1).reviews).toMatchObject([
      { kind: "human_review", status: "approved", data: { matches: [{ entryId: "SL-0204" }] } },
    ]);
  });

  test("a rejected report is never filed, and the run fails with the reason", () => {
    const reason = "The vendor is listed, and was not reported: Legal files this one on paper.";
    expect(scene(2).run).toMatchObject({ status: "completed", output: { reason } });
    expect(scene(2).reviews).toMatchObject([{ kind: "function", status: "rejected", nodeId: "report" }]);
  });

  test("a report whose client died after filing it is settled by a person, and filed once", async () => {
    expect(scene(3).run).toMatchObject({ status: "completed", output: { reportId: "SAR-1" } });
    const sent = { vendorId: "ven_hooli", entryId: "SL-0017" };
    expect(stepOf(scene(3), "report")).toMatchObject({ input: sent, output: { reportId: "SAR-1" }, attempts: 1 });
    expect(scene(3).reviews).toMatchObject([
      { kind: "function", status: "approved", call: { connection: "compliance", arguments: sent } },
      { kind: "outcome_unknown", status: "approved", nodeId: "report" },
    ]);
    expect(await example.office.reports()).toMatchObject([{ reportId: "SAR-1", runId: scene(3).run.runId, ...sent }]);
  });

  test("the office was called once for each screening, and once for the report", () => {
    const started = (name: string) => [...example.office.output().matchAll(new RegExp(`${name} \\S+ started`, "g"))];
    expect(started("screen_vendor")).toHaveLength(scenes.length);
    expect(started("file_suspicious_activity_report")).toHaveLength(1);
  });

  test("the runs match the ledger and the office; no listed vendor was paid", async () => {
    const payments = example.ledger.effects();
    const runs = scenes.map(({ run }) => run);
    expect(checkEffects(runs, { payments, reports: await example.office.reports() })).toEqual([]);
    expect(payments.flatMap(({ bodies }) => bodies).filter((body) => body.includes("ven_hooli"))).toEqual([]);
  });

  test("the example prints each step, and both reviews of the report", () => {
    const text = describeScene(scene(3)).join("\n");
    expect(text).toContain("asked: Approval needed: Report the listed vendor");
    expect(text).toContain("asked: Outcome unknown: Report the listed vendor");
    expect(text).toContain(`with {"reportId":"SAR-1"}`);
  });
});
