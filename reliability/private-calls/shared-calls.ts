import { seededRandom } from "@procedo-testing/faults";
import { tally } from "../crash/tally.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { factor } from "./fast-time.ts";
import { judgeCalls } from "./judge-calls.ts";
import type { Killable } from "./processes.ts";
import { createCallsWorld, type EndedRun, type Started } from "./world.ts";

const callsOf = { commit: 200, nightly: 10_000, release: 10_000 };
/** Calls that wait or run concurrently. */
const atOnce = 40;
const concurrency = 10;
/** Number of ended runs between two faults of the three processes. */
const endingsPerKill = 40;

/** The faults, in turn; an outage lasts longer than a lease. */
const faults = ["client", "drain", "client", "outage", "service"] as const;
const outageMs = 65_000 / factor;

/**
 * private-shared-calls: two clients share the calls while they are killed, and the service is killed, drained and
 * unavailable.
 */
export const sharedCalls: ProofGroup = {
  id: "private-shared-calls",
  title:
    "Two clients share many calls while they are killed, and the service is killed, drained and unavailable past leases",
  run: async ({ tier, seed, seeds, report }) => {
    const total = tally();
    const calls = seeds ?? forTier(tier, callsOf);
    const random = seededRandom(seed);
    const world = await createCallsWorld(`shared-${seed}`);
    const ended: EndedRun[] = [];
    const clients: Killable[] = [];
    let left = calls;
    let kills = 0;
    let killing = Promise.resolve();

    const kill = async (number: number): Promise<void> => {
      switch (faults[(number - 1) % faults.length]) {
        case "service":
          await world.killService();
          await world.ensureService();
          return total.add("services killed");
        case "drain":
          await world.drainService();
          return total.add("services drained");
        case "outage":
          await world.outage(outageMs);
          return total.add("outages past a lease");
        default: {
          const victim = random.below(2);
          await clients[victim]?.kill();
          clients[victim] = await world.startClient(`c${number + 2}`, { concurrency });
          total.add("clients killed");
        }
      }
    };
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const started: Started = await world.start(left % 2 === 0 ? "pay" : "look");
        ended.push(await world.waitForEnd(started));
        if (ended.length % 100 === 0) report(`private-shared-calls: ${ended.length} of ${calls} calls`);
        if (ended.length % endingsPerKill !== 0) continue;
        const number = (kills += 1);
        killing = killing.then(() => kill(number));
      }
    };

    try {
      for (const name of ["c1", "c2"]) clients.push(await world.startClient(name, { concurrency }));
      await Promise.all(Array.from({ length: Math.min(atOnce, calls) }, work));
      await killing;
      const made = world.made();
      for (const failure of judgeCalls({ ended, made, accepted: world.front.accepted })) {
        total.fail(`private-shared-calls seed ${seed}: ${failure}`);
      }
      const together = world.front.acceptedTogether;
      if (together === 0) total.fail(`private-shared-calls seed ${seed}: no results were accepted together`);
      const decided = ended.filter(({ said }) => said?.decided === true).length;
      return total.result({
        calls: ended.length,
        "calls of handlers": made.length,
        "decided by a person": decided,
        "accepted together": together,
      });
    } finally {
      await world.close();
    }
  },
};
