import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { tooOldNode } from "./supported-node.ts";

test.each(["18.20.8", "20.20.2", "22.17.1"])("Node %s is too old", (version) => {
  expect(tooOldNode("procedo", version)).toBe(`procedo needs Node 22.18 or later; this is Node ${version}.`);
});

test.each(["22.18.0", "22.20.1", "24.0.0", "26.10.0"])("Node %s is supported", (version) => {
  expect(tooOldNode("procedo", version)).toBeUndefined();
});

test("the required version is that of package.json", () => {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(manifest.engines.node) ?? [];
  expect(tooOldNode("procedo", `${major}.${minor}.0`)).toBeUndefined();
  expect(tooOldNode("procedo", `${major}.${Number(minor) - 1}.9`)).toBeDefined();
});
