import assert from "node:assert/strict";
import fc from "fast-check";
import { silentLog } from "../../packages/engine/src/ports/log.ts";
import { createLease } from "../../packages/engine/src/runs/lease.ts";
import { race } from "./race.ts";
import { stoppedClock } from "./stopped-clock.ts";

const leaseMs = 900;

type Answer = "ok" | "lost" | "never reached storage";

const arbitrary = fc.record({
  /** How long each beat takes to storage and back, and what becomes of it. */
  beats: fc.array(
    fc.record({
      thereMs: fc.nat(1_500),
      backMs: fc.nat(1_500),
      answer: fc.constantFrom<Answer>("ok", "ok", "ok", "lost", "never reached storage"),
    }),
    { maxLength: 20 },
  ),
  steps: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 30 }),
  letGoAt: fc.option(fc.nat(29)),
});

export const leaseRace = race(
  "lease: a worker that may act has a lease in storage, and one whose lease is over has let its calls go",
  arbitrary,
  async ({ beats, steps, letGoAt }) => {
    const clock = stoppedClock();
    const waiting = [...beats];
    let endsAtMs = -Infinity;
    const beat = async (): Promise<void> => {
      const { thereMs, backMs, answer } = waiting.shift() ?? { thereMs: 0, backMs: 0, answer: "ok" };
      await new Promise<void>((resolve) => clock.after(thereMs, resolve));
      if (answer === "never reached storage") throw new Error("Refused.");
      // A beat never shortens a lease: storage may take two in the wrong order.
      endsAtMs = Math.max(endsAtMs, clock.monotonic() + leaseMs);
      await new Promise<void>((resolve) => clock.after(backMs, resolve));
      if (answer === "lost") throw new Error("Lost.");
    };
    const workers = { beat, release: async () => {}, held: async () => [], handBack: async () => {} };
    const stopped = new AbortController();
    const ports = { clock, log: silentLog, storage: { workers } };
    const lease = createLease(ports, { workerId: "w1", leaseMs }, stopped.signal, () => {});
    lease.start().catch(() => {});
    let ended = false;
    for (const [number, stepMs] of steps.entries()) {
      await clock.advance(stepMs);
      if (number === letGoAt) {
        lease.letCallsGo();
        ended = true;
      }
      const mayAct = lease.mayNotAct() === undefined;
      if (mayAct) assert.ok(clock.monotonic() < endsAtMs, "It may act, and storage takes it for dead.");
      else if (number > 0 && beats[0]?.answer === "ok") {
        const began = clock.monotonic() >= (beats[0]?.thereMs ?? 0) + (beats[0]?.backMs ?? 0);
        if (began) assert.ok(lease.letGo.given, "Its lease is over, and calls were not let go.");
      }
      if (ended) assert.ok(lease.letGo.given, "It ends, and takes calls up again.");
    }
    stopped.abort();
  },
);
