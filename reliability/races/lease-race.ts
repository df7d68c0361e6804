import assert from "node:assert/strict";
import fc from "fast-check";
import { manualClock } from "@procedo-testing/faults";
import { silentLog } from "../../packages/engine/src/ports/log.ts";
import { createLease } from "../../packages/engine/src/runs/lease.ts";
import { race } from "./race.ts";

const leaseMs = 900;

type Answer = "ok" | "lost" | "never reached storage";

const arbitrary = fc.record({
  /** The time that each heartbeat takes to storage and back, and its result. */
  beats: fc.array(
    fc.record({
      thereMs: fc.nat(1_500),
      backMs: fc.nat(1_500),
      answer: fc.constantFrom<Answer>("ok", "ok", "ok", "lost", "never reached storage"),
    }),
    { maxLength: 20 },
  ),
  steps: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 30 }),
});

export const leaseRace = race(
  "lease: a worker that may act has a lease in storage, and after an expiry it acts only under another generation of the lease",
  arbitrary,
  async ({ beats, steps }) => {
    const clock = manualClock();
    const waiting = [...beats];
    let endsAtMs = -Infinity;
    const heartbeat = async (): Promise<void> => {
      const { thereMs, backMs, answer } = waiting.shift() ?? { thereMs: 0, backMs: 0, answer: "ok" };
      await new Promise<void>((resolve) => clock.after(thereMs, resolve));
      if (answer === "never reached storage") throw new Error("Refused.");
      // A heartbeat never shortens a lease: two may reach storage in the wrong order.
      endsAtMs = Math.max(endsAtMs, clock.monotonic() + leaseMs);
      await new Promise<void>((resolve) => clock.after(backMs, resolve));
      if (answer === "lost") throw new Error("Lost.");
    };
    const workers = {
      heartbeat,
      release: async () => {},
      listRuns: async () => [],
      areWorking: async () => true,
      releaseRuns: async () => {},
    };
    const stopped = new AbortController();
    const ports = { clock, log: silentLog, storage: { workers } };
    const lease = createLease(ports, { workerId: "w1", leaseMs }, stopped.signal, () => {});
    lease.start().catch(() => {});
    /** The generation of the lease under which the worker could last act. */
    let acted = -1;
    let wasOver = false;
    for (const stepMs of steps) {
      await clock.advance(stepMs);
      if (lease.leaseViolation() !== undefined) {
        wasOver = true;
        continue;
      }
      assert.ok(clock.monotonic() < endsAtMs, "The worker may act although its lease in storage has expired.");
      if (wasOver)
        assert.notEqual(
          lease.leaseGeneration,
          acted,
          "The lease expired, and the worker continues under the same generation.",
        );
      wasOver = false;
      acted = lease.leaseGeneration;
    }
    stopped.abort();
  },
);
