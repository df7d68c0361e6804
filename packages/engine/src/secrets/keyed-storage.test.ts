import { createMemoryStorage, type LaterItems, type Storage } from "@procedo/storage";
import { expect, test } from "vitest";
import { keyedStorage } from "./keyed-storage.ts";

test("rows that come late are handed on, while the key is checked and afterwards", async () => {
  const memory = createMemoryStorage({ now: Date.now });
  const handed: (LaterItems | undefined)[] = [];
  const storage: Storage = {
    ...memory,
    runs: {
      ...memory.runs,
      commit: (items, later) => {
        handed.push(later);
        return memory.runs.commit(items);
      },
    },
  };
  const later = { count: () => 0, take: () => [] };
  const { runs } = keyedStorage(storage, () => Promise.resolve(), { noted: (write) => write });
  await runs.commit([], later);
  await runs.commit([], later);
  expect(handed).toEqual([later, later]);
});
