import { createMemoryStorage, type Storage } from "@procedo/storage";
import { expect, test } from "vitest";
import { settle, startMs } from "../races/stopped-clock.ts";
import { seededRandom } from "../simulation/seeded-random.ts";
import { playRace, type RaceResult } from "./play-race.ts";

const nowMs = () => startMs;

/** A race on memory, which does one thing at a time: every history has an order. */
async function raceOn(seed: number, spoil: (storage: Storage) => Storage = (storage) => storage): Promise<RaceResult> {
  const random = seededRandom(seed, "race");
  const memory = createMemoryStorage({ now: nowMs });
  const late = (storage: Storage): Storage => ({
    ...storage,
    runs: {
      ...storage.runs,
      commit: async (commit) => {
        await settle();
        return storage.runs.commit(commit);
      },
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

test("the model of a run is what the memory adapter does", async () => {
  let calls = 0;
  for (let seed = 0; seed < 400; seed++) {
    const result = await raceOn(seed);
    expect(result.violations, `seed ${seed}`).toEqual([]);
    calls += result.calls;
  }
  expect(calls).toBeGreaterThan(4_000);
});

test.each<[string, (storage: Storage) => Storage]>([
  [
    "says that it stored a row and did not",
    (storage) => ({
      ...storage,
      runs: { ...storage.runs, commit: async () => ({ status: "committed" }) },
    }),
  ],
  [
    "hands a run out under the epoch before",
    (storage) => ({
      ...storage,
      runs: {
        ...storage.runs,
        claim: async (request) => {
          const { runs, nextWakeAtMs } = await storage.runs.claim(request);
          return { runs: runs.map((run) => ({ ...run, epoch: run.epoch - 1 })), nextWakeAtMs };
        },
      },
    }),
  ],
  [
    "loses a notification",
    (storage) => ({
      ...storage,
      inbox: { ...storage.inbox, post: async (items) => items.map(() => ({ status: "accepted", claimed: undefined })) },
    }),
  ],
])("a storage that %s is found out", async (_what, spoil) => {
  let found = 0;
  for (let seed = 0; seed < 60; seed++) found += (await raceOn(seed, spoil)).violations.length;
  expect(found).toBeGreaterThan(0);
});
