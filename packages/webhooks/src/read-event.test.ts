import { expect, test } from "vitest";
import { readEvent } from "./read-event.ts";

type Members = Record<string, unknown>;

const origin = { runId: "run_1", procedureId: "vendor-payment", environment: "live" };
const envelope = { id: "dlv_1", createdAt: "2026-11-20T12:00:00.000Z" };

const events: readonly (Members & { readonly event: string; readonly data: Members })[] = [
  { ...envelope, event: "run_completed", data: { ...origin, status: "completed", output: {} } },
  { ...envelope, event: "run_failed", data: { ...origin, status: "failed", error: "" } },
  { ...envelope, event: "human_review_requested", data: { ...origin, reviewTitle: "", reviewData: {} } },
  { ...envelope, event: "custom.paid", data: { ...origin, payload: {} } },
];

const read = (value: unknown): unknown => readEvent(JSON.stringify(value));
const without = (members: Members, name: string): Members =>
  Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));

test.each(events)("reads $event, with members that a newer service adds", (event) => {
  const newer = { ...event, schema: 2, data: { ...event.data, region: "eu" } };
  expect(read(event)).toEqual(event);
  expect(read(newer)).toEqual(newer);
});

test.each(events)("every member in the type of $event exists", (event) => {
  const { data } = event;
  const broken = [
    ...Object.keys(event).flatMap((name) => [without(event, name), { ...event, [name]: 1 }]),
    ...Object.keys(data).flatMap((name) => [
      { ...event, data: without(data, name) },
      { ...event, data: { ...data, [name]: null } },
      { ...event, data: { ...data, [name]: [] } },
    ]),
  ];
  expect(broken.length).toBeGreaterThan(19);
  for (const each of broken) expect(() => read(each), JSON.stringify(each)).toThrow("it lacks");
});

test.each([
  ["an unknown event", { ...events[0], event: "run_paused" }],
  ["a custom event without a name", { ...events[3], event: "custom." }],
  ["an inherited name", { ...events[0], event: "constructor" }],
  ["an invalid date", { ...events[0], createdAt: "yesterday" }],
  ["an empty id", { ...events[0], id: "" }],
  ["a third environment", { ...events[0], data: { ...events[0]?.data, environment: "test" } }],
  ["a list", [events[0]]],
  ["text", "run_completed"],
  ["null", null],
])("%s is not an event", (_name, value) => {
  expect(() => read(value)).toThrow(expect.objectContaining({ code: "not_an_event" }));
});

test("a member named __proto__ stays a member", () => {
  const text = JSON.stringify(events[0]).replace("{", '{"__proto__":{"event":"run_failed"},');
  const event = readEvent(text);
  expect(event.event).toBe("run_completed");
  expect(Object.getPrototypeOf(event)).toBe(Object.prototype);
});

test("a replacement character in the sent bytes is valid, also within text", () => {
  const text = JSON.stringify({ ...events[1], data: { ...events[1]?.data, error: "\uFFFD" } });
  expect(readEvent(new TextEncoder().encode(text))).toEqual(readEvent(text));
});
