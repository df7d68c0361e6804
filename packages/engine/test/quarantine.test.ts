import { expect, test } from "vitest";
import { createBench, type Bench, type BenchOptions } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";

const document = procedure([call("a", "once", { arguments: { to: "{{ input.to }}" } }), review("r")]);

/** Two runs wait for a decision and get it while no engine works; the heir finds the journal of the first one changed. */
async function withBrokenRun(
  worker: BenchOptions["worker"] = {},
  waitMs = 60_000,
): Promise<{ bench: Bench; heir: Bench["engine"]; broken: string; whole: string }> {
  const bench = await createBench();
  await bench.publish(document);
  const [broken, whole] = [await bench.run({ to: "acme" }), await bench.run({ to: "fine" })];
  await bench.engine.stop();
  await bench.decide(broken);
  await bench.decide(whole);
  const heir = await bench.addEngine({ started: false, worker });
  interface Claimed {
    readonly runs: readonly { readonly runId: string; readonly journal: readonly { readonly body: string }[] }[];
  }
  heir.way.on("runs.claim", async (work) => {
    const result = (await work()) as Claimed;
    const changed = (body: string): string => body.replace("acme", "evil");
    const tampered = ({ journal, ...run }: Claimed["runs"][number]) => ({
      ...run,
      journal: journal.map((row) => ({ ...row, body: changed(row.body) })),
    });
    return { ...result, runs: result.runs.map((run) => (run.runId === broken ? tampered(run) : run)) };
  });
  await heir.start();
  await bench.clock.advance(waitMs);
  return { bench, heir, broken, whole };
}

test("a quarantined run is shown with its reason and the time; nothing else is", async () => {
  const { bench, heir, broken, whole } = await withBrokenRun();
  const shown = heir.runs.quarantinedRuns();
  expect(shown).toEqual([
    { runId: broken, error: expect.stringMatching(/journal/i) as string, atMs: expect.any(Number) as number },
  ]);
  expect(shown[0]?.atMs).toBeGreaterThanOrEqual(bench.clock.now() - 60_000);
  expect(JSON.stringify(shown)).not.toMatch(/evil|acme/);
  expect((await heir.runs.get({ environment: "sandbox", runId: whole })).status).toBe("completed");
  expect(bench.engine.runs.quarantinedRuns()).toEqual([]);
});

test("a quarantined run leaves its room at once to the next one", async () => {
  const { heir, whole } = await withBrokenRun({ capacity: 1, pollMs: 60_000 }, 10);
  expect(heir.runs.quarantinedRuns()).toHaveLength(1);
  expect((await heir.runs.get({ environment: "sandbox", runId: whole })).status).toBe("completed");
});

test("a quarantined run stays running in lists, also when it is cancelled", async () => {
  const { bench, heir, broken } = await withBrokenRun();
  await heir.runs.cancel({ environment: "sandbox", runId: broken, by: { person: "ann" } });
  await bench.clock.advance(60_000);
  const { items } = await heir.runs.list({ environment: "sandbox", status: "running", limit: 10 });
  expect(items.map(({ runId }) => runId)).toEqual([broken]);
  expect(heir.runs.quarantinedRuns()).toHaveLength(1);
});
