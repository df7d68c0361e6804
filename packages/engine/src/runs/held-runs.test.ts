import { expect, test } from "vitest";
import type { Environment } from "@procedo/contract";
import { createHeldRuns } from "./held-runs.ts";

const of = (environment: Environment) => ({ loading: { workspace: "w", environment } });

function hold(held: ReturnType<typeof createHeldRuns>, environment: Environment, count: number): void {
  for (let n = 0; n < count; n++) held.set(`${environment}-${n}`, of(environment));
}

test("one environment may have seven eighths, the two together all", () => {
  const held = createHeldRuns(16);
  hold(held, "sandbox", 14);
  expect(held.room()).toEqual({ sandbox: 0, live: 2 });
  hold(held, "live", 2);
  expect([held.size, held.hasRoom("sandbox"), held.hasRoom("live")]).toEqual([16, false, false]);
  held.delete("sandbox-3");
  expect(held.room()).toEqual({ sandbox: 1, live: 1 });
});

test("a run counts once, whatever it is held as, and no more when it is gone", () => {
  const held = createHeldRuns(8);
  for (let n = 0; n < 3; n++) held.set("a", of("sandbox"));
  expect(held.room()).toEqual({ sandbox: 6, live: 7 });
  held.set("a", of("live"));
  expect(held.room()).toEqual({ sandbox: 7, live: 6 });
  for (let n = 0; n < 3; n++) held.delete("a");
  expect([held.size, held.room()]).toEqual([0, { sandbox: 7, live: 7 }]);
});
