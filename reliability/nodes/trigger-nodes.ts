import { setTimeout as pause } from "node:timers/promises";
import { startPostgres } from "@procedo-testing/postgres";
import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { tally } from "../crash/tally.ts";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../proof-group.ts";
import { countOccurrences } from "../triggers/count-occurrences.ts";
import { createTriggerWorld, type TriggerWorld } from "../triggers/trigger-world.ts";
import { versionOf } from "./postgres-world.ts";

const killsOf = { commit: 1, nightly: 100, release: 1_000 };
const members = 3;
/** Time is 12 times as fast, so that a minute passes in five seconds. */
const factor = 12;
const betweenKillsMs = { from: 400, to: 1_600 };
const eventsBetweenKills = 3;
/** Copies of one event at once, in each process: 51 in all. */
const copies = 17;

/** pg-triggers: three nodes that are killed share schedules and events. */
export const triggerNodes: ProofGroup = {
  id: "pg-triggers",
  title: "Three nodes share schedules of a minute and events while they are killed: none is lost, and none is doubled",
  lowered: { commit: "1 kill instead of 100: the time of a commit" },
  run: (options) => proveTriggerNodes(options),
};

/** The same with modules that are loaded before the product. */
export async function proveTriggerNodes(
  { tier, seed, seeds, report }: ProofOptions,
  preload: readonly string[] = [],
): Promise<ProofResult> {
  const total = tally();
  const random = seededRandom(seed * 1_000 + 36);
  const kills = seeds ?? forTier(tier, killsOf);
  const server = await startPostgres();
  try {
    const postgresUrl = await server.createDatabase();
    const world = await createTriggerWorld({ name: "nodes", random, postgresUrl, factor, preload });
    try {
      await world.boot();
      await Promise.all(Array.from({ length: members - 1 }, () => world.boot()));
      await sendOneAtOnce(world);
      for (let kill = 1; kill <= kills; kill++) {
        await killOne(world, random);
        total.add("kills");
        if (kill % 10 === 0) report(`pg-triggers: ${kill} of ${kills} kills, ${world.acknowledged.size} events`);
      }
      const [survivor] = world.living();
      if (survivor === undefined) throw new Error("No process is left.");
      await world.sendAgain(survivor);
      await world.settled();
      const { faults, stored } = await world.judge("under way");
      countOccurrences(total, stored);
      for (const fault of faults.slice(0, 5)) total.fail(`pg-triggers seed ${seed}: ${fault}`);
    } finally {
      await world.close();
    }
    return { ...total.result(), on: await versionOf(server) };
  } catch (error) {
    total.fail(`pg-triggers seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
    return total.result();
  } finally {
    await server.close();
  }
}

/** Kills one node between two loads of events, and starts another one. */
async function killOne(world: TriggerWorld, random: SeededRandom): Promise<void> {
  const target = random.pick(world.living());
  const sending = world.send([target], eventsBetweenKills, 2);
  await pause(random.between(betweenKillsMs.from, betweenKillsMs.to));
  const last = world.send([target], eventsBetweenKills);
  await random.pick(world.living()).kill();
  await Promise.all([sending, last]);
  await world.boot();
}

/** Sends one event 51 times at once, and again after a node was killed. It has one firing, which counts every copy. */
async function sendOneAtOnce(world: TriggerWorld): Promise<void> {
  const eventIds = await world.send(world.living(), 1, copies);
  await world.living()[0]?.kill();
  await world.boot();
  await world.repeat(world.living(), eventIds);
  await world.settled();
  const { faults, stored } = await world.judge("under way");
  if (faults.length > 0) throw new Error(faults.slice(0, 3).join(" "));
  for (const { event, duplicates } of [...stored.triggers.values()].flatMap(({ firings }) => firings)) {
    if (event === undefined || !eventIds.includes(event.id)) continue;
    const answered = world.acknowledged.get(event.id);
    if (answered !== duplicates + 1) {
      throw new Error(`Event ${event.id} was acknowledged ${answered} times, and has ${duplicates} duplicates.`);
    }
  }
}
