import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkBooks } from "../src/check-books.ts";
import { describeRequests, describeRun } from "../src/describe-run.ts";
import { openExample, type Example } from "../src/open-example.ts";
import { playStory, type Scene } from "../src/play-story.ts";

let example: Example;
let scenes: readonly Scene[];

beforeAll(async () => {
  example = await openExample();
  scenes = await playStory(example.engine, example.ledger);
});

afterAll(() => example.close());

function scene(index: number): Scene["record"] {
  const found = scenes[index];
  if (found === undefined) throw new Error(`The story has no scene ${index}.`);
  return found.record;
}

describe("the story of four payments", () => {
  test("a small amount is paid without asking anybody", () => {
    expect(scene(0)).toMatchObject({ status: "completed", output: { paymentId: "pay_1" } });
    expect(scene(0).steps.map(({ nodeId }) => nodeId)).toEqual(["start", "vendor", "invoice", "check", "pay", "done"]);
    expect(scene(0).steps.flatMap(({ reviews }) => reviews)).toEqual([]);
  });

  test("a rejected payment fails the run with the reviewer's reason, and nothing was sent", () => {
    expect(scene(1)).toMatchObject({ status: "failed", error: "The delivery is not complete yet." });
    expect(scene(1).steps.map(({ nodeId }) => nodeId)).not.toContain("pay");
  });

  test("an approved payment is sent once, as it was shown", () => {
    expect(scene(2)).toMatchObject({ status: "completed", output: { paymentId: "pay_2" } });
    const review = scene(2).steps.flatMap(({ reviews }) => reviews)[0];
    expect(review).toMatchObject({
      title: "Pay 4500000 EUR to Acme Industrial GmbH?",
      answer: { status: "approved", decisions: [{ person: "ben", digest: review?.digest }] },
    });
    const sent = scene(2).steps.find(({ nodeId }) => nodeId === "pay");
    expect(sent?.input).toEqual({ vendorId: "ven_acme", invoiceId: "inv_1002", amount: 4_500_000, currency: "EUR" });
    expect(sent?.attempts).toHaveLength(1);
  });

  test("a payment whose answer was lost waits for a person, who settles it with what the ledger's books say", () => {
    expect(scene(3)).toMatchObject({ status: "completed", output: { paymentId: "pay_3" } });
    const sent = scene(3).steps.find(({ nodeId }) => nodeId === "pay");
    expect(sent?.attempts).toMatchObject([{ outcome: "unknown" }]);
    expect(sent?.reviews).toMatchObject([{ kind: "outcome_unknown", answer: { status: "approved" } }]);
    expect(sent?.output).toMatchObject({ id: "pay_3", amount: 89_990, currency: "USD" });
  });

  test("the ledger made each payment once, under the key and with the body that the record tells", async () => {
    const effects = await example.ledger.effects();
    const runs = scenes.map(({ record }) => record);
    const sent = runs.flatMap(({ steps }) => steps.filter(({ nodeId }) => nodeId === "pay"));
    expect(effects).toMatchObject(
      sent.map(({ input, attempts }) => ({
        key: attempts[0]?.idempotencyKey,
        executions: 1,
        requests: 1,
        bodies: [JSON.stringify(input)],
      })),
    );
    expect(checkBooks(runs, effects)).toEqual([]);
  });

  test("the payments are announced in the record, and the key of the connection is not in it", async () => {
    for (const { record } of scenes) {
      const journal = await example.engine.runs.journal({ environment: "sandbox", runId: record.runId });
      expect(journal.map(({ body }) => body).join()).not.toContain("an-example-token");
      const announced = journal.flatMap(({ entries }) => entries.filter(({ type }) => type === "emitted"));
      expect(announced).toHaveLength(record.status === "completed" ? 1 : 0);
    }
  });
});

describe("what the example prints", () => {
  test("each step with its exact input and output, its key and its outcome", () => {
    const text = describeRun(scene(0)).join("\n");
    const key = scene(0).steps.find(({ nodeId }) => nodeId === "pay")?.attempts[0]?.idempotencyKey;
    expect(text).toContain(`in  {"vendorId":"ven_acme","invoiceId":"inv_1001","amount":125000,"currency":"EUR"}`);
    expect(text).toContain(`attempt 1, key ${key}: ok`);
    expect(text).toContain(`out {"paymentId":"pay_1"}`);
  });

  test("who decided, and why", () => {
    expect(describeRun(scene(1)).join("\n")).toContain("rejected by ben: The delivery is not complete yet.");
  });

  test("what the ledger saw, with the payment whose answer was lost", async () => {
    const lines = describeRequests(await example.ledger.requests());
    expect(lines.filter((line) => line.includes("POST /payments → dropped, money moved"))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("POST /payments → 201, money moved"))).toHaveLength(2);
  });
});
