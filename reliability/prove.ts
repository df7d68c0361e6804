/*
 * Runs the proofs of the engine's promises, and prints the number of tries of each:
 *
 *   node --conditions=@procedo/source reliability/prove.ts [--tier commit|nightly|release] [--only GROUP,GROUP] [--without GROUP,GROUP]
 *     [--seed N] [--seeds N] [--built] [--json FILE] [--markdown FILE]
 *
 * proof-groups.ts   every group, by family
 * prove-report.ts   the table at the end, and the Markdown page
 * package-flags.ts  Node's flags for the processes of proofs
 * simulation/      the engine under simulated time and every fault (sim-faults, sim-clock-jumps, sim-triggers, sim-days), and replays of its records (sim-replay, sim-backtest)
 * races/           small models of concurrent events (race-models, decision-races), and storms on one SQLite file (decision-storms)
 * postgres-races/  statements of several nodes on one real Postgres, in seeded orders (race-postgres)
 * mutations/       seeded bugs, which the simulator and other proofs have to find (seeded-bugs-…)
 * crash/           real processes that are killed
 * triggers/        processes with schedules and events that are killed (crash-triggers), and the judge of all proofs of triggers
 * service/         the whole service over HTTP: killed (service-kills), concurrent starts (idempotent-starts), a search for secrets (service-secrets), a full disk (service-disk)
 * nodes/           several processes on one Postgres (pg-…)
 * suites/          test suites of the packages with a tier's figures: damage, fuzz, limits, SSRF, authorization
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { tierOf, type ProofGroup, type ProofResult } from "./proof-group.ts";
import { chooseGroups, proofFamilies } from "./proof-groups.ts";
import { proveBuilt } from "./package-flags.ts";
import { markdownOf, reportOf, terminalLines, type Proven } from "./prove-report.ts";

const usage = `prove [--tier commit|nightly|release] [--only GROUP,GROUP] [--without GROUP,GROUP]
      [--seed N] [--seeds N] [--built] [--json FILE] [--markdown FILE]

A group is a family (${proofFamilies.map(({ name }) => name).join(", ")}), an id or the beginning of one.
--seeds is how much of each group instead of the tier's own figure.
--built has the processes that are started (and killed) run the packages as built, which comes up sooner; build them before.`;
const options = {
  tier: { type: "string", default: "commit" },
  only: { type: "string" },
  without: { type: "string" },
  seed: { type: "string", default: "0" },
  seeds: { type: "string" },
  built: { type: "boolean", default: false },
  json: { type: "string" },
  markdown: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

const { tier, seed, seeds, groups, json, markdown } = readArguments();
const began = new Date();
const proven: Proven[] = [];
for (const [index, group] of groups.entries()) {
  say(`${index + 1} of ${groups.length}  ${group.id}  ${group.title}`);
  proven.push(await prove(group));
}

const report = reportOf(tier, began, proven);
for (const { id, failures } of proven) for (const failure of failures) say(`FAILED ${id}: ${failure}`);
say("");
for (const line of terminalLines(report)) say(line);
if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
if (markdown !== undefined) writeFileSync(markdown, markdownOf(report));
// The results are complete; resources that a proof left open must not delay the exit.
process.exit(report.failed === 0 ? 0 : 1);

async function prove(group: ProofGroup): Promise<Proven> {
  const beganAtMs = performance.now();
  // An error in a proof is a failure of it, and the other proofs continue.
  const result = await group
    .run({ tier, seed, seeds, report: say })
    .catch((error: unknown): ProofResult => ({ counts: {}, failures: [String(error)] }));
  const seconds = Math.round((performance.now() - beganAtMs) / 100) / 10;
  const { id, title, lowered, isSeeded = true } = group;
  return { id, title, seed: isSeeded ? seed : undefined, seconds, lowered: lowered?.[tier], ...result };
}

function readArguments() {
  try {
    const { values } = parseArgs({ options });
    const { json: jsonFile, markdown: markdownFile } = values;
    if (values.help) {
      say(usage);
      process.exit(0);
    }
    if (values.built) proveBuilt();
    return {
      tier: tierOf(values.tier),
      seed: numberOf("seed", values.seed),
      seeds: values.seeds === undefined ? undefined : numberOf("seeds", values.seeds),
      groups: chooseGroups({ only: values.only?.split(","), without: values.without?.split(",") }),
      json: jsonFile,
      markdown: markdownFile,
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
    process.exit(2);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} "${text}" is not a whole number.`);
  return number;
}
