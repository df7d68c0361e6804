/** `pnpm matrix`: runs the packages' tests on the other supported Node versions. Not part of verify. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./verify/command.ts";
import type { SuiteReport } from "./verify/suite-step.ts";
import { judgeSuite } from "./verify/suite-step.ts";
import type { Step } from "./verify/steps.ts";
import { runSteps } from "./verify/steps.ts";
import { root } from "./workspace.ts";

const versions = process.argv.length > 2 ? process.argv.slice(2) : ["22", "24"];
const projects = ["unit", "integration"];

function matrixStep(version: string): Step {
  const report = join(root, "reports", `node-${version}.json`);
  return {
    name: `Node ${version}: ${projects.join(", ")}`,
    run: async () => {
      const result = await runCommand([
        ...["npx", "-y", `node@${version}`, join(root, "node_modules/vitest/vitest.mjs"), "run"],
        ...projects.map((project) => `--project=${project}`),
        ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
      ]);
      return judgeSuite(JSON.parse(readFileSync(report, "utf8")) as SuiteReport, result);
    },
  };
}

mkdirSync(join(root, "reports"), { recursive: true });
const stages = versions.map((version) => [matrixStep(version)]);
const { passed, failed } = await runSteps(stages, { print: console.log, now: () => performance.now() });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
