import { expect, test } from "vitest";
import { createHarness, type Harness, type HarnessOptions } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

const document = procedure([call("a", "once", { arguments: { to: "{{ input.to }}" } }), review("r")]);

/** Two runs get their decisions while no engine works; the next engine finds the first one's journal changed. */
async function withBrokenRun(
  worker: HarnessOptions["worker"] = {},
  waitMs = 60_000,
): Promise<{ harness: Harness; successor: Harness["engine"]; broken: string; whole: string }> {
  const harness = await createHarness();
  await harness.publish(document);
  const [broken, whole] = [await harness.run({ to: "acme" }), await harness.run({ to: "fine" })];
  await harness.engine.stop();
  await harness.decide(broken);
  await harness.decide(whole);
  const successor = await harness.addEngine({ started: false, worker });
  interface Claimed {
    readonly runs: readonly { readonly runId: string; readonly journal: readonly { readonly body: string }[] }[];
  }
  successor.way.on("runs.claim", async (work) => {
    const result = (await work()) as Claimed;
    const changed = (body: string): string => body.replace("acme", "evil");
    const tampered = ({ journal, ...run }: Claimed["runs"][number]) => ({
      ...run,
      journal: journal.map((row) => ({ ...row, body: changed(row.body) })),
    });
    return { ...result, runs: result.runs.map((run) => (run.runId === broken ? tampered(run) : run)) };
  });
  await successor.start();
  await harness.clock.advance(waitMs);
  return { harness, successor, broken, whole };
}

test("a quarantined run is shown with its reason and the time; other runs are not", async () => {
  const { harness, successor, broken, whole } = await withBrokenRun();
  const shown = successor.runs.quarantinedRuns();
  expect(shown).toEqual([
    { runId: broken, error: expect.stringMatching(/journal/i) as string, atMs: expect.any(Number) as number },
  ]);
  expect(shown[0]?.atMs).toBeGreaterThanOrEqual(harness.clock.now() - 60_000);
  expect(JSON.stringify(shown)).not.toMatch(/evil|acme/);
  expect((await successor.runs.get({ environment: "sandbox", runId: whole })).status).toBe("completed");
  expect(harness.engine.runs.quarantinedRuns()).toEqual([]);
});

test("a quarantined run frees its place at once for the next one", async () => {
  const { successor, whole } = await withBrokenRun({ capacity: 1, pollMs: 60_000 }, 10);
  expect(successor.runs.quarantinedRuns()).toHaveLength(1);
  expect((await successor.runs.get({ environment: "sandbox", runId: whole })).status).toBe("completed");
});

test("a quarantined run stays running in lists, even after a cancellation", async () => {
  const { harness, successor, broken } = await withBrokenRun();
  await successor.runs.cancel({ environment: "sandbox", runId: broken, by: { person: "ann" } });
  await harness.clock.advance(60_000);
  const { items } = await successor.runs.list({ environment: "sandbox", status: "running", limit: 10 });
  expect(items.map(({ runId }) => runId)).toEqual([broken]);
  expect(successor.runs.quarantinedRuns()).toHaveLength(1);
});
