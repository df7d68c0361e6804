import { createMemoryStorage } from "@procedo/storage";
import { expect, test } from "vitest";
import { checkMasterKey } from "./check-master-key.ts";

const key = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);

test("accepts the first key, and the same key again", async () => {
  const storage = createMemoryStorage({ now: () => 0 });
  await checkMasterKey(storage, "a", key(1));
  await expect(checkMasterKey(storage, "a", key(1))).resolves.toBeUndefined();
});

test("refuses another key, except for another workspace", async () => {
  const storage = createMemoryStorage({ now: () => 0 });
  await checkMasterKey(storage, "a", key(1));
  await expect(checkMasterKey(storage, "a", key(2))).rejects.toMatchObject({ code: "invalid_configuration" });
  await expect(checkMasterKey(storage, "b", key(2))).resolves.toBeUndefined();
});

test("refuses one of two engines that start at the same time with different keys", async () => {
  const storage = createMemoryStorage({ now: () => 0 });
  const both = await Promise.allSettled([checkMasterKey(storage, "a", key(1)), checkMasterKey(storage, "a", key(2))]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});
