import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../workspace.ts";
import { runCommand } from "./command.ts";
import type { Step } from "./steps.ts";

/** Families that run within one process, mostly under simulated time: another's load cannot change what they find. */
const inOneProcess = "simulation,races,review-races,mutations";

/** Those that are test suites of the packages have run as tests already. */
const tests = "tests";

/**
 * The commit tier of the reliability proofs: faults, crashes and simulated histories. Side by side, as the one half computes
 * and the other half mostly waits for processes to come up. The agent's proofs are for a night: `prove --only agent`.
 */
export const proofSteps: readonly Step[] = [
  proofStep("simulated", ["--only", inOneProcess]),
  proofStep("real processes", ["--without", `${tests},${inOneProcess},agent`]),
];

function proofStep(name: string, choice: readonly string[]): Step {
  return {
    name: `proof: ${name}, commit tier`,
    run: async () => {
      const report = join(root, "reports", `prove-${name.replaceAll(" ", "-")}`);
      rmSync(`${report}.json`, { force: true });
      const { ok, output } = await runCommand([
        process.execPath,
        "--conditions=@procedo/source",
        "proof/prove.ts",
        "--tier",
        "commit",
        ...choice,
        "--json",
        `${report}.json`,
        "--markdown",
        `${report}.md`,
      ]);
      if (!existsSync(`${report}.json`)) return { ok: false, output: `${output}proof/prove.ts wrote no report.\n` };
      const { passed, failed, groups } = JSON.parse(readFileSync(`${report}.json`, "utf8")) as ProofReport;
      const failures = groups.flatMap((group) => group.failures.map((failure) => `${group.id}: ${failure}`));
      return { ok: ok && failed === 0, output, passed, failed, failures };
    },
  };
}

/** The parts of a proof's report that verify reads. */
interface ProofReport {
  readonly passed: number;
  readonly failed: number;
  readonly groups: readonly { readonly id: string; readonly failures: readonly string[] }[];
}
