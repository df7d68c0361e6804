/* What an engine's own work hints at, as its pages follow it. */
import type { LiveEvent } from "@procedo/engine";
import { expect, test } from "vitest";
import { procedure, review } from "./documents.ts";
import { alice, bob, carol, createHarness, uuid, type Harness } from "./harness.ts";

const twice = procedure([review("r", { reviewers: { roles: ["reviewer"] }, approvals: 2 })]);

function follow({ engine, clock }: Harness, environment: "sandbox" | "live" = "sandbox") {
  const events: LiveEvent[] = [];
  engine.live.follow({ environment }, (event) => events.push(event));
  /** The hints since the last call. */
  return async (): Promise<readonly unknown[]> => {
    await clock.advance(250);
    return events.splice(0).map(({ hint }) => hint);
  };
}

test("each recorded decision names its review, also one after which the review stays open", async () => {
  const harness = await createHarness();
  const runId = await harness.runOf(twice);
  const [{ reviewId } = { reviewId: "" }] = await harness.reviews(runId);
  const hints = follow(harness);
  const inLive = follow(harness, "live");
  await hints();
  const decision = { idempotencyKey: uuid(), by: bob };
  expect(await harness.decide(runId, decision)).toMatchObject({ status: "recorded" });
  expect(await hints()).toEqual([{ kind: "review", id: reviewId }]);
  await harness.decide(runId, decision);
  await expect(harness.decide(runId, { by: bob })).rejects.toMatchObject({ code: "already_decided" });
  expect(await hints()).toEqual([]);
  await harness.decide(runId, { by: carol });
  expect(await hints()).toEqual(expect.arrayContaining([{ kind: "review", id: reviewId }]));
  expect(await inLive()).toEqual([]);
});

test("a published version names procedures in both environments, also if it becomes no default", async () => {
  const harness = await createHarness();
  await harness.publish(twice, { version: "v1", defaultIn: ["sandbox"] });
  const followed = [follow(harness), follow(harness, "live")];
  const hints = () => Promise.all(followed.map((read) => read()));
  await hints();
  const procedures = [[{ kind: "procedure" }], [{ kind: "procedure" }]];
  await harness.publish(twice, { version: "v2" });
  expect(await hints()).toEqual(procedures);
  await harness.publish(twice, { version: "v2" });
  expect(await hints()).toEqual([[], []]);
  const { procedureId } = twice;
  await harness.engine.procedures.setDefault({ procedureId, version: "v2", environment: "live", by: alice });
  expect(await hints()).toEqual(procedures);
});
