import { seededRandom, storageUnavailable, type SeededRandom } from "@procedo-testing/faults";
import type { RecordStore } from "@procedo/storage";
import { expect, test } from "vitest";
import { client, lifetimeMs } from "./authorization-server.fixture.ts";
import { authorized, driven, grantWorld, place, secret, type GrantWorld } from "./grants.fixture.ts";

/*
 * Nodes that die at random moments of a renewal: before or after any of their operations on storage, and before or after
 * the server's answer. Storage and the server fail at random as well. Survivors and restarted nodes then go on.
 */

const kills = 2_000;
const graceMs = 1_800_000;

interface Node {
  readonly ready: () => Promise<{ readonly status: string }>;
}

/** Work that never ends: its process has died. */
const never = new Promise<never>(() => {});

/** A node that dies at its operation of this number, before or after the operation took effect. */
function mortalNode(world: GrantWorld, random: SeededRandom, diesAt: number): Node {
  let operations = 0;
  let isDead = false;
  const doomed = async <T>(work: () => Promise<T> | T, fails: () => Error): Promise<T> => {
    operations += 1;
    const dies = operations === diesAt;
    const isAfter = random.chance(0.5);
    if (isDead) return await never;
    if (dies && !isAfter) isDead = true;
    if (isDead) return await never;
    const fault = random.chance(0.05);
    if (fault && random.chance(0.5)) throw fails();
    const result = await work();
    if (dies) isDead = true;
    if (isDead) return await never;
    if (fault) throw fails();
    return result;
  };
  const { records } = world.storage;
  const mortal: RecordStore = {
    ...records,
    get: (request) => doomed(() => records.get(request), storageUnavailable),
    put: (request) => doomed(() => records.put(request), storageUnavailable),
  };
  const answer = (body: string): Promise<Response> =>
    doomed(
      () => (random.chance(0.05) ? new Response("", { status: 503 }) : world.server.answer(body)),
      () => new Error("The connection was cut."),
    );
  const authorization = world.node({ records: mortal, answer }).authorizationOf(place, client, [secret]);
  return { ready: () => authorization.ready() };
}

/** Renews a grant on nodes, one of them dies, until another has a token or knows that there is none. */
async function killOnce(seed: number, grace: number) {
  const random = seededRandom(seed, "kills");
  const world = grantWorld({ graceMs: grace, seed });
  await authorized(world, world.node());
  world.clock.leap(lifetimeMs - random.below(2) * 60_000);
  // A renewal is at most: read, read, lease, request, store.
  const mortals = Array.from({ length: 3 }, (_, index) =>
    mortalNode(world, random.fork(`node ${index}`), index === 0 ? random.between(1, 6) : Infinity),
  );
  const first = mortals.map((node) => node.ready().catch(() => undefined));
  await driven(world.clock, Promise.race([Promise.all(first), afterMs(world, 200_000)]));
  const survivor = world.node().authorizationOf(place, client, [secret]);
  let readiness = await driven(world.clock, survivor.ready());
  for (let tries = 0; readiness.status === "later" && tries < 20; tries++) {
    await world.clock.advance(readiness.atMs - world.clock.now());
    readiness = await driven(world.clock, survivor.ready());
  }
  const shown = await world.node().show(place, client);
  return { readiness, shown, world };
}

function afterMs({ clock }: GrantWorld, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}

test(`2: of ${kills} kills around a renewal none loses a grant of a server that accepts the former token for a while`, async () => {
  const lost: number[] = [];
  for (let seed = 1; seed <= kills / 2; seed++) {
    const { readiness, world } = await killOnce(seed, graceMs);
    if (readiness.status !== "ready" || !world.server.accepts(readiness.accessToken)) lost.push(seed);
  }
  expect(lost).toEqual([]);
});

test("3: without that, a grant ends only after its server has ended it", async () => {
  const wrong: number[] = [];
  let ended = 0;
  for (let seed = kills / 2 + 1; seed <= kills; seed++) {
    const { readiness, shown, world } = await killOnce(seed, 0);
    const isEnded = shown?.status === "needs_authorization";
    ended += Number(isEnded);
    const isRight = isEnded ? world.server.isOver : readiness.status === "ready";
    if (!isRight) wrong.push(seed);
  }
  expect(wrong).toEqual([]);
  // The proof would show nothing if no kill had fallen between the server's answer and its record.
  expect(ended).toBeGreaterThan(kills / 100);
});
