import { expect, test } from "vitest";
import type { ProofGroup } from "./proof-group.ts";
import { chooseGroups, proofFamilies, type ProofFamily } from "./proof-groups.ts";

const group = (id: string): ProofGroup => ({ id, title: id, run: async () => ({ counts: {}, failures: [] }) });
const families: readonly ProofFamily[] = [
  { name: "crash", areTests: false, groups: [group("D-01"), group("D-02"), group("R-01")] },
  { name: "fuzz", areTests: true, groups: [group("F-01")] },
];
const chosen = (choice: Parameters<typeof chooseGroups>[0]) => chooseGroups(choice, families).map(({ id }) => id);

test("without a choice every group runs", () => {
  expect(chosen({})).toEqual(["D-01", "D-02", "R-01", "F-01"]);
});

test("a group is chosen by its id, the beginning of it, or its family", () => {
  expect(chosen({ only: ["D-02"] })).toEqual(["D-02"]);
  expect(chosen({ only: ["D"] })).toEqual(["D-01", "D-02"]);
  expect(chosen({ only: ["crash", "F-01"] })).toEqual(["D-01", "D-02", "R-01", "F-01"]);
});

test("what is left out is left out of what is chosen", () => {
  expect(chosen({ without: ["tests"] })).toEqual(["D-01", "D-02", "R-01"]);
  expect(chosen({ only: ["crash"], without: ["D"] })).toEqual(["R-01"]);
});

test("a name that stands for nothing is refused with those that there are", () => {
  expect(() => chosen({ only: ["X"] })).toThrow(/"X".*crash, fuzz, D-01/);
  expect(() => chosen({ without: ["D-0"] })).toThrow(/"D-0"/);
});

test("no two groups have the same id", () => {
  const ids = proofFamilies.flatMap(({ groups }) => groups.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
});
