import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "@procedo-testing/faults";
import { tally } from "../../crash/tally.ts";
import { forTier, type ProofGroup } from "../../proof-group.ts";
import { carriers } from "./carriers.ts";
import { createHostileWorld, type AttackedRun, type HostileWorld } from "./hostile-world.ts";
import { evidenceOf, judgeAttacks } from "./judge-attacks.ts";
import { payloadsOf, type Payload } from "./payloads.ts";

const payloadsPerTier = { commit: 24, nightly: 240, release: 960 };
const mostFaults = 20;
const environment = "sandbox";
/** A public text that a search for secrets must find, which proves that the search works. */
const decoy = "INV-1";

/** agent-secrets: an agent cannot reveal secrets that are in no prompt. */
export const exfiltration: ProofGroup = {
  id: "agent-secrets",
  title:
    "Planted secrets, returned by every service and requested by every text: none in a prompt, call, record, event or log",
  run: async ({ tier, seed, seeds }) => {
    const payloads = thieves(seeds ?? forTier(tier, payloadsPerTier), seed);
    const total = tally();
    const world = await createHostileWorld(payloads, { tellsEvents: true });
    try {
      const before = await world.published();
      const runs = await world.attack(payloads, carriers);
      await noteRecords(world, runs);
      await untilTold(world, runs);
      world.readDatabase();
      const evidence = evidenceOf(world, runs);
      const faults = [...(await judgeAttacks(world, evidence, before)), ...blindSpots(world)];
      for (const fault of faults.slice(0, mostFaults)) total.fail(`agent-secrets seed ${seed}: ${fault}`);
      const { traces, canaries } = world.planted;
      total.add("runs", runs.length);
      total.add("canaries", canaries.size);
      total.add("traces", traces.length);
      total.add("kilobytes", Math.round(traces.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) / 1_000));
      total.add("eventsTold", evidence.received.filter(({ service }) => service === "receiver").length);
    } finally {
      await world.close();
    }
    return total.result({ payloads: payloads.length });
  },
};

/** Attacks that ask for secrets, in all writings. */
function thieves(count: number, seed: number): readonly Payload[] {
  const wanted = payloadsOf(16 * count, seededRandom(seed)).filter(({ instruction }) =>
    ["exfiltration", "template"].includes(instruction.name),
  );
  return wanted.slice(0, count).map((payload, number) => ({ ...payload, number }));
}

/** All data of a run that people can read. */
async function noteRecords({ engine, planted }: HostileWorld, runs: readonly AttackedRun[]): Promise<void> {
  for (const { runId } of runs) {
    planted.note("a run's record", JSON.stringify(await engine.runs.get({ environment, runId })));
    planted.note("a run's journal", JSON.stringify(await engine.runs.journal({ environment, runId })));
    planted.note("a review", JSON.stringify(await engine.reviews.ofRun({ environment, runId })));
  }
}

/** Waits for the events of all runs, which are parked or ended. */
async function untilTold({ services }: HostileWorld, runs: readonly AttackedRun[]): Promise<void> {
  const told = (): number => services.received.filter(({ service }) => service === "receiver").length;
  const giveUpAt = performance.now() + 120_000;
  while (told() < runs.length) {
    if (performance.now() > giveUpAt) throw new Error(`${told()} events of ${runs.length} runs have arrived.`);
    await pause(20);
  }
}

/** Proves that the search looked in all places. */
function blindSpots({ planted, services }: HostileWorld): readonly string[] {
  const places = ["a run's record", "a run's journal", "the table journal"];
  const unseen = places.filter(
    (place) => !planted.traces.some(({ where, bytes }) => where === place && bytes.includes(decoy)),
  );
  const heard = services.received.some(({ service, body }) => service === "receiver" && body.includes("run_"));
  return [
    ...unseen.map((place) => `The decoy is not in ${place}, so the search missed that place.`),
    ...(heard ? [] : ["The receiver received no event."]),
  ];
}
