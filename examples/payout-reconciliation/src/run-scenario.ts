import { setTimeout as sleep } from "node:timers/promises";
import type { Client, Decision, Review, Run } from "@procedo/client";
import { decideReview, unexpectedReview, type Answer } from "@procedo-examples/vendor-payment/decide-review";
import type { StartedFiring } from "@procedo-examples/vendor-payment/triggers-api";
import { z } from "@procedo/engine";
import { days } from "./fakes/sample-days.ts";
import type { Example } from "./open-example.ts";
import { dailyReconciliation } from "./prepare-procedure.ts";

/** The reconciliation of one day, as reported by the service at the end. */
export interface Scene {
  readonly title: string;
  /** The run with its steps. */
  readonly run: Run;
  /** The reviews of the run, with their decisions. */
  readonly reviews: readonly Review[];
}

/** The arguments of a call that posts a message. */
const postedSchema = z.object({ text: z.string() });

/** Longest time until a firing has started its run. */
const firingMs = 20_000;
/** Longest time until its call to the bank waits for the connection. */
const heldMs = 20_000;
const lookMs = 50;
const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Reconciles five days: one where everything matches, one with differences, one on which Stripe is busy, one on which
 * Slack's answer is lost, and one on which the bank has ended its authorization.
 */
export async function runScenario(example: Example): Promise<readonly Scene[]> {
  const { stripe, slack } = example.services;
  // The schedule's own times begin tomorrow, so that none of its runs comes between those that Ana fires by hand.
  const triggerId = await example.triggers.create(await dailyReconciliation(new Date(Date.now() + dayMs)));

  const accept = async (): Promise<Decision> => ({
    approved: true,
    outputs: { decision: "accepted", note: "The bank corrects its fee; the other two are booked tomorrow." },
  });
  // Stands in for a person who looks into the channel.
  const lookItUp = async ({ data }: Review): Promise<Decision> => {
    const { text } = postedSchema.parse(data["arguments"]);
    const found = slack.messages().find((message) => message.text === text);
    if (found === undefined) return { approved: true };
    return { approved: true, outputs: { channel: found.channel, ts: found.ts } };
  };

  const matching = await reconcileDay(example, triggerId, "All payouts match, and the channel is told", days.matching);
  const differing = await reconcileDay(example, triggerId, "A person decides on differences", days.differing, accept);
  stripe.limitNextRequest(1);
  const limited = await reconcileDay(example, triggerId, "Stripe is busy, and the run waits as asked", days.limited);
  slack.loseNextAnswer();
  const title = "Slack posts the message, but its answer is lost, and a person settles the unknown outcome";
  const lost = await reconcileDay(example, triggerId, title, days.lost, lookItUp);
  const ended = await reconcileWithoutAuthorization(example, triggerId);
  return [matching, differing, limited, lost, ended];
}

/** The bank ends the authorization. The run waits, without a failure, until Ana authorizes the connection again. */
async function reconcileWithoutAuthorization(example: Example, triggerId: string): Promise<Scene> {
  const { authorization } = example.services.bank;
  if (authorization.account !== undefined) authorization.revoke(authorization.account);
  const { runId } = await fireFor(example, triggerId, days.ended);
  await untilHeld(example.ana, runId);
  await example.authorizeBank();
  const title = "The bank has ended the authorization, and the run waits until Ana authorizes the connection again";
  return await endOf(example, runId, title);
}

/** Waits until the run's call to the bank waits for the connection. */
async function untilHeld({ runs }: Client, runId: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < heldMs; waitedMs += lookMs) {
    const { steps = [], status } = await runs.get(runId, { steps: true });
    if (steps.some(({ authorization }) => authorization !== undefined)) return;
    if (status !== "running") throw new Error(`Run ${runId} did not wait for the bank: it is ${status}.`);
    await sleep(lookMs);
  }
  throw new Error(`Run ${runId} did not reach the bank within ${heldMs} ms.`);
}

/** Fires the trigger for a day, and follows its run to the end. `answer` decides its review. */
async function reconcileDay(
  example: Example,
  triggerId: string,
  title: string,
  day: string,
  answer: Answer = unexpectedReview,
): Promise<Scene> {
  const { ana, ben } = example;
  const { runId } = await fireFor(example, triggerId, day);
  const { status } = await ana.runs.wait(runId);
  if (status === "awaiting_review") await decideReview(ben, runId, answer);
  return await endOf(example, runId, title);
}

async function fireFor({ triggers, services }: Example, triggerId: string, day: string): Promise<StartedFiring> {
  return await triggers.fire(triggerId, { day, channel: services.slack.channel }, firingMs);
}

async function endOf({ ana, ben }: Example, runId: string, title: string): Promise<Scene> {
  await ana.runs.wait(runId, { waitThroughReviews: true });
  const run = await ana.runs.get(runId, { steps: true });
  const asked = (run.steps ?? []).flatMap(({ reviewId = [] }) => reviewId);
  return { title, run, reviews: await Promise.all(asked.map((reviewId) => ben.reviews.get(reviewId))) };
}
