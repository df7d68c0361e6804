import { describe, expect, it } from "vitest";
import { firstRow, review, row } from "./conformance/samples.ts";
import type { NewEvent } from "./new-event.ts";
import type { RunCreation } from "./runs.ts";
import { assertStorable, assertStorableCommit, isStorableCommit, toStorable } from "./storable.ts";

const event = { eventId: "event-1", event: "run_failed", createdAtMs: 0, data: "{}" };

/** The fields of a commit that are checked. A new field must be added here. */
const inEvents: Record<keyof NewEvent, "text" | "number" | "texts"> = {
  eventId: "text",
  event: "text",
  createdAtMs: "number",
  data: "text",
  fires: "texts",
};
const inCreations: Record<keyof RunCreation, "text" | "number" | "texts"> = {
  procedureId: "text",
  procedureVersion: "text",
  createdAtMs: "number",
  startedBy: "text",
  reference: "text",
  trigger: "texts",
  firing: "texts",
  idempotency: "texts",
};
const textsIn = (members: object): readonly string[] =>
  Object.entries(members).flatMap(([name, kind]) => (kind === "text" ? [name] : []));
const textsOfEvent = textsIn(inEvents);
const textsOfCreation = textsIn(inCreations);

describe("storable texts", () => {
  const half = "cut 😀".slice(0, -1);

  it.each(["", "a\u0001b", "😀", "\ufffd", JSON.stringify("\u0000\ud83d")])("accept %j", (text) => {
    expect(() => assertStorable({ list: [text, undefined, null, 1, true] })).not.toThrow();
  });

  it("refuse NUL and half of a surrogate pair at any depth, without showing the text", () => {
    for (const value of [half, [half], { a: [{ b: half }] }, "cut\u0000", { a: "cut\u0000" }]) {
      expect(() => assertStorable(value)).toThrow(expect.objectContaining({ code: "invalid_input" }));
      expect(() => assertStorable(value)).not.toThrow(/cut [^w]|cut\0/);
    }
  });

  it("refuse a value that is not a text, with a message", () => {
    const startedBy = 7 as unknown as string;
    expect(() => assertStorableCommit(firstRow("run-1", { create: { startedBy } }))).toThrow(
      expect.objectContaining({ code: "invalid_input", message: expect.stringContaining("a number was given") }),
    );
  });

  it("can be made of any text", () => {
    expect(toStorable("a\u0000b\ude00c😀")).toBe("a\ufffdb\ufffdc😀");
    expect(() => assertStorable(toStorable(half))).not.toThrow();
  });

  it("refuse an invalid text in every field of a commit", () => {
    const commits = [
      row("run-1", 2, { body: half }),
      row("run-1", 2, { hash: half }),
      row("run-1", 2, { then: { kind: "ended", status: "failed", endedAtMs: 0, error: half } }),
      row("run-1", 2, { then: { kind: "ended", status: "completed", endedAtMs: 0, output: half } }),
      row("run-1", 2, { openReview: review("review-1", { title: half }) }),
      ...textsOfEvent.map((name) => row("run-1", 2, { events: [{ ...event, [name]: half }] })),
      firstRow(half),
      firstRow("run-1", { scope: { workspace: half, environment: "live" } }),
      ...textsOfCreation.map((name) => firstRow("run-1", { create: { [name]: half } })),
      ...["key", "digest"].map((name) =>
        firstRow("run-1", { create: { idempotency: { key: "k", digest: "d", expiresAtMs: 1, [name]: half } } }),
      ),
      firstRow("run-1", { then: { kind: "hot", workerId: half } }),
    ];
    for (const item of commits) {
      expect(() => assertStorableCommit(item)).toThrow(expect.objectContaining({ code: "invalid_input" }));
    }
    expect(() => assertStorableCommit(firstRow("run-1"))).not.toThrow();
  });
});

it("isStorableCommit returns false instead of throwing", () => {
  const unfit = [row("run-1", 2, { body: "cut\0" }), row("run-1", 1), firstRow("run-1", { seq: 2 })];
  expect(unfit.map(isStorableCommit)).toEqual([false, false, false]);
  expect([row("run-1", 2), firstRow("run-1")].map(isStorableCommit)).toEqual([true, true]);
});
