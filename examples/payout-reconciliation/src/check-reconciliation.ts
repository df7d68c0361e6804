import type { Review, Run } from "@procedo/client";
import { z } from "@procedo/engine";
import type { PostedMessage } from "./fakes/fake-slack.ts";

/** A run with its steps and reviews. */
export interface CheckedRun {
  readonly run: Run;
  readonly reviews: readonly Review[];
}

const endSchema = z.object({ messageTs: z.string() });
const matchSchema = z.object({ differences: z.array(z.unknown()) });
const shownSchema = z.object({ differences: z.array(z.unknown()) });

/**
 * Compares the runs with the messages of the channel, and the differences that they found with the reviews that decided
 * on them. Returns the discrepancies.
 */
export function checkReconciliation(
  checked: readonly CheckedRun[],
  messages: readonly PostedMessage[],
): readonly string[] {
  return [...checkMessages(checked, messages), ...checked.flatMap(checkDecision)];
}

/** Each run has posted one message, and each message belongs to one run. */
function checkMessages(checked: readonly CheckedRun[], messages: readonly PostedMessage[]): readonly string[] {
  const believed = checked.map(({ run }) => ({
    runId: run.runId,
    ts: run.status === "completed" ? endSchema.safeParse(run.output).data?.messageTs : undefined,
  }));
  return [
    ...believed
      .filter(({ ts }) => !messages.some((message) => message.ts === ts))
      .map(({ runId }) => `Run ${runId} has no message in the channel.`),
    ...messages
      .map(({ ts }) => ({ ts, count: believed.filter((one) => one.ts === ts).length }))
      .filter(({ count }) => count !== 1)
      .map(({ ts, count }) => `Message ${ts} belongs to ${count} runs.`),
  ];
}

/** A run that found differences has one approved review that showed all of them. A run without has none. */
function checkDecision({ run, reviews }: CheckedRun): readonly string[] {
  const output = run.steps?.find(({ nodeId }) => nodeId === "match")?.output;
  const found = matchSchema.parse(output).differences.length;
  const decided = reviews
    .filter(({ nodeId, status }) => nodeId === "decide" && status === "approved")
    .map(({ data }) => shownSchema.parse(data).differences.length);
  const expected = found === 0 ? [] : [found];
  if (decided.join() === expected.join()) return [];
  return [
    `Run ${run.runId} found ${found} differences, and its reviews decided on ${decided.join(" and ") || "none"}.`,
  ];
}
