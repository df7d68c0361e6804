import { expect, test } from "vitest";
import { createFailpoints, failpointNames, failpointsElsewhere, triggerFailpointNames } from "./failpoints.ts";

test("the armed point kills at its turn, and no other point kills", () => {
  let deaths = 0;
  const failpoints = createFailpoints(() => void deaths++);
  failpoints.arm({ name: "step.intent", phase: "before", passes: 1 });
  failpoints.reach("step.intent", "after");
  failpoints.reach("step.result", "before");
  failpoints.reach("step.intent", "before");
  expect(deaths).toBe(0);
  failpoints.reach("step.intent", "before");
  expect(deaths).toBe(1);
});

test("a disarmed point does not kill", () => {
  let deaths = 0;
  const failpoints = createFailpoints(() => void deaths++);
  failpoints.arm({ name: "run.create", phase: "after", passes: 0 });
  failpoints.arm(undefined);
  failpoints.reach("run.create", "after");
  expect(deaths).toBe(0);
});

test("all points exist: in crash-failpoints, in crash-triggers, or covered by another group", () => {
  const wanted =
    "run.create lease.take lease.renew step.intent tool.sent tool.received step.result edge.transition condition.eval " +
    "review.create review.decide review.expire timer.arm timer.fire webhook.enqueue webhook.attempt webhook.retry " +
    "poll.dispatch poll.ack poll.result trigger.dedupe trigger.fire schedule.advance firing.claim idem.save migrate.step";
  expect([...failpointNames, ...failpointsElsewhere, ...triggerFailpointNames]).toEqual(
    expect.arrayContaining(wanted.split(" ")),
  );
});
