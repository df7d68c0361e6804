import { expect, test } from "vitest";
import { manualClock } from "@procedo-testing/faults";
import { createHeldKeys } from "./held-keys.ts";

test("changes of another key do not delay the lookup that notices an unannounced deletion", async () => {
  const clock = manualClock();
  const deleted = new Set<string>();
  const find = async (digest: string) => (deleted.has(digest) ? undefined : { person: "ana", via: digest });
  const keys = createHeldKeys(clock, { find, reread: find });
  const [key, other] = [await keys.hold("key"), await keys.hold("other")];
  deleted.add("key");
  for (let seconds = 0; seconds < 10; seconds++) {
    expect(key?.isDeleted).toBe(false);
    keys.recheck("other");
    await clock.advance(1_000);
  }
  expect([key?.isDeleted, other?.isDeleted]).toEqual([true, false]);
  other?.release();
});
