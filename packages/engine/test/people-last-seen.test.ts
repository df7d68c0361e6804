import { expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { held, join, operator } from "./people-harness.ts";

test("a person is listed with their last use of a session, also after it has ended and by another process", async () => {
  const harness = await createHarness();
  const { engine, clock } = harness;
  const { personId } = await join(engine, "ana@example.com", { live: ["viewer"] });
  const { personId: never } = await join(engine, "ben@example.com", { live: ["viewer"] });
  const { token } = await engine.sessions.signInAs({ personId });
  await clock.advance(120_000);
  const seenAtMs = clock.now();
  for (let request = 0; request < 100; request++) (await held(engine, token)).release();
  expect((await engine.people.get({ personId })).lastSeenAtMs).toBe(seenAtMs);
  await engine.people.deactivate({ personId, by: operator });
  await clock.advance(60_000);
  const writes = engine.way.count("records.noteUses");
  const other = await harness.addEngine();
  const { items } = await other.people.list({ limit: 10 });
  expect(items.map(({ personId: id, lastSeenAtMs }) => [id, lastSeenAtMs]).toSorted()).toEqual(
    [
      [personId, seenAtMs],
      [never, undefined],
    ].toSorted(),
  );
  expect(writes).toBe(2);
  expect([other.way.count("records.latestUses"), other.way.count("sessions.list")]).toEqual([1, 0]);
});
