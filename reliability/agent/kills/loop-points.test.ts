import type { RunCommit } from "@procedo/storage";
import { expect, test, vi } from "vitest";
import { loopPlaces, pointsOfRow, requestNames, rowNames } from "./loop-points.ts";
import { createStops } from "./stops.ts";

function row(entries: readonly object[], more: Partial<RunCommit> = {}): RunCommit {
  const scope = { workspace: "default", environment: "sandbox" } as const;
  const kept = { runId: "run_1", epoch: 1, seq: 2, hash: "h", body: JSON.stringify([7, ...entries]) };
  return { scope, ...kept, then: { kind: "hot", workerId: "w" }, ...more };
}

const points = (entries: readonly object[], more?: Partial<RunCommit>): readonly string[] => [
  ...pointsOfRow(row(entries, more)),
];

const replied = { type: "replied" };
const prompted = (turn: number): object => ({ type: "prompted", turn });

test("the points of a row follow from its entries", () => {
  expect(points([replied])).toEqual(["reply"]);
  expect(points([replied, prompted(2)])).toEqual(["reply.corrected"]);
  expect(points([{ ...replied, retryAtMs: 5 }])).toEqual(["reply.retried"]);
  expect(points([replied, { type: "intent" }])).toEqual(["reply.intent"]);
  expect(points([replied, { type: "branch_taken" }, prompted(1)])).toEqual(["prompt", "reply.branch_taken"]);
  expect(points([{ type: "intent" }])).toEqual(["intent"]);
  expect(points([{ type: "outcome" }, prompted(2)])).toEqual(["outcome.told"]);
  expect(points([replied, { type: "concluded" }, { type: "ended" }])).toEqual(["reply.concluded", "end"]);
});

test("the points of a row include its consequences", () => {
  expect(points([{ type: "outcome" }], { settle: [] })).toEqual(["outcome", "settle"]);
});

test("a process can be killed before and after every row and every request", () => {
  for (const name of [...rowNames, ...requestNames]) {
    expect(loopPlaces.filter((place) => place.name === name).map(({ side }) => side)).toEqual(["before", "after"]);
  }
});

test("work is held at its point after the given number of passes, and only once", async () => {
  const held = vi.fn();
  const stops = createStops(held);
  stops.arm({ name: "intent", side: "after", passes: 1 });
  await stops.reach("intent", "before");
  await stops.reach("intent", "after");
  expect(held).not.toHaveBeenCalled();
  const stopped = stops.reach("intent", "after");
  expect(held).toHaveBeenCalledTimes(1);
  await stops.reach("intent", "after");
  expect(await Promise.race([stopped, Promise.resolve("still held")])).toBe("still held");
});
