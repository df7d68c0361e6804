import { expect, test } from "vitest";
import { firingDetailsSchema, firingSchema, getFiringQuerySchema } from "./firings.ts";

const firing = {
  id: "fir_1",
  triggerId: "trg_1",
  status: "skipped",
  reason: "missed",
  count: 2,
  scheduledAt: "2026-11-26T05:30:00.000Z",
  receivedAt: "2026-11-26T05:30:00.010Z",
  duplicates: 0,
} as const;

test("a firing leaves out the facts that it does not have", () => {
  expect(firingSchema.parse(firing)).toEqual(firing);
});

test("a firing has no content of its event unless it is asked for", () => {
  const content = { event: { id: 1 }, headers: {} };
  expect(firingDetailsSchema.parse({ ...firing, content, input: {} })).toEqual({ ...firing, content, input: {} });
  expect(firingSchema.safeParse({ ...firing, content }).success).toBe(false);
});

test.each([
  ["event", ["event"]],
  ["input", ["input"]],
  ["event,input", ["event", "input"]],
  ["input,event", ["input", "event"]],
  ["event,event", ["event"]],
])("include=%s asks for %j", (include, parts) => {
  expect(getFiringQuerySchema.parse({ include })).toEqual({ include: parts });
});

test.each(["", "run", "event,", "event,input,event"])("include=%s is refused", (include) => {
  expect(getFiringQuerySchema.safeParse({ include }).success).toBe(false);
});
