import { expect, test } from "vitest";
import { SERVICE_CASES } from "./service-targets.ts";
import { measureServiceRound, SERVICE_WORKLOADS } from "./service-workloads.ts";

test("every workload of the service has a case, and every case can be measured", () => {
  const plan = { warmupMs: 0, warmRequests: 0, measureMs: 1, deliveries: 1, built: false };
  expect(new Set(SERVICE_CASES.map(({ workload }) => workload))).toEqual(new Set(SERVICE_WORKLOADS));
  const postgres = { withDatabase: () => Promise.reject(new Error("Nothing is measured here.")) };
  for (const each of SERVICE_CASES) expect(() => measureServiceRound(each, plan, postgres)).not.toThrow();
});

test("a case measures other systems beside its ceiling", () => {
  for (const { systems, held } of SERVICE_CASES) expect(systems.slice(1)).toEqual(expect.arrayContaining([...held]));
});
