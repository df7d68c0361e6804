import { expect, test } from "vitest";
import { formerNamesAfter, keepVersion, maxKeptVersions, type KeptVersion } from "./kept-versions.ts";

const version = (document: string, baseUrl?: string): KeptVersion => ({
  document,
  settings: {},
  ...(baseUrl !== undefined && { baseUrl }),
});

test("keeps earlier versions newest first, without the current one", () => {
  const kept = keepVersion([version("a")], version("b"), version("c"));
  expect(kept).toEqual([version("b"), version("a")]);
  expect(keepVersion(kept, version("c"), version("a"))).toEqual([version("c"), version("b")]);
});

test("the same document at another address is another version", () => {
  expect(keepVersion([], version("a", "https://x"), version("a", "https://y"))).toEqual([version("a", "https://x")]);
});

test("drops the oldest versions first", () => {
  let kept: readonly KeptVersion[] = [];
  for (let n = 0; n < 30; n++) kept = keepVersion(kept, version(`${n}`), version(`${n + 1}`));
  expect(kept).toHaveLength(maxKeptVersions);
  expect(kept.at(-1)).toEqual(version("10"));
});

test("former names lead to the current names, through any number of changes", () => {
  const is =
    (...names: readonly string[]) =>
    (name: string) =>
      names.includes(name);
  const first = formerNamesAfter([], { renamed: [{ from: "a", to: "b" }] }, is("b"));
  expect(first).toEqual([["a", "b"]]);
  const second = formerNamesAfter(first, { renamed: [{ from: "b", to: "c" }] }, is("c"));
  expect(new Map(second)).toEqual(
    new Map([
      ["a", "c"],
      ["b", "c"],
    ]),
  );
  expect(formerNamesAfter(second, { renamed: [] }, is("c", "a"))).toEqual([["b", "c"]]);
  expect(formerNamesAfter(second, { renamed: [] }, is("d"))).toEqual([]);
});

test("a former name that is current again leads nowhere else", () => {
  const isAction = (name: string) => name === "a";
  expect(formerNamesAfter([["a", "b"]], { renamed: [{ from: "b", to: "a" }] }, isAction)).toEqual([["b", "a"]]);
});

test("accepts names that are members of every object", () => {
  const renamed = [{ from: "__proto__", to: "constructor" }];
  expect(formerNamesAfter([], { renamed }, (name) => name === "constructor")).toEqual([["__proto__", "constructor"]]);
});
