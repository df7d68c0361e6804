/*
 * Proves what the engine promises, and prints how often each proof was tried:
 *
 *   node --conditions=@procedo/source proof/prove.ts --tier commit|nightly|release [--only ID,ID] [--seed N] [--seeds N] [--json FILE]
 *
 * simulation/  the engine under simulated time and every fault (M-01), and its record replayed (M-04)
 * races/       small models of what happens at the same instant (M-02, R-03), and storms on one SQLite file (R-01)
 * mutations/   bugs put in on purpose, which the simulator has to find (M-03)
 * crash/       real processes that are killed
 * service/     the whole service over HTTP: killed (D-02H), asked at once (I-H), searched for secrets (X-01), its environments (H-09)
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { crashGroups } from "./crash/crash-groups.ts";
import { mutationGroup } from "./mutations/mutation-group.ts";
import type { ProofGroup, ProofResult, Tier } from "./proof-group.ts";
import { raceGroups } from "./races/race-groups.ts";
import { serviceGroups } from "./service/service-groups.ts";
import { replayGroup } from "./simulation/replay-group.ts";
import { simulationGroup } from "./simulation/simulation-group.ts";

const groups: readonly ProofGroup[] = [
  simulationGroup,
  ...raceGroups,
  mutationGroup,
  replayGroup,
  ...crashGroups,
  ...serviceGroups,
];

const { values } = parseArgs({
  options: {
    tier: { type: "string", default: "commit" },
    only: { type: "string" },
    seed: { type: "string", default: "0" },
    seeds: { type: "string" },
    json: { type: "string" },
  },
});

const tier = tierOf(values.tier);
const only = values.only?.split(",");
const chosen = groups.filter(
  ({ id }) => only === undefined || only.some((wanted) => id === wanted || id.startsWith(`${wanted}-`)),
);
if (chosen.length === 0) fail(`No group is named "${values.only}". Known: ${groups.map(({ id }) => id).join(", ")}.`);

interface Proven extends ProofResult {
  readonly id: string;
  readonly title: string;
  readonly seed: number;
  readonly seconds: number;
}

const seed = numberOf("seed", values.seed);
const proven: Proven[] = [];
for (const group of chosen) {
  const beganAtMs = performance.now();
  say(`${group.id}  ${group.title}`);
  const options = {
    tier,
    seed,
    seeds: values.seeds === undefined ? undefined : numberOf("seeds", values.seeds),
    report: say,
  };
  // What breaks a proof is a failure of it, and the others go on.
  const result = await group
    .run(options)
    .catch((error: unknown): ProofResult => ({ counts: {}, failures: [String(error)] }));
  const seconds = Math.round((performance.now() - beganAtMs) / 100) / 10;
  proven.push({ id: group.id, title: group.title, seed, seconds, ...result });
}

const failed = proven.filter(({ failures }) => failures.length > 0).length;
for (const { id, failures } of proven) for (const failure of failures) say(`FAILED ${id}: ${failure}`);
say("");
for (const { id, seconds, counts, failures } of proven) {
  const figures = Object.entries(counts).map(([name, count]) => `${name} ${count.toLocaleString("en")}`);
  say(
    `${failures.length === 0 ? "holds " : "FAILED"}  ${id.padEnd(5)} ${`${seconds} s`.padStart(8)}  seed ${seed}: ${figures.join(", ")}`,
  );
}
say(`${proven.length - failed} of ${proven.length} groups hold (tier ${tier}).`);
if (values.json !== undefined) {
  const report = { tier, passed: proven.length - failed, failed, groups: proven };
  writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}
process.exitCode = failed === 0 ? 0 : 1;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function tierOf(text: string): Tier {
  if (text === "commit" || text === "nightly" || text === "release") return text;
  return fail(`"${text}" is no tier; use commit, nightly or release.`);
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number >= 0 ? number : fail(`--${name} "${text}" is not a whole number.`);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
