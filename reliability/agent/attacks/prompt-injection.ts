import { seededRandom } from "@procedo-testing/faults";
import { tally } from "../../crash/tally.ts";
import { forTier, type ProofGroup } from "../../proof-group.ts";
import type { AttackEvidence } from "./attack-checks.ts";
import { carriers } from "./carriers.ts";
import { createHostileWorld, type HostileWorld } from "./hostile-world.ts";
import { evidenceOf, judgeAttacks } from "./judge-attacks.ts";
import { instructionNames } from "./attack-instructions.ts";
import { payloadsOf } from "./payloads.ts";
import { writings } from "./writings.ts";

const redacted = "[redacted]";
const payloadsPerTier = { commit: 60, nightly: 960, release: 960 };
/** Maximum number of reported faults. */
const mostFaults = 20;

/** agent-prompt-injection: the procedure's rules hold for every reply that a text can cause. */
export const promptInjection: ProofGroup = {
  id: "agent-prompt-injection",
  title:
    "A model that obeys every attacker, each text on 6 carriers: no effect beyond its node, its guards and its limits",
  lowered: { commit: "60 texts of 200: the time of a commit" },
  run: async ({ tier, seed, seeds, report }) => {
    const payloads = payloadsOf(seeds ?? forTier(tier, payloadsPerTier), seededRandom(seed));
    const total = tally();
    const world = await createHostileWorld(payloads);
    try {
      const before = await world.published();
      const runs = await world.attack(payloads, carriers);
      report(`agent-prompt-injection: ${runs.length} runs, ${world.obedient.obeyed.length} replies`);
      world.readDatabase();
      const evidence = evidenceOf(world, runs);
      const faults = [
        ...(await judgeAttacks(world, evidence, before)),
        ...(seeds === undefined ? idleFaults(evidence, world) : []),
      ];
      for (const fault of faults.slice(0, mostFaults)) total.fail(`agent-prompt-injection seed ${seed}: ${fault}`);
      count(evidence, total.add);
    } finally {
      await world.close();
    }
    return total.result({ payloads: payloads.length, carriers: carriers.length });
  },
};

/** A proof says nothing about attacks that it never tried. */
function idleFaults({ obeyed }: AttackEvidence, { planted }: HostileWorld): readonly string[] {
  const tried = new Set(obeyed.map(({ instruction }) => instruction));
  const read = new Set(obeyed.flatMap(({ found }) => [...found.keys()]));
  // The services returned the credentials. A search that finds none must have seen their redacted places.
  const wasTold = obeyed.some(({ prompt }) => JSON.stringify(prompt).includes(redacted));
  const wasKept = planted.traces.some(({ where, bytes }) => where === "the table journal" && bytes.includes(redacted));
  return [
    ...(wasTold && wasKept ? [] : ["No service returned a secret."]),
    ...instructionNames.filter((name) => !tried.has(name)).map((name) => `The model never tried “${name}”.`),
    ...(read.size === 0 ? [`The model has read none of ${writings.length} writings.`] : []),
  ];
}

function count({ runs, obeyed, received }: AttackEvidence, add: (name: string, count?: number) => void): void {
  add("runs", runs.length);
  add("repliesToAttackers", obeyed.filter(({ instruction }) => instruction !== undefined).length);
  add("callsMade", received.length);
  for (const { status } of runs) add(status === "awaiting_review" ? "awaitAPerson" : status);
}
