import { expect, test } from "vitest";
import { tryPlan, type TriedDraft } from "./try-plan.ts";

const draft: TriedDraft = {
  document: { name: "New" },
  revision: 3,
  errors: 0,
  newest: { version: "2", document: { name: "Old" } },
  versions: ["2", "1", "3"],
};

test("a draft with changes is published under a free name, on top of the newest version", () => {
  expect(tryPlan(draft)).toEqual({ kind: "publish", version: "4", revision: 3, basedOn: "2" });
  expect(tryPlan({ ...draft, newest: undefined, versions: [] })).toMatchObject({ version: "1", basedOn: undefined });
});

test("a draft that is the newest version is tried without another version, at any revision", () => {
  const newest = { version: "2", document: { name: "New" } };
  expect(tryPlan({ ...draft, newest })).toEqual({ kind: "run", version: "2" });
  expect(tryPlan({ ...draft, newest, revision: undefined, errors: 2 })).toEqual({ kind: "run", version: "2" });
});

test("a draft with problems, or that is not saved yet, waits and says why", () => {
  expect(tryPlan({ ...draft, errors: 1 })).toMatchObject({
    reason: expect.stringMatching(/^One problem has/) as unknown,
  });
  expect(tryPlan({ ...draft, errors: 2 })).toMatchObject({
    reason: expect.stringMatching(/^2 problems have/) as unknown,
  });
  expect(tryPlan({ ...draft, revision: undefined })).toMatchObject({ kind: "wait" });
  expect(tryPlan({ ...draft, revision: 0 })).toMatchObject({ kind: "wait" });
});
