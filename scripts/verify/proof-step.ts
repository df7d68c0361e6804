import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../workspace.ts";
import { runCommand } from "./command.ts";
import type { Step } from "./steps.ts";

/** The commit tier of the reliability proofs: faults, crashes and simulated histories. */
export const proofStep: Step = {
  name: "proof: commit tier",
  run: async () => {
    if (!existsSync(join(root, "proof/prove.ts"))) return { ok: true, output: "", note: "no proof/prove.ts yet" };
    const report = join(root, "reports/prove.json");
    rmSync(report, { force: true });
    const { ok, output } = await runCommand([
      process.execPath,
      "--conditions=@procedo/source",
      "proof/prove.ts",
      "--tier",
      "commit",
      // Those that are test suites of the packages have run as tests already.
      "--without",
      "tests",
      "--json",
      report,
      "--markdown",
      join(root, "reports/prove.md"),
    ]);
    if (!existsSync(report)) return { ok: false, output: `${output}proof/prove.ts wrote no report.\n` };
    const { passed, failed } = JSON.parse(readFileSync(report, "utf8")) as { passed: number; failed: number };
    return { ok: ok && failed === 0, output, passed, failed };
  },
};
