import { expect, test } from "vitest";
import { LruCache } from "./lru-cache.ts";

const keysOf = (cache: Iterable<readonly [string, unknown]>): readonly string[] => Array.from(cache, ([key]) => key);

test("the least recently read or written entry is evicted first", () => {
  const cache = new LruCache<string, number>(3);
  for (const key of ["a", "b", "c"]) cache.set(key, 1);
  cache.get("a");
  cache.set("b", 2);
  expect(cache.set("d", 1)).toEqual([1]);
  expect(keysOf(cache)).toEqual(["a", "b", "d"]);
  expect(cache.get("c")).toBeUndefined();
});

test("the sizes of all entries together stay within the bound", () => {
  const cache = new LruCache<string, string>(10, (value) => value.length);
  cache.set("a", "12345");
  cache.set("b", "123");
  expect(cache.set("c", "123456789")).toEqual(["12345", "123"]);
  cache.set("c", "1");
  cache.set("d", "123456789");
  expect(keysOf(cache)).toEqual(["c", "d"]);
});

test("an entry that exceeds the bound alone is the only one that stays", () => {
  const cache = new LruCache<string, string>(3, (value) => value.length);
  cache.set("a", "1");
  cache.set("b", "12345");
  expect(keysOf(cache)).toEqual(["b"]);
  cache.set("c", "1");
  expect(keysOf(cache)).toEqual(["c"]);
});

test("deleted entries leave their size to others", () => {
  const cache = new LruCache<string, string>(4, (value) => value.length);
  cache.set("a", "1234");
  cache.delete("a");
  cache.delete("a");
  cache.set("b", "12");
  cache.set("c", "34");
  expect(keysOf(cache)).toEqual(["b", "c"]);
  cache.clear();
  cache.set("d", "1234");
  expect(keysOf(cache)).toEqual(["d"]);
});
