import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../workspace.ts";
import { runCommand } from "./command.ts";
import type { Step } from "./steps.ts";

/**
 * Families that run within one process, mostly under simulated time, and families with a Postgres server and several
 * processes.
 */
const simulatedAndNodes = "simulation,races,review-races,mutations,nodes";

/** Families that are test suites of the packages, which have already run as tests. */
const tests = "tests";

/**
 * Runs the commit tier of the reliability proofs: faults, crashes and simulated histories. Two halves of similar length
 * run in parallel: one mostly computes, the other mostly waits for processes to start.
 */
export const proofSteps: readonly Step[] = [
  proofStep("simulated, and nodes", ["--only", simulatedAndNodes]),
  proofStep("killed processes", ["--without", `${tests},${simulatedAndNodes}`]),
];

function proofStep(name: string, choice: readonly string[]): Step {
  return {
    name: `proof: ${name}, commit tier`,
    needs: "build",
    run: async () => {
      const report = join(root, "reports", `prove-${name.replaceAll(/\W+/g, "-")}`);
      rmSync(`${report}.json`, { force: true });
      const { ok, output } = await runCommand([
        process.execPath,
        "--conditions=@procedo/source",
        "reliability/prove.ts",
        "--tier",
        "commit",
        "--built",
        ...choice,
        "--json",
        `${report}.json`,
        "--markdown",
        `${report}.md`,
      ]);
      if (!existsSync(`${report}.json`))
        return { ok: false, output: `${output}reliability/prove.ts wrote no report.\n` };
      const { passed, failed, groups } = JSON.parse(readFileSync(`${report}.json`, "utf8")) as ProofReport;
      const failures = groups.flatMap((group) => group.failures.map((failure) => `${group.id}: ${failure}`));
      return { ok: ok && failed === 0, output, passed, failed, failures };
    },
  };
}

/** The parts of a proof report that verify reads. */
interface ProofReport {
  readonly passed: number;
  readonly failed: number;
  readonly groups: readonly { readonly id: string; readonly failures: readonly string[] }[];
}
