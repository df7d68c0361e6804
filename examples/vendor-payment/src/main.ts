/**
 * `pnpm example vendor-payment`: five payments over HTTP against a real ledger service, and the proof that each was
 * made once; then a check that a schedule starts.
 */
import { checkBooks } from "./check-books.ts";
import { checkWebhooks, expectedEvents } from "./check-webhooks.ts";
import { describeEvents, describeRequests, describeRun } from "./describe-run.ts";
import { openExample } from "./open-example.ts";
import { checkOnSchedule, runScenario } from "./run-scenario.ts";

/** Long enough for deliveries without retries. */
const webhooksMs = 20_000;

const example = await openExample();
try {
  const scenes = await runScenario(example);
  for (const [index, scene] of scenes.entries()) {
    console.log(`\n${index + 1}. ${scene.title}\n\n${describeRun(scene).join("\n")}`);
  }
  console.log(`\nRequests to the ledger\n\n${describeRequests(await example.ledger.requests()).join("\n")}`);

  const { receiver, ledger } = example;
  await receiver.waitFor(expectedEvents(scenes).length, webhooksMs);
  console.log(`\nReceived webhooks, each with a valid signature\n\n${describeEvents(receiver.events()).join("\n")}`);

  const effects = await ledger.effects();
  const runs = scenes.map(({ run }) => run);
  const problems = [
    ...checkBooks(runs, effects),
    ...checkWebhooks(scenes, receiver.events()),
    ...receiver.refused().map((code) => `A webhook was refused: ${code}.`),
  ];
  const payments = effects.reduce((sum, { executions }) => sum + executions, 0);
  console.log(
    problems.length === 0
      ? `\n${runs.length} runs, ${payments} payments in the ledger's books: none lost, none doubled.`
      : `\nDiscrepancies found:\n${problems.join("\n")}`,
  );
  console.log("\nWaiting for the next full minute, at which the schedule starts a check …");
  const check = await checkOnSchedule(example);
  console.log(`\n${check.title}\n\n${describeRun(check).join("\n")}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await example.close();
}
