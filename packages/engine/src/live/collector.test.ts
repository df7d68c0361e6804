import { expect, test } from "vitest";
import { createCollector, namedThings } from "./collector.ts";

test("hints of one thing are one, and are taken once", () => {
  const collector = createCollector();
  for (let n = 0; n < 3; n++) collector.add({ kind: "run", id: "run_1" }, "live");
  collector.add({ kind: "review", id: "rev_1" }, "live");
  collector.add({ kind: "procedure" }, undefined);
  expect(collector.take()).toEqual([
    { environment: "live", hint: { kind: "run", id: "run_1" } },
    { environment: "live", hint: { kind: "review", id: "rev_1" } },
    { environment: undefined, hint: { kind: "procedure" } },
  ]);
  expect(collector.take()).toEqual([]);
});

test("a hint of any thing of a kind stands for those that name one", () => {
  const collector = createCollector();
  collector.add({ kind: "review", id: "rev_1" }, "live");
  collector.add({ kind: "review" }, "live");
  collector.add({ kind: "review", id: "rev_2" }, "live");
  expect(collector.take()).toEqual([{ environment: "live", hint: { kind: "review" } }]);
});

test(`of more than ${namedThings} things of a kind, the kind is named; other kinds and the other environment stay`, () => {
  const collector = createCollector();
  for (let n = 0; n <= namedThings; n++) collector.add({ kind: "run", id: `run_${n}` }, "live");
  for (let n = 0; n < namedThings; n++) collector.add({ kind: "run", id: `run_${n}` }, "sandbox");
  collector.add({ kind: "delivery", id: "dlv_1" }, "live");
  const [live, ...others] = collector.take();
  expect(live).toEqual({ environment: "live", hint: { kind: "run" } });
  expect(others).toHaveLength(namedThings + 1);
  expect(others.at(-1)).toEqual({ environment: "live", hint: { kind: "delivery", id: "dlv_1" } });
});
