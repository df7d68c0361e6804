import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@procedo/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkReconciliation } from "../src/check-reconciliation.ts";
import { describeMessages, describeScene } from "../src/describe-scene.ts";
import { openExample, type Example } from "../src/open-example.ts";
import { runScenario, type Scene } from "../src/run-scenario.ts";

let example: Example;
let scenes: readonly Scene[];

beforeAll(async () => {
  example = await openExample();
  scenes = await runScenario(example);
});

afterAll(() => example.close());

function scene(index: number): Scene {
  const found = scenes[index];
  if (found === undefined) throw new Error(`The story has no scene ${index}.`);
  return found;
}

function step(index: number, wanted: string) {
  return scene(index).run.steps?.find(({ nodeId }) => nodeId === wanted);
}

function endOf(index: number): JsonObject {
  const { run } = scene(index);
  if (run.status !== "completed") throw new Error(`The run of scene ${index} is ${run.status}.`);
  return run.output;
}

describe("five days", () => {
  test("a day on which everything matches needs no person", () => {
    expect(scene(0).run).toMatchObject({
      status: "completed",
      output: { outcome: "reconciled" },
      reference: "2026-11-24",
    });
    expect(scene(0).reviews).toEqual([]);
  });

  test("differences wait for a person, who sees them with their amounts", () => {
    expect(scene(1).run).toMatchObject({ status: "completed", output: { outcome: "accepted" } });
    expect(scene(1).reviews).toMatchObject([
      {
        title: "Decide on the differences in the payouts of 2026-11-25",
        data: {
          differences: [
            "amount_differs (po_1Q25eur, cr_2501): expected 797.60 EUR, found 782.60 EUR",
            "missing_in_ledger (po_1Q25usd): expected 291.00 USD, found 0.00 USD",
            "missing_in_stripe (cr_2502): expected 0.00 EUR, found 42.00 EUR",
          ],
        },
        status: "approved",
        decisions: [{ person: "ben@example.com", address: "127.0.0.1" }],
      },
    ]);
  });

  test("a run waits as long as Stripe asks, and completes", () => {
    expect(scene(2).run).toMatchObject({ status: "completed", output: { outcome: "reconciled" } });
    const [asked, answered] = [step(2, "payouts"), step(2, "arriving")];
    expect(asked).toMatchObject({ attempts: 2 });
    const waitedMs = Date.parse(answered?.startedAt ?? "") - Date.parse(asked?.startedAt ?? "");
    expect(waitedMs).toBeGreaterThanOrEqual(1_000);
  });

  test("a message whose answer is lost is not posted again: a person finds it in the channel", () => {
    expect(scene(3).reviews).toMatchObject([{ kind: "outcome_unknown", nodeId: "post_match", status: "approved" }]);
    expect(step(3, "post_match")).toMatchObject({ attempts: 1 });
    const posted = example.services.slack.messages().filter(({ text }) => text.includes("2026-11-27"));
    expect(posted.map(({ ts }) => ts)).toEqual([endOf(3)["messageTs"]]);
  });

  test("a run waits while the bank's authorization has ended, and goes on when Ana has authorized it again", () => {
    expect(scene(4).run).toMatchObject({ status: "completed", output: { outcome: "reconciled" } });
    expect(scene(4).reviews).toEqual([]);
    const [refused, answered] = step(4, "credits")?.callAttempts ?? [];
    expect([refused?.outcome, answered?.outcome]).toEqual(["not_started", "ok"]);
    expect(refused?.message).toContain("refused the access token (401)");
    expect(example.services.bank.authorization.count("authorization_code")).toBe(2);
  });

  test("each run was fired by hand, from the schedule's trigger, for its owner", () => {
    for (const { run } of scenes) {
      expect(run).toMatchObject({ startedBy: "ana@example.com", trigger: { kind: "manual" } });
    }
    expect(new Set(scenes.map(({ run }) => run.trigger?.triggerId)).size).toBe(1);
  });

  test("the runs agree with the channel", () => {
    expect(checkReconciliation(scenes, example.services.slack.messages())).toEqual([]);
  });

  test("the credentials of the services are nowhere in the data", async () => {
    const { stripe, slack, bank } = example.services;
    const { client, requests } = bank.authorization;
    const codes = requests.flatMap(({ parameters }) => parameters.getAll("code"));
    expect(codes).toHaveLength(2);
    const tokens = [client.secret, ...codes];
    const files = await readdir(example.dataDir);
    expect(files).toContain("procedo.sqlite");
    for (const file of files) {
      const text = await readFile(join(example.dataDir, file), "latin1");
      for (const secret of [stripe.secretKey, slack.botToken, ...tokens]) expect(text).not.toContain(secret);
    }
  });
});

describe("the output of the example", () => {
  test("shows the decision, and cuts the long lists of Stripe", () => {
    const lines = describeScene(scene(1));
    expect(lines.join("\n")).toContain("approved by ben@example.com");
    expect(lines.filter((line) => line.endsWith("…")).length).toBeGreaterThan(0);
    expect(Math.max(...lines.map(({ length }) => length))).toBe(242);
  });

  test("shows the channel", () => {
    expect(describeMessages(example.services.slack.messages())[0]).toContain("Payouts of 2026-11-24: reconciled.");
  });
});
