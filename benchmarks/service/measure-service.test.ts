import { expect, test } from "vitest";
import { measureDeliveries } from "./measure-deliveries.ts";
import { measureService, type ServiceMeasurement } from "./measure-service.ts";

const small: ServiceMeasurement = {
  subject: "procedo-http",
  mode: "async",
  body: "run",
  built: false,
  connections: 4,
  warmRequests: 20,
  measureMs: 200,
};

test("a service is measured when all accepted runs have ended, by its durable results", async () => {
  const { endedPerSecond, commitsEach } = await measureService(small);
  expect(endedPerSecond).toBeGreaterThan(0);
  expect(commitsEach).toBeGreaterThan(0);
});

test("an unexpected response is not a measurement", async () => {
  // The service is expected to have completed a run that it answers at once.
  await expect(measureService({ ...small, mode: "sync" })).rejects.toThrow("load-child.ts ended with code 1");
});

test("deliveries to responsive receivers are counted, and an unresponsive receiver delays none of them", async () => {
  const measured = await measureDeliveries({
    answering: 2,
    hanging: 1,
    warmDeliveries: 100,
    deliveries: 300,
    built: false,
  });
  expect(measured.perSecond).toBeGreaterThan(0);
  expect(measured.commitsEach).toBeGreaterThan(0);
});
