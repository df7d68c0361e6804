import { expect, test } from "vitest";
import { createTransientMap } from "./transient-map.ts";

test("holds the latest value of each key, in the order in which the keys were added", () => {
  const map = createTransientMap<{ readonly n: number }>();
  map.set("a", { n: 1 });
  map.set("b", { n: 2 });
  map.set("a", { n: 3 });
  expect([...map.entries()]).toEqual([
    ["a", { n: 3 }],
    ["b", { n: 2 }],
  ]);
  expect([map.size, map.get("a"), map.has("b"), map.get("c")]).toEqual([2, { n: 3 }, true, undefined]);
});

test("deleted entries are gone, also during an iteration", () => {
  const map = createTransientMap<{ readonly n: number }>();
  for (let n = 0; n < 100; n++) map.set(`k${n}`, { n });
  for (const [key] of map.entries()) if (key !== "k7") map.delete(key);
  map.delete("never there");
  expect([map.size, map.get("k6"), map.has("k6"), [...map.entries()]]).toEqual([
    1,
    undefined,
    false,
    [["k7", { n: 7 }]],
  ]);
});

test("keeps entries in order after thousands of other entries were added and deleted", () => {
  const map = createTransientMap<{ readonly n: number }>();
  map.set("first", { n: -1 });
  for (let n = 0; n < 5_000; n++) {
    map.set(`k${n}`, { n });
    if (n === 2_500) map.set("second", { n: -2 });
    if (n >= 3) map.delete(`k${n - 3}`);
  }
  expect([...map.entries()].map(([key]) => key)).toEqual(["first", "second", "k4997", "k4998", "k4999"]);
  expect([map.size, map.get("first"), map.get("k4996"), map.get("k4999")]).toEqual([
    5,
    { n: -1 },
    undefined,
    { n: 4999 },
  ]);
});

test("an iteration skips deleted entries and yields all others, even if a set rebuilds the map meanwhile", () => {
  const map = createTransientMap<{ readonly n: number }>();
  for (let n = 0; n < 200; n++) map.set(`k${n}`, { n });
  const seen: string[] = [];
  for (const [key] of map.entries()) {
    seen.push(key);
    if (key !== "k0") continue;
    for (let n = 1; n <= 120; n++) map.delete(`k${n}`);
    // Rebuilds the map.
    map.set("later", { n: -1 });
    for (let n = 121; n <= 197; n++) map.delete(`k${n}`);
  }
  expect(seen.filter((key) => key !== "later")).toEqual(["k0", "k198", "k199"]);
  expect([...map.entries()].map(([key]) => key)).toEqual(["k0", "k198", "k199", "later"]);
});
