import { describe, expect, test } from "vitest";
import {
  procedureSchema,
  procedureSummarySchema,
  publishVersionRequestSchema,
  saveDraftRequestSchema,
  setDefaultRequestSchema,
  versionSchema,
} from "./procedures.ts";

const at = "2026-01-31T09:30:00.000Z";
const document = {
  schemaVersion: 1,
  procedureId: "p",
  name: "P",
  input: {},
  nodes: [
    { id: "start", kind: "start" },
    { id: "done", kind: "end" },
  ],
  edges: [{ from: "start", to: "done" }],
};
const version = { procedureId: "p", version: "v1", name: "P", publishedBy: "key_1", publishedAt: at };

describe("a draft", () => {
  test("may be any object, however unfinished", () => {
    expect(saveDraftRequestSchema.parse({ document: { nodes: "soon" } })).toEqual({
      document: { nodes: "soon" },
      revision: 0,
    });
    expect(saveDraftRequestSchema.safeParse({ document: [] }).success).toBe(false);
  });

  test("names the revision that it replaces", () => {
    expect(saveDraftRequestSchema.parse({ document, revision: 7 }).revision).toBe(7);
    for (const revision of [-1, 1.5, "1"]) {
      expect(saveDraftRequestSchema.safeParse({ document, revision }).success).toBe(false);
    }
  });
});

describe("a publish", () => {
  test("needs a version's name; document and defaults are optional", () => {
    expect(publishVersionRequestSchema.parse({ version: "v1" })).toEqual({ version: "v1", defaultIn: [] });
    const whole = { version: "2026.01-a", document, defaultIn: ["sandbox", "live"] };
    expect(publishVersionRequestSchema.parse(whole)).toEqual(whole);
  });

  test.each([
    {},
    { version: "" },
    { version: "a b" },
    { version: "v1", defaultIn: ["staging"] },
    { version: "v1", defaultIn: ["live", "live"] },
    { version: "v1", default: true },
  ])("may not be %j", (request) => {
    expect(publishVersionRequestSchema.safeParse(request).success).toBe(false);
  });
});

test("a default is a version's name", () => {
  expect(setDefaultRequestSchema.parse({ version: "v1" })).toEqual({ version: "v1" });
  expect(setDefaultRequestSchema.safeParse({}).success).toBe(false);
});

test("a version is returned with its document", () => {
  expect(versionSchema.parse({ ...version, document })).toEqual({ ...version, document });
  expect(versionSchema.safeParse({ ...version, document: {} }).success).toBe(false);
});

test("a procedure shows its draft, its versions and the default of each environment", () => {
  const summary = {
    procedureId: "p",
    name: "P",
    draft: { revision: 3, by: "ana@example.com", updatedAt: at },
    defaults: { sandbox: "v1" },
  };
  const numbers = { openReviews: 1, last7Days: { completed: 4, failed: 0 }, lastRunAt: at };
  expect(procedureSummarySchema.parse({ ...summary, ...numbers })).toEqual({ ...summary, ...numbers });
  expect(procedureSummarySchema.safeParse(summary).success).toBe(false);
  const procedure = { ...summary, draft: { ...summary.draft, document }, versions: [version] };
  expect(procedureSchema.parse(procedure)).toEqual(procedure);
  expect(procedureSummarySchema.safeParse({ ...summary, ...numbers, defaults: { staging: "v1" } }).success).toBe(false);
});
