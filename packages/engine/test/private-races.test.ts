import { expect, test } from "vitest";
import { seededRandom } from "@procedo-testing/faults";
import { alice, uuid, type HarnessEngine } from "./harness.ts";
import { createPrivateHarness, declared, leaseOf } from "./private-harness.ts";

const runs = 12;

/**
 * Two engines, two clients and some runs that call a function that must not be called twice. At random, clients poll,
 * acknowledge, answer, fail and go silent, engines lose their storage and regain it, runs are cancelled, people decide,
 * and time passes. At the end every run that can settle does.
 */
test.each(Array.from({ length: 40 }, (_, seed) => seed + 1))(
  "under any failures of clients and engines, each result is accepted once and nothing is started twice (%i)",
  async (seed) => {
    const random = seededRandom(seed);
    const chance = (part: number): boolean => random.uniform() < part;
    const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random.uniform() * from.length)];
    const harness = await createPrivateHarness();
    const { clock } = harness;
    const engines: readonly HarnessEngine[] = [harness.engine, await harness.addEngine()];
    const clients = [await harness.connect(), await harness.connect([declared("screen")], { clientId: "two" })];
    await harness.call("screen", { timeoutMs: 300_000 });
    const runIds: string[] = [];
    for (let n = 0; n < runs; n++) runIds.push(await harness.run({}, { procedureId: "p" }));

    /** By invocation: the number of times that its function was started, and the accepted answers. */
    const begun = new Map<string, number>();
    const accepted = new Map<string, unknown[]>();
    const held: { readonly invocation: Awaited<ReturnType<(typeof clients)[0]["take"]>>; begun: boolean }[] = [];
    let results = 0;

    for (let step = 0; step < 150; step++) {
      const engine = pick(engines) ?? harness.engine;
      const client = pick(clients)?.client ?? clients[0]?.client;
      if (client === undefined) break;
      const one = pick(held);
      if (chance(0.3)) {
        const gone = new AbortController();
        const polling = engine.privateConnections
          .poll(client, { max: 2, manifest: clients[0]?.digest, signal: gone.signal })
          .catch(() => []);
        await clock.settle();
        gone.abort();
        for (const invocation of await polling) held.push({ invocation, begun: false });
      } else if (one !== undefined && chance(0.5)) {
        const { id } = one.invocation;
        const lost = await engine.privateConnections.heartbeat(client, [leaseOf(one.invocation)]).catch(() => [id]);
        if (lost.length === 0 && !one.begun) {
          one.begun = true;
          begun.set(id, (begun.get(id) ?? 0) + 1);
        }
      } else if (one?.begun === true && chance(0.7)) {
        results += 1;
        const lease = leaseOf(one.invocation);
        const output = { result: results };
        const sent = await engine.privateConnections
          .result(client, chance(0.2) ? { ...lease, status: "error", error: "no" } : { ...lease, status: "ok", output })
          .then(
            () => true,
            () => false,
          );
        if (sent) accepted.set(one.invocation.id, [...(accepted.get(one.invocation.id) ?? []), output]);
      } else if (chance(0.1)) {
        engine.way.cut();
      } else if (chance(0.05)) {
        await harness.engine.runs
          .cancel({ environment: "sandbox", runId: pick(runIds) ?? "", by: alice })
          .catch(() => {});
      } else if (chance(0.2)) {
        const decision = {
          environment: "sandbox",
          runId: pick(runIds) ?? "",
          idempotencyKey: uuid(),
          by: alice,
        } as const;
        await engine.reviews.decide({ ...decision, approved: true }).catch(() => {});
      }
      if (chance(0.3)) for (const each of engines) each.way.mend();
      if (chance(0.4)) await clock.advance(Math.floor(random.uniform() * 40_000));
    }

    for (const each of engines) each.way.mend();
    await clock.advance(400_000);
    for (const count of begun.values()) expect(count).toBe(1);
    for (const runId of runIds) {
      const run = await harness.read(runId);
      expect(run.status).not.toBe("running");
      const outcomes = (await harness.entries(runId)).filter((entry) => entry.type === "outcome");
      // Every accepted answer is in the journal once.
      const reported = outcomes.filter(({ result }) => result.status === "ok");
      expect(reported.length).toBeLessThanOrEqual(1);
      if (run.status === "completed" && reported[0]?.result.status === "ok") {
        expect(run.output).toEqual({ said: reported[0].result.output });
      }
      for (const invocation of await harness.storage.invocations.ofRun({ scope, runId })) {
        const hasEnded = run.status === "completed" || run.status === "failed";
        expect(invocation.status).not.toMatch(hasEnded ? /queued|leased/ : /queued|leased|acknowledged/);
      }
    }
    for (const engine of engines) expect(engine.runs.quarantinedRuns()).toEqual([]);
    const { problems } = await harness.engine.audit.verify();
    expect(problems).toEqual([]);
  },
);

const scope = { workspace: "default", environment: "sandbox" } as const;
