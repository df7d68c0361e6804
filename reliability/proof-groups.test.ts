import { expect, test } from "vitest";
import type { ProofGroup } from "./proof-group.ts";
import { chooseGroups, proofFamilies, type ProofFamily } from "./proof-groups.ts";

const group = (id: string): ProofGroup => ({ id, title: id, run: async () => ({ counts: {}, failures: [] }) });
const families: readonly ProofFamily[] = [
  {
    name: "crash",
    areTests: false,
    groups: [group("crash-failpoints"), group("crash-sqlite"), group("torn-log")],
  },
  { name: "fuzz", areTests: true, groups: [group("fuzz-operations")] },
];
const chosen = (choice: Parameters<typeof chooseGroups>[0]) => chooseGroups(choice, families).map(({ id }) => id);

test("without a choice every group runs", () => {
  expect(chosen({})).toEqual(["crash-failpoints", "crash-sqlite", "torn-log", "fuzz-operations"]);
});

test("a group is chosen by its id, the first words of its id, or its family", () => {
  expect(chosen({ only: ["crash-sqlite"] })).toEqual(["crash-sqlite"]);
  expect(chosen({ only: ["torn"] })).toEqual(["torn-log"]);
  expect(chosen({ only: ["crash", "fuzz-operations"] })).toEqual([
    "crash-failpoints",
    "crash-sqlite",
    "torn-log",
    "fuzz-operations",
  ]);
});

test("excluded groups are removed from the chosen ones", () => {
  expect(chosen({ without: ["tests"] })).toEqual(["crash-failpoints", "crash-sqlite", "torn-log"]);
  expect(chosen({ only: ["crash"], without: ["torn"] })).toEqual(["crash-failpoints", "crash-sqlite"]);
});

test("an unknown name is refused with the known ones", () => {
  expect(() => chosen({ only: ["storms"] })).toThrow(/"storms".*crash, fuzz, crash-failpoints/);
  expect(() => chosen({ without: ["crash-s"] })).toThrow(/"crash-s"/);
});

test("no two groups have the same id", () => {
  const ids = proofFamilies.flatMap(({ groups }) => groups.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
});
