import { kill, pid } from "node:process";

/**
 * Where a crash can come: each point is one durable write, or one side of a call. Since every effect of the engine passes a
 * port, the points are decorators over the ports (`failing-storage.ts`, `failing-database.ts`, `bank-integration.ts`); the
 * product holds none of them.
 */
export const failpointNames = [
  "run.create",
  "idem.save",
  "lease.take",
  "lease.renew",
  "run.takeover",
  "step.intent",
  "tool.sent",
  "tool.received",
  "step.result",
  "edge.transition",
  "condition.eval",
  "review.create",
  "review.decide",
  "review.resume",
  "review.expire",
  "timer.arm",
  "timer.fire",
  "webhook.enqueue",
  "migrate.step",
] as const;

export type FailpointName = (typeof failpointNames)[number];

/**
 * Points at which the other side has to be real: processes are killed there by service-kills while a receiver accepts and refuses
 * deliveries, and by private-client-kills and private-service-kills at each moment of a private function's call.
 */
export const failpointsElsewhere = [
  "webhook.attempt",
  "webhook.retry",
  "poll.dispatch",
  "poll.ack",
  "poll.result",
] as const;

/** Points of triggers, which do not exist yet. */
export const failpointsNotBuilt = ["trigger.dedupe", "trigger.fire"] as const;

export type Phase = "before" | "after";

/** One death: at this point, on this side of it, after it was passed so many times. */
export interface Failpoint {
  readonly name: FailpointName;
  readonly phase: Phase;
  readonly passes: number;
}

/** The points as the decorators see them. */
export interface Failpoints {
  /** The next death; `undefined` disarms. */
  arm(failpoint: Failpoint | undefined): void;
  /** Execution is here. Does not return when it is the armed point's turn. */
  reach(name: FailpointName, phase: Phase): void;
}

export function createFailpoints(die: () => void = killSelf): Failpoints {
  let armed: Failpoint | undefined;
  let passes = 0;
  return {
    arm: (failpoint) => {
      armed = failpoint;
      passes = 0;
    },
    reach: (name, phase) => {
      if (armed?.name !== name || armed.phase !== phase) return;
      if (passes === armed.passes) die();
      passes += 1;
    },
  };
}

/** No handler, no flush, no farewell. */
function killSelf(): void {
  kill(pid, "SIGKILL");
}
