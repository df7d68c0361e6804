/** `pnpm example vendor-payment`: four payments against a real ledger service, and the proof that each was made once. */
import { checkBooks } from "./check-books.ts";
import { describeRequests, describeRun } from "./describe-run.ts";
import { openExample } from "./open-example.ts";
import { playStory } from "./play-story.ts";

const example = await openExample();
try {
  const scenes = await playStory(example.engine, example.ledger);
  for (const [index, { title, record }] of scenes.entries()) {
    console.log(`\n${index + 1}. ${title}\n\n${describeRun(record).join("\n")}`);
  }
  console.log(`\nWhat the ledger saw\n\n${describeRequests(await example.ledger.requests()).join("\n")}`);

  const runs = scenes.map(({ record }) => record);
  const effects = await example.ledger.effects();
  const problems = checkBooks(runs, effects);
  const payments = effects.reduce((sum, { executions }) => sum + executions, 0);
  console.log(
    problems.length === 0
      ? `\n${runs.length} runs, ${payments} payments in the ledger's books: none lost, none doubled.`
      : `\nThe books do not agree:\n${problems.join("\n")}`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await example.close();
}
