import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, totalmem } from "node:os";
import process from "node:process";
import type { ProofResult, Tier } from "./proof-group.ts";

/** The result of a group. */
export interface Proven extends ProofResult {
  readonly id: string;
  readonly title: string;
  /** `undefined` if each run draws a new one. */
  readonly seed: number | undefined;
  readonly seconds: number;
  /** The parts that are less than the test plan requires, with the reasons. */
  readonly lowered?: string | undefined;
}

/** The results of a run of `prove`, and the values that repeat it. */
export interface ProveReport {
  readonly tier: Tier;
  readonly date: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly groups: readonly Proven[];
}

export function reportOf(tier: Tier, date: Date, groups: readonly Proven[]): ProveReport {
  const failed = groups.filter(({ failures }) => failures.length > 0).length;
  const seconds = Math.round(groups.reduce((sum, group) => sum + group.seconds, 0));
  const on = Object.assign({}, ...groups.map((group) => group.on ?? {})) as Record<string, string>;
  const facts = { ...machineFacts(), ...on };
  return { tier, date: date.toISOString(), facts, seconds, passed: groups.length - failed, failed, groups };
}

/** The table at the end, for a terminal. */
export function terminalLines({ tier, facts, seconds, passed, groups }: ProveReport): readonly string[] {
  const width = Math.max(...groups.map(({ id }) => id.length));
  return [
    ...groups.map((group) =>
      [
        group.failures.length === 0 ? "holds " : "FAILED",
        group.id.padEnd(width),
        `${group.seconds} s`.padStart(8),
        `seed ${group.seed ?? "drawn"}: ${countsOf(group)}`,
      ].join("  "),
    ),
    ...groups.flatMap(({ id, lowered }) => (lowered === undefined ? [] : [`lowered ${id}: ${lowered}`])),
    Object.entries(facts)
      .map(([name, fact]) => `${name} ${fact}`)
      .join(", "),
    `${passed} of ${groups.length} groups hold (tier ${tier}, ${seconds} s).`,
  ];
}

/** The report as a Markdown page. */
export function markdownOf({ tier, date, facts, seconds, passed, groups }: ProveReport): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const rows = groups.map((group) => {
    const result = group.failures.length === 0 ? "holds" : `**${group.failures.length} failures**`;
    return `| ${[group.id, group.title, countsOf(group), String(group.seed ?? "drawn"), String(group.seconds), result].map(cell).join(" | ")} |`;
  });
  const failures = groups.flatMap(({ id, failures: all }) => all.map((failure) => `- ${id}: ${cell(failure)}`));
  const lowered = groups.flatMap(({ id, lowered: why }) => (why === undefined ? [] : [`- ${id}: ${cell(why)}`]));
  return [
    `# Proofs, tier ${tier}`,
    "",
    `${passed} of ${groups.length} groups hold, in ${seconds} s. Repeat one with \`pnpm prove --tier ${tier} --only GROUP --seed SEED\`.`,
    "",
    `- date: ${date}`,
    ...Object.entries(facts).map(([name, fact]) => `- ${name}: ${cell(fact)}`),
    "",
    "| group | what | counts | seed | s | result |",
    "|---|---|---|---:|---:|---|",
    ...rows,
    ...(failures.length === 0 ? [] : ["", "## Failures", "", ...failures]),
    ...(lowered.length === 0 ? [] : ["", "## Less than the test plan asks for", "", ...lowered]),
    "",
  ].join("\n");
}

function countsOf({ counts }: ProofResult): string {
  return Object.entries(counts)
    .map(([name, count]) => `${wordsOf(name)} ${count.toLocaleString("en")}`)
    .join(", ");
}

/** `simulatedHours` as words. */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function machineFacts(): Readonly<Record<string, string>> {
  const processors = cpus();
  return {
    commit: commitOf(),
    Node: process.versions.node,
    SQLite: process.versions["sqlite"] ?? "none",
    machine: `${availableParallelism()} × ${processors[0]?.model.trim() ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`,
  };
}

function commitOf(): string {
  const git = (...argv: readonly string[]): string =>
    execFileSync("git", argv, {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  try {
    const commit = git("rev-parse", "--short=12", "HEAD");
    return git("status", "--porcelain", "--untracked-files=no") === "" ? commit : `${commit} with changes`;
  } catch {
    return "unknown";
  }
}
