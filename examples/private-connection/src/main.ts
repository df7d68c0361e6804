/**
 * `pnpm example private-connection`: screens vendors in a network without incoming requests, and survives the death of
 * a client.
 */
import { checkEffects } from "./check-effects.ts";
import { describeScene } from "./describe-scene.ts";
import { openExample } from "./open-example.ts";
import { runScenario } from "./run-scenario.ts";

const example = await openExample();
try {
  const scenes = await runScenario(example);
  for (const [index, scene] of scenes.entries()) {
    console.log(`\n${index + 1}. ${scene.title}\n\n${describeScene(scene).join("\n")}`);
  }
  const { ledger, office } = example;
  console.log(`\nOutput of the clients in the network\n\n${office.output().replace(/^/gm, "  ").trimEnd()}`);
  const reports = await office.reports();
  console.log(`\nThe reports\n\n${reports.map((report) => `  ${JSON.stringify(report)}`).join("\n")}`);

  const payments = ledger.effects();
  const runs = scenes.map(({ run }) => run);
  const problems = checkEffects(runs, { payments, reports });
  const made = payments.reduce((sum, { executions }) => sum + executions, 0);
  console.log(
    problems.length === 0
      ? `\n${runs.length} runs, ${made} payments, ${reports.length} report: none lost, none doubled.`
      : `\nDiscrepancies found:\n${problems.join("\n")}`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await example.close();
}
