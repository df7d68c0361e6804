import { describe, expect, test } from "vitest";
import { requestProblems } from "./request-problems.ts";
import {
  createTriggerRequestSchema,
  fireTriggerRequestSchema,
  pauseTriggerRequestSchema,
  testTriggerRequestSchema,
  updateTriggerRequestSchema,
} from "./triggers.ts";

const source = { kind: "schedule", cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" } as const;
const request = { name: "Daily check", procedureId: "check", source };

describe("a trigger", () => {
  test("is created from a name, a procedure and a source alone", () => {
    expect(createTriggerRequestSchema.parse(request)).toMatchObject({
      ...request,
      version: null,
      when: null,
      input: {},
      maxOpenRuns: null,
      pauseAfterFailures: null,
    });
  });

  test.each([
    { procedureId: "check", source },
    { ...request, source: undefined },
    { ...request, name: "" },
    { ...request, when: "" },
    { ...request, when: "a".repeat(65_537) },
    { ...request, input: [] },
    { ...request, overlap: "some" },
    { ...request, maxOpenRuns: 0 },
    { ...request, pauseAfterFailures: 101 },
    { ...request, state: "paused" },
    { ...request, revision: 1 },
  ])("is not created from %j", (body) => {
    expect(createTriggerRequestSchema.safeParse(body).success).toBe(false);
  });

  test("with a misspelt field of its source is refused at that field", () => {
    const body = { ...request, source: { ...source, timezone: "UTC" } };
    const { error } = createTriggerRequestSchema.safeParse(body);
    expect(error && requestProblems(error)).toEqual([
      { kind: "unknown_field", path: "/source/timezone", message: "is not a known field" },
    ]);
  });

  test("keeps what a change does not name: a change has no defaults", () => {
    expect(updateTriggerRequestSchema.parse({})).toEqual({});
    expect(updateTriggerRequestSchema.parse({ when: null, revision: 2 })).toEqual({ when: null, revision: 2 });
  });

  test("that is paused skips its events unless they are to be held", () => {
    expect(pauseTriggerRequestSchema.parse({})).toEqual({ events: "skip" });
    expect(pauseTriggerRequestSchema.safeParse({ events: "keep" }).success).toBe(false);
  });

  test("is tested with an event, also null, or with a firing, never with both or neither", () => {
    expect(testTriggerRequestSchema.parse({ event: null })).toEqual({ event: null });
    expect(testTriggerRequestSchema.parse({ firingId: "fir_1" })).toEqual({ firingId: "fir_1" });
    for (const body of [{}, { event: 1, firingId: "fir_1" }, { headers: {} }, { event: 1, headers: { a: 1 } }]) {
      expect(testTriggerRequestSchema.safeParse(body).success).toBe(false);
    }
  });

  test("is fired with any event, and with an object as input", () => {
    expect(fireTriggerRequestSchema.parse({ event: [1], data: {} })).toEqual({ event: [1], data: {} });
    expect(fireTriggerRequestSchema.safeParse({ data: [1] }).success).toBe(false);
  });
});
