/**
 * `pnpm example payout-reconciliation`: reconciles five days of payouts, and compares the runs with the messages that
 * the channel received.
 */
import { checkReconciliation } from "./check-reconciliation.ts";
import { describeMessages, describeScene } from "./describe-scene.ts";
import { openExample } from "./open-example.ts";
import { runScenario } from "./run-scenario.ts";

const example = await openExample();
try {
  const scenes = await runScenario(example);
  for (const [index, scene] of scenes.entries()) {
    console.log(`\n${index + 1}. ${scene.title}\n\n${describeScene(scene).join("\n")}`);
  }
  const messages = example.services.slack.messages();
  console.log(`\nThe channel\n\n${describeMessages(messages).join("\n")}`);

  const problems = checkReconciliation(scenes, messages);
  console.log(
    problems.length === 0
      ? `\n${scenes.length} runs, ${messages.length} messages: none lost, none doubled, and each difference decided.`
      : `\nDiscrepancies found:\n${problems.join("\n")}`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await example.close();
}
