/**
 * `pnpm verify`: runs all checks of CI on a clean clone. The last line is `N passed, N failed`.
 *
 * verify/steps.ts             runs the stages and counts; kept-tally.ts: stores the counts
 * verify/command.ts           child processes
 * verify/suite-step.ts        one vitest project; suite-failures.ts: its failures
 * verify/packaging-steps.ts   the tarballs for publication
 * verify/consumer-steps.ts    projects that install them; embedding-step.ts and integration-page-step.ts: the files of
 *                             docs/embedding.md and docs/building-an-integration.md
 * verify/proof-step.ts        the reliability proofs
 * verify/example-steps.ts     the examples
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { projectNames } from "../vitest.config.ts";
import { pnpmCommand, runCommand, tool } from "./verify/command.ts";
import { consumerSteps } from "./verify/consumer-steps.ts";
import { exampleSteps } from "./verify/example-steps.ts";
import { packagingSteps } from "./verify/packaging-steps.ts";
import { proofSteps } from "./verify/proof-step.ts";
import type { Step } from "./verify/steps.ts";
import { closingLines, runSteps } from "./verify/steps.ts";
import { suiteStep } from "./verify/suite-step.ts";
import { forgetTally, keepTally } from "./verify/kept-tally.ts";
import { root } from "./workspace.ts";

mkdirSync(join(root, "reports"), { recursive: true });
// Hundreds of child processes load the same sources, so Node's compile cache is kept in node_modules.
process.env["NODE_COMPILE_CACHE"] ??= join(root, "node_modules/.cache/node-compile-cache");

const build: Step = { name: "build", run: () => runCommand([...pnpmCommand(), "run", "build"]) };
// All other types are checked by the suite of type tests, whose compiler reads the same program.
const types: Step = {
  name: "types: dashboard",
  run: () => runCommand([tool("tsc"), "--noEmit", "-p", "packages/dashboard"]),
};
const lint: Step = { name: "lint", run: () => runCommand([tool("oxlint")]) };
const format: Step = { name: "format", run: () => runCommand([tool("prettier"), "--check", "--log-level=warn", "."]) };

const stages: readonly (readonly Step[])[] = [
  [build],
  [types, suiteStep("types"), lint, format],
  ...projectNames.filter((name) => name !== "types").map((name) => [suiteStep(name)]),
  packagingSteps(),
  consumerSteps(),
  ...exampleSteps().map((step) => [step]),
  proofSteps,
];

forgetTally();
const tally = await runSteps(stages, { print: console.log, now: () => performance.now() });
keepTally(tally);
for (const line of closingLines(tally)) console.log(line);
process.exitCode = tally.failed === 0 ? 0 : 1;
