/*
 * An editor saves its draft every few seconds. Each save is announced, and none may empty the caches on which the starts
 * of runs depend.
 */
import { expect, test } from "vitest";
import { alice } from "./harness.ts";
import { calling, createConnectionHarness } from "./connection-harness.ts";

const cachedReads = [
  "records.find",
  "records.get",
  "records.list",
  "procedures.version",
  "procedures.defaultVersion",
] as const;

/** The reads of an engine that authenticates a key and executes a run thirty times, and the drafts saved meanwhile. */
async function readsBeside(editors: readonly string[]) {
  const harness = await createConnectionHarness();
  const editor = await harness.addEngine();
  const { engine, clock } = harness;
  await harness.connect();
  await harness.publish(calling());
  const { key } = await engine.keys.create({ name: "k", environment: "sandbox", by: alice });
  let saved = 0;
  const unwatch = harness.storage.watch((change) => {
    if (change.type === "record_changed" && change.kind === "draft") saved += 1;
  });
  for (let revision = 0; revision < 30; revision++) {
    for (const procedureId of editors) {
      const document = { ...calling(), procedureId };
      await editor.procedures.saveDraft({ procedureId, document, revision, by: alice });
    }
    const by = (await engine.keys.authenticate(key)) ?? expect.unreachable();
    await harness.read(await harness.run({}, { by }));
    await clock.advance(2_000);
  }
  unwatch();
  return { saved, reads: cachedReads.map((verb) => [verb, engine.way.count(verb)]) };
}

test("the saves of three editors cause no key, version or connection to be read again", async () => {
  const alone = await readsBeside([]);
  const beside = await readsBeside(["p", "q", "r"]);
  expect(beside.saved).toBe(90);
  expect(beside.reads).toEqual(alone.reads);
});
