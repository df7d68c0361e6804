/*
 * The last use of an API key is written once a minute, apart from the key and from its requests.
 */
import { expect, test } from "vitest";
import { alice, createHarness, type Harness, type HarnessEngine } from "./harness.ts";

const minuteMs = 60_000;
const named = { name: "CI", environment: "sandbox", by: alice } as const;

async function use({ keys }: HarnessEngine, key: string, address?: string): Promise<void> {
  const held = (await keys.hold(key, { address })) ?? expect.unreachable();
  held.release();
}

const usesOf = async ({ engine }: Harness) =>
  (await engine.keys.list({ limit: 10 })).items.map(({ lastUsedAtMs, lastUsedFrom }) => [lastUsedAtMs, lastUsedFrom]);

test("a key is listed with the time and the address of its last request, within a minute of it", async () => {
  const harness = await createHarness();
  const { engine, clock } = harness;
  const { key } = await engine.keys.create(named);
  await use(engine, key, "10.0.0.1");
  await clock.advance(1_000);
  const usedAtMs = clock.now();
  await use(engine, key, "10.0.0.2");
  const other = await harness.addEngine();
  const [unwritten] = (await other.keys.list({ limit: 1 })).items;
  expect(unwritten).not.toHaveProperty("lastUsedAtMs");
  expect(await usesOf(harness)).toEqual([[usedAtMs, "10.0.0.2"]]);
  await clock.advance(minuteMs);
  const [written] = (await other.keys.list({ limit: 1 })).items;
  expect(written).toMatchObject({ lastUsedAtMs: usedAtMs, lastUsedFrom: "10.0.0.2" });
  await engine.keys.authenticate(key);
  const againAtMs = clock.now();
  await clock.advance(minuteMs);
  expect(await usesOf(harness)).toEqual([[againAtMs, undefined]]);
});

test("a thousand requests with three keys in a minute are one write, and a minute without requests is none", async () => {
  const harness = await createHarness();
  const { engine, clock, storage } = harness;
  const keys = [];
  for (let number = 0; number < 3; number++) keys.push((await engine.keys.create(named)).key);
  const changes: unknown[] = [];
  const unwatch = storage.watch((change) => void changes.push(change));
  for (let request = 0; request < 1_000; request++) await use(engine, keys[request % 3] ?? "");
  await clock.advance(10 * minuteMs);
  unwatch();
  expect(engine.way.count("records.noteUses")).toBe(1);
  expect(changes).toEqual([]);
  expect((await usesOf(harness)).every(([usedAtMs]) => usedAtMs !== undefined)).toBe(true);
});

test("a key that was not accepted has no use, and a key that is deleted before the write keeps none", async () => {
  const harness = await createHarness();
  const { engine, clock } = harness;
  const { key, keyId } = await engine.keys.create(named);
  await clock.advance(1);
  await engine.keys.create(named);
  await engine.keys.hold(`${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`);
  await clock.advance(minuteMs);
  expect(engine.way.count("records.noteUses")).toBe(0);
  await use(engine, key);
  await engine.keys.remove({ keyId, by: alice });
  await clock.advance(minuteMs);
  expect(await usesOf(harness)).toEqual([[undefined, undefined]]);
  const uses = { workspace: "default", kind: "api_key", ids: [keyId] };
  expect(await harness.storage.records.latestUses(uses)).toEqual([]);
});

test("the latest use in any process is listed, whichever process writes last", async () => {
  const harness = await createHarness();
  const { engine, clock } = harness;
  const other = await harness.addEngine();
  const { key } = await engine.keys.create(named);
  await use(other, key, "10.0.0.1");
  await clock.advance(1_000);
  const usedAtMs = clock.now();
  await use(engine, key, "10.0.0.2");
  await engine.stop();
  await other.stop();
  const { items } = await (await harness.addEngine()).keys.list({ limit: 1 });
  expect(items[0]).toMatchObject({ lastUsedAtMs: usedAtMs, lastUsedFrom: "10.0.0.2" });
});

test("a stop writes the uses of the last minute, and no later ones", async () => {
  const harness = await createHarness();
  const { engine, clock } = harness;
  const { key } = await engine.keys.create(named);
  await use(engine, key, "10.0.0.1");
  const usedAtMs = clock.now();
  await engine.stop();
  expect(await usesOf(harness)).toEqual([[usedAtMs, "10.0.0.1"]]);
  await clock.advance(1_000);
  await use(engine, key, "10.0.0.2");
  await clock.advance(minuteMs);
  expect(await usesOf(harness)).toEqual([[usedAtMs, "10.0.0.1"]]);
});

test("a write that storage refuses holds up no request and no stop, and is made a minute later", async () => {
  const harness = await createHarness();
  const { engine, clock } = harness;
  const { key } = await engine.keys.create(named);
  let isRefused = true;
  const answers = Promise.withResolvers<void>();
  engine.way.on("records.noteUses", async (send) => {
    await answers.promise;
    if (isRefused) throw new Error("The disk is full.");
    return await send();
  });
  await use(engine, key, "10.0.0.1");
  const usedAtMs = clock.now();
  await clock.advance(minuteMs);
  // The write is in progress.
  await use(engine, (await engine.keys.create(named)).key);
  answers.resolve();
  await clock.advance(minuteMs);
  const [unwritten] = (await (await harness.addEngine()).keys.list({ limit: 1 })).items;
  expect(unwritten).not.toHaveProperty("lastUsedAtMs");
  isRefused = false;
  await clock.advance(minuteMs);
  expect((await usesOf(harness))[0]).toEqual([usedAtMs, "10.0.0.1"]);
  isRefused = true;
  await use(engine, key);
  await engine.stop();
});

test("an address that no database could store is kept in another form, and does not hold up the other uses", async () => {
  const harness = await createHarness();
  const { engine, clock } = harness;
  const { key } = await engine.keys.create(named);
  await use(engine, key, `\0\ud800${"x".repeat(1_000)}`);
  await clock.advance(minuteMs);
  const [[, address = ""] = []] = (await usesOf(harness)) as [number?, string?][];
  expect(address).toHaveLength(100);
  expect(address).toContain("xxx");
});
