/**
 * `pnpm verify:shared`: runs the suite over the documents in `../shared`, which are not part of the repository. The
 * last line is `N passed, N failed`; with `--after-verify`, the counts include those of the preceding `pnpm verify`,
 * for CI.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { addTallies, keptTally } from "./verify/kept-tally.ts";
import { closingLines, runSteps } from "./verify/steps.ts";
import { suiteStep } from "./verify/suite-step.ts";
import { root } from "./workspace.ts";

mkdirSync(join(root, "reports"), { recursive: true });

const suite = suiteStep("shared", "shared-suite/vitest.config.ts");
const counted = await runSteps([[suite]], { print: console.log, now: () => performance.now() });
const tally = process.argv.includes("--after-verify") ? addTallies(keptTally(), counted) : counted;
for (const line of closingLines(tally)) console.log(line);
process.exitCode = tally.failed === 0 ? 0 : 1;
