import { interceptVerbs, seededRandom, type VerbHooks } from "@procedo-testing/faults";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { expect, test } from "vitest";
import { raceTimeMs } from "./race-track.ts";
import { playRace, type RaceResult } from "./play-race.ts";

const nowMs = () => raceTimeMs;

/** A race on the memory adapter, which executes one call at a time: every history has an order. */
async function raceOn(seed: number, spoil: (storage: Storage) => Storage = (storage) => storage): Promise<RaceResult> {
  const random = seededRandom(seed, "race");
  const memory = createMemoryStorage({ now: nowMs });
  const late = (storage: Storage): Storage =>
    interceptVerbs(storage, {
      "runs.commit": async (commit) => {
        await nextTurn();
        return commit();
      },
    });
  const node = late(spoil(memory));
  return playRace({
    workspace: `race-${seed}`,
    random,
    nowMs,
    nodes: [node, node, node],
    beside: memory,
    drive: async (work) => void (await work),
  });
}

test("the model of a run agrees with the memory adapter", async () => {
  let calls = 0;
  for (let seed = 0; seed < 400; seed++) {
    const result = await raceOn(seed);
    expect(result.violations, `seed ${seed}`).toEqual([]);
    calls += result.calls;
  }
  expect(calls).toBeGreaterThan(4_000);
});

test.each<[string, VerbHooks]>([
  ["reports a row as committed that it did not store", { "runs.commit": async () => ({ status: "committed" }) }],
  [
    "returns a claimed run under the previous epoch",
    {
      "runs.claim": async (claim) => {
        const { runs, nextWakeAtMs } = await claim();
        return { runs: runs.map((run) => ({ ...run, epoch: run.epoch - 1 })), nextWakeAtMs };
      },
    },
  ],
  [
    "loses a notification",
    { "inbox.post": async (_post, items) => items.map(() => ({ status: "accepted", claimed: undefined })) },
  ],
])("a storage that %s is found", async (_fault, hooks) => {
  let found = 0;
  for (let seed = 0; seed < 60; seed++)
    found += (await raceOn(seed, (storage) => interceptVerbs(storage, hooks))).violations.length;
  expect(found).toBeGreaterThan(0);
});
