import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ProcedoError } from "@procedo/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkBooks } from "../src/check-books.ts";
import { checkWebhooks, expectedEvents } from "../src/check-webhooks.ts";
import { describeEvents, describeRequests, describeRun } from "../src/describe-run.ts";
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

const stepsOf = ({ run }: Scene) => run.steps ?? [];
const nodesOf = (one: Scene) => stepsOf(one).map(({ nodeId }) => nodeId);

describe("five payments", () => {
  test("a small amount is paid without a review", () => {
    expect(scene(0).run).toMatchObject({ status: "completed", output: { paymentId: "pay_1" } });
    expect(nodesOf(scene(0))).toEqual(["start", "vendor", "invoice", "check", "pay", "done"]);
    expect(scene(0).reviews).toEqual([]);
  });

  test("a rejected payment fails the run with the reviewer's reason, and nothing is sent", () => {
    expect(scene(1).run).toMatchObject({ status: "failed", error: "The delivery is not complete yet." });
    expect(nodesOf(scene(1))).not.toContain("pay");
  });

  test("an approved payment is sent once, as it was shown", () => {
    expect(scene(2).run).toMatchObject({ status: "completed", output: { paymentId: "pay_2" } });
    const sent = { vendorId: "ven_acme", invoiceId: "inv_1002", amount: 4_500_000, currency: "EUR" };
    const [review] = scene(2).reviews;
    expect(review).toMatchObject({
      title: "Pay 45,000.00 EUR to Acme Industrial GmbH?",
      status: "approved",
      call: { connection: "ledger", action: "post_payments", arguments: sent },
      decisions: [{ person: "ben@example.com", digest: review?.digest, address: "127.0.0.1" }],
    });
    expect(stepsOf(scene(2)).find(({ nodeId }) => nodeId === "pay")).toMatchObject({ input: sent, attempts: 1 });
  });

  test("a payment whose answer was lost waits for a person, who settles it by the ledger's books", () => {
    expect(scene(3).run).toMatchObject({ status: "completed", output: { paymentId: "pay_3" } });
    expect(scene(3).reviews).toMatchObject([{ kind: "outcome_unknown", status: "approved", nodeId: "pay" }]);
    const sent = stepsOf(scene(3)).find(({ nodeId }) => nodeId === "pay");
    expect(sent).toMatchObject({ attempts: 1, output: { id: "pay_3", amount: 89_990, currency: "USD" } });
  });

  test("an invoice that arrives is paid by the ledger's event, for the person who made the trigger", () => {
    const { run } = scene(4);
    expect(run).toMatchObject({ status: "completed", output: { paymentId: "pay_4" }, startedBy: "ana@example.com" });
    expect(run.trigger).toMatchObject({ kind: "integration", eventId: expect.stringMatching(/^evt_/) as string });
    expect(stepsOf(scene(4))[0]).toMatchObject({ input: { invoiceId: "inv_1007", amount: 48_000 } });
  });

  test("the ledger made each payment once, with the recorded body", async () => {
    const effects = await example.ledger.effects();
    const runs = scenes.map(({ run }) => run);
    const sent = scenes.flatMap((one) => stepsOf(one).filter(({ nodeId }) => nodeId === "pay"));
    const reported = effects.map((effect) => ({
      ...effect,
      bodies: effect.bodies.map((body) => JSON.parse(body) as unknown),
    }));
    expect(reported).toMatchObject(sent.map(({ input }) => ({ executions: 1, requests: 1, bodies: [input] })));
    expect(checkBooks(runs, effects)).toEqual([]);
  });

  test("each event was delivered to a webhook with a valid signature", async () => {
    await example.receiver.waitFor(expectedEvents(scenes).length, 30_000);
    expect(checkWebhooks(scenes, example.receiver.events())).toEqual([]);
    expect(example.receiver.refused()).toEqual([]);
    const sent = example.receiver.events().filter(({ event }) => event === "custom.payment_sent");
    const reported = sent.map(({ data }) => ("payload" in data ? data.payload["paymentId"] : undefined));
    expect(reported.toSorted()).toEqual(["pay_1", "pay_2", "pay_3", "pay_4"]);
  });

  test("the starter may not decide, and the reviewer may not start", async () => {
    const data = { vendorId: "ven_acme", invoiceId: "inv_1001", amount: 125_000 };
    const [review] = scene(2).reviews;
    if (review === undefined) throw new Error("Nothing was asked.");
    const denied = (error: unknown) => ProcedoError.isError(error) && error.code === "permission_denied";
    await expect(example.ana.reviews.decide(review, { approved: true })).rejects.toSatisfy(denied);
    await expect(example.ben.start("vendor-payment", { data })).rejects.toSatisfy(denied);
  });

  test("the key of the connection is nowhere in the data", async () => {
    const folder = join(example.folder, "data");
    const files = await readdir(folder);
    expect(files).toContain("procedo.sqlite");
    for (const file of files) expect(await readFile(join(folder, file), "latin1")).not.toContain("an-example-token");
  });
});

test("an unsigned webhook delivery is refused and not counted", async () => {
  const before = example.receiver.events().length;
  const body = JSON.stringify({ id: "evt_1", event: "run_completed", createdAt: "2026-01-01T00:00:00.000Z", data: {} });
  const headers = { "content-type": "application/json", "x-service-signature": `sha256=${"0".repeat(64)}` };
  const { status } = await fetch(example.receiver.url, { method: "POST", headers, body });
  expect(status).toBe(401);
  expect(example.receiver.events()).toHaveLength(before);
});

describe("the output of the example", () => {
  test("shows each step with its exact input and output", () => {
    const text = describeRun(scene(0)).join("\n");
    expect(text).toContain(`in  {"vendorId":"ven_acme","invoiceId":"inv_1001","amount":125000,"currency":"EUR"}`);
    expect(text).toContain("pay (tool_call, completed, 1 call)");
    expect(text).toContain(`out {"paymentId":"pay_1"}`);
  });

  test("shows who decided, and why", () => {
    expect(describeRun(scene(1)).join("\n")).toContain(
      "rejected by ben@example.com: The delivery is not complete yet.",
    );
  });

  test("shows the ledger's requests, including the payment whose answer was lost", async () => {
    const lines = describeRequests(await example.ledger.requests());
    expect(lines.filter((line) => line.includes("POST /payments → dropped, money moved"))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("POST /payments → 201, money moved"))).toHaveLength(3);
  });

  test("shows the received webhook deliveries", () => {
    expect(describeEvents(example.receiver.events()).join("\n")).toContain(`custom.payment_sent {"runId":"`);
  });
});
