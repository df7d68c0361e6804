import { kill, pid } from "node:process";

/**
 * The points at which a process can be killed: each is one durable write, or one side of a call. Every effect of the
 * engine passes a port, so the points are decorators over the ports (`failing-storage.ts`, `failing-database.ts`,
 * `bank-integration.ts`). The product contains none of them.
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

/** The points of triggers, whose kills have a world of their own (`../triggers`). */
export const triggerFailpointNames = ["trigger.dedupe", "trigger.fire", "schedule.advance", "firing.claim"] as const;

export type TriggerFailpointName = (typeof triggerFailpointNames)[number];

export type FailpointName = (typeof failpointNames)[number] | TriggerFailpointName;

/**
 * Points that need a real other side. service-kills kills processes while a receiver accepts and refuses deliveries;
 * private-client-kills and private-service-kills kill them at each moment of a private function's call.
 */
export const failpointsElsewhere = [
  "webhook.attempt",
  "webhook.retry",
  "poll.dispatch",
  "poll.ack",
  "poll.result",
] as const;

export type Phase = "before" | "after";

/** One kill: at this point, on this side of it, after this number of passes. */
export interface Failpoint {
  readonly name: FailpointName;
  readonly phase: Phase;
  readonly passes: number;
}

/** The failpoints as the decorators use them. */
export interface Failpoints {
  /** Sets the next kill; `undefined` disarms. */
  arm(failpoint: Failpoint | undefined): void;
  /** Called when execution reaches a point. Does not return at the armed one. */
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

/** Runs no handler and flushes nothing. */
function killSelf(): void {
  kill(pid, "SIGKILL");
}
