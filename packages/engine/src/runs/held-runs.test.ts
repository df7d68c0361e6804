import { describe, expect, test } from "vitest";
import type { Environment } from "@procedo/contract";
import { createHeldRuns } from "./held-runs.ts";

const of = (environment: Environment) => ({ loading: { workspace: "w", environment }, memory: 0 });

const roomIn = (held: ReturnType<typeof createHeldRuns>) => ({
  sandbox: held.room("sandbox"),
  live: held.room("live"),
});

function hold(held: ReturnType<typeof createHeldRuns>, environment: Environment, count: number): void {
  for (let n = 0; n < count; n++) held.set(`${environment}-${n}`, of(environment));
}

test("one environment may fill seven eighths of the capacity, both together all of it", () => {
  const held = createHeldRuns(16);
  hold(held, "sandbox", 14);
  expect(roomIn(held)).toEqual({ sandbox: 0, live: 2 });
  hold(held, "live", 2);
  expect([held.size, held.hasRoom("sandbox"), held.hasRoom("live")]).toEqual([16, false, false]);
  held.delete("sandbox-3");
  expect(roomIn(held)).toEqual({ sandbox: 1, live: 1 });
});

test("a run counts once, even if it is set again, and stops counting when deleted", () => {
  const held = createHeldRuns(8);
  for (let n = 0; n < 3; n++) held.set("a", of("sandbox"));
  expect(roomIn(held)).toEqual({ sandbox: 6, live: 7 });
  held.set("a", of("live"));
  expect(roomIn(held)).toEqual({ sandbox: 7, live: 6 });
  for (let n = 0; n < 3; n++) held.delete("a");
  expect([held.size, roomIn(held)]).toEqual([0, { sandbox: 7, live: 7 }]);
});

describe("the memory of an environment's runs", () => {
  const loaded = (environment: Environment, memory: number) => ({ ...of(environment), memory });

  test("has a bound of its own: beyond it no run is begun or claimed, except a single larger run", () => {
    const held = createHeldRuns(16, 100);
    held.set("a", loaded("sandbox", 150));
    expect([held.hasRoom("sandbox"), held.hasRoom("live")]).toEqual([false, true]);
    expect(held.hasMemoryFor("a")).toBe(true);
    held.set("b", loaded("sandbox", 1));
    held.set("c", loaded("live", 90));
    expect([held.hasMemoryFor("b"), held.hasMemoryFor("c")]).toEqual([false, true]);
    held.delete("a");
    expect(held.hasMemoryFor("b")).toBe(true);
  });

  test("is granted to the runs that were held first", () => {
    const held = createHeldRuns(16, 100);
    for (const runId of ["a", "b", "c"]) held.set(runId, loaded("sandbox", 40));
    expect(["a", "b", "c"].map((runId) => held.hasMemoryFor(runId))).toEqual([true, true, false]);
  });

  test("limits a claim by the size of the largest run, and allows larger claims after small runs", () => {
    const held = createHeldRuns(16, 100);
    held.set("a", loaded("sandbox", 40));
    expect(held.room("sandbox")).toBe(1);
    held.delete("a");
    expect(held.room("sandbox")).toBe(2);
    for (let claims = 0; claims < 4; claims++) held.claimed("sandbox");
    expect(held.room("sandbox")).toBe(14);
  });

  test("leaves one place to a single run of any size", () => {
    const held = createHeldRuns(16, 100);
    held.set("a", loaded("sandbox", 500));
    held.delete("a");
    expect(held.room("sandbox")).toBe(1);
  });
});
