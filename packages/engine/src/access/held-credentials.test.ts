import { expect, test } from "vitest";
import { manualClock } from "@procedo-testing/faults";
import { createHeldCredentials } from "./held-credentials.ts";
import type { Holder } from "./held-principal.ts";

interface Named extends Holder {
  readonly name: string;
}

const holderOf = (name: string, access = ""): Named => ({
  name,
  environment: undefined,
  access,
  principalIn: () => ({ person: "ana", via: name }),
});

test("changes of another credential do not delay the lookup that notices an unannounced deletion", async () => {
  const clock = manualClock();
  const deleted = new Set<string>();
  const find = async (digest: string) => (deleted.has(digest) ? undefined : holderOf(digest));
  const keys = createHeldCredentials(clock, { find, reread: find }, 10_000);
  const [key, other] = [await keys.hold("key"), await keys.hold("other")];
  deleted.add("key");
  for (let seconds = 0; seconds < 10; seconds++) {
    expect(key?.isDeleted).toBe(false);
    keys.recheck(({ name }) => name === "other");
    await clock.advance(1_000);
  }
  expect([key?.isDeleted, other?.isDeleted]).toEqual([true, false]);
  other?.release();
});

test("a change of its access ends a hold, and holds that began afterwards stay", async () => {
  const clock = manualClock();
  let access = "run";
  const find = async (digest: string) => holderOf(digest, access);
  const keys = createHeldCredentials(clock, { find, reread: find }, 10_000);
  const before = await keys.hold("key");
  access = "none";
  const after = await keys.hold("key");
  keys.recheck();
  await clock.settle();
  expect([before?.isDeleted, after?.isDeleted]).toEqual([true, false]);
  expect(before?.principalIn().isRevoked?.()).toBe(true);
  after?.release();
});

test("a change that is announced during the lookup is in its result", async () => {
  const clock = manualClock();
  let access = "run";
  const passing = Promise.withResolvers<undefined>();
  const reread = async (digest: string) => holderOf(digest, access);
  let lookups = 0;
  const find = async (digest: string) => {
    const found = holderOf(digest, access);
    if (lookups++ === 0) await passing.promise;
    return found;
  };
  const keys = createHeldCredentials(clock, { find, reread }, 10_000);
  const holding = keys.hold("key");
  access = "none";
  keys.recheck();
  passing.resolve(undefined);
  const hold = await holding;
  expect([hold?.holder?.access, lookups]).toEqual(["none", 2]);
  hold?.release();
});
