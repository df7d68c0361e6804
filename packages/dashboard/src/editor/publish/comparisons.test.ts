import { expect, test } from "vitest";
import { comparisons } from "./comparisons.ts";

test("a draft is compared with the default of each environment whose default it becomes", () => {
  const facts = { defaults: { sandbox: "3", live: "2" }, present: "3" } as const;
  expect(comparisons(["sandbox", "live"], facts)).toEqual([
    { version: "3", environments: ["sandbox"] },
    { version: "2", environments: ["live"] },
  ]);
  expect(comparisons(["live"], { defaults: { sandbox: "3" }, present: "3" })).toEqual([
    { version: undefined, environments: ["live"] },
  ]);
  expect(comparisons(["sandbox", "live"], { defaults: { sandbox: "3", live: "3" }, present: "3" })).toEqual([
    { version: "3", environments: ["sandbox", "live"] },
  ]);
});

test("a draft that becomes no default is compared with the present one", () => {
  expect(comparisons([], { defaults: { live: "2" }, present: "4" })).toEqual([{ version: "4", environments: [] }]);
});
