import type { JournalRow } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { firstBrokenRow } from "../src/journal/chain.ts";
import { deriveKey } from "../src/secrets/derive-key.ts";
import { createHarness, testKey, type Harness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

const document = procedure([
  call("a", "once", { arguments: { to: "{{ input.to }}" } }),
  review("r"),
  call("b", "once", { arguments: { to: "{{ input.to }}" } }),
]);

/** Makes storage return a run's journal with a change. */
function tamper(
  harness: Harness,
  engine: Harness["engine"],
  runId: string,
  change: (journal: readonly JournalRow[]) => readonly JournalRow[],
): void {
  const changed = <T extends { runId: string; journal: readonly JournalRow[] }>(claim: T): T =>
    claim.runId === runId ? { ...claim, journal: change(claim.journal) } : claim;
  engine.way.on("runs.claim", async (work) => {
    const result = (await work()) as { runs: readonly { runId: string; journal: readonly JournalRow[] }[] };
    return { ...result, runs: result.runs.map(changed) };
  });
}

describe("a journal", () => {
  test("verifies as a chain under the key that is derived from the master key", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(document, { to: "acme" });
    await harness.decide(runId);
    const rows = await harness.engine.runs.journal({ environment: "sandbox", runId });
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_row, index) => index + 1));
    expect(firstBrokenRow(deriveKey(testKey, "journal"), runId, rows)).toBeUndefined();
    expect(firstBrokenRow(deriveKey(new Uint8Array(32).fill(9), "journal"), runId, rows)).toBe(1);
  });

  test.each<[string, (rows: readonly JournalRow[]) => readonly JournalRow[]]>([
    ["a changed body", (rows) => rows.map((row) => ({ ...row, body: row.body.replace("acme", "evil") }))],
    ["a missing row", (rows) => rows.filter(({ seq }) => seq !== 1)],
    ["no rows", () => []],
    ["rows out of order", (rows) => rows.toReversed()],
    ["another run's rows", (rows) => rows.map((row) => ({ ...row, hash: row.hash.split("").toReversed().join("") }))],
  ])("with %s quarantines its run: no call, no write, and the other runs continue", async (_name, change) => {
    const harness = await createHarness();
    await harness.publish(document);
    const [broken, whole] = [await harness.run({ to: "acme" }), await harness.run({ to: "fine" })];
    await harness.engine.stop();
    const before = await harness.engine.runs.journal({ environment: "sandbox", runId: broken });
    await harness.decide(broken);
    await harness.decide(whole);
    const successor = await harness.addEngine({ started: false });
    tamper(harness, successor, broken, change);
    await successor.start();
    await harness.clock.advance(60_000);
    expect((await successor.runs.get({ environment: "sandbox", runId: whole })).status).toBe("completed");
    expect(harness.bank.callsOf("once").filter(({ args }) => args["to"] !== "fine")).toHaveLength(1);
    expect(await successor.runs.journal({ environment: "sandbox", runId: broken })).toEqual(before);
    expect(successor.logged.filter((line) => line === "error: A run was quarantined.")).toHaveLength(1);
    expect(successor.runs.quarantinedRuns()).toMatchObject([
      { runId: broken, error: expect.stringContaining("cannot be trusted") as string },
    ]);
  });

  test("that is quarantined takes no place from other runs", async () => {
    const harness = await createHarness({ worker: { capacity: 1 } });
    await harness.publish(document);
    const [broken, whole] = [await harness.run({ to: "acme" }), await harness.run({ to: "fine" })];
    await harness.engine.stop();
    await harness.decide(broken);
    await harness.decide(whole);
    const successor = await harness.addEngine({ started: false });
    tamper(harness, successor, broken, (rows) => rows.slice(1));
    await successor.start();
    await harness.clock.advance(10_000);
    expect((await successor.runs.get({ environment: "sandbox", runId: whole })).status).toBe("completed");
  });

  test("of an ended run never changes, even if a notification arrives later", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([call("a", "once")]));
    const before = [await harness.read(runId), await harness.engine.runs.journal({ environment: "sandbox", runId })];
    const by = { person: "bob" };
    await expect(harness.engine.runs.cancel({ environment: "sandbox", runId, by })).rejects.toMatchObject({
      code: "already_ended",
    });
    await expect(harness.decide(runId)).rejects.toMatchObject({ code: "review_not_found" });
    await harness.addEngine();
    await harness.clock.advance(60_000);
    expect([await harness.read(runId), await harness.engine.runs.journal({ environment: "sandbox", runId })]).toEqual(
      before,
    );
  });
});
