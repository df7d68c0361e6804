/**
 * The benchmark: every workload on every system, each measurement in a fresh process with a fresh database, systems
 * interleaved, medians of three rounds. Prints one table with ratios to the hand-written ceiling of the same run beside
 * their floors and goals, and writes all samples to `reports/`.
 *
 *   pnpm bench                     Procedo and its ceilings
 *   pnpm bench --peers             with other systems, which are installed separately (peers/README.md)
 *   pnpm bench --scale             instead: several nodes, full databases, long runs (scale/scale.ts)
 *   pnpm bench --only W1,W4        these workloads; with --scale those of nodes, history, waiting, steps
 *   pnpm bench --on postgres       one database: sqlite or postgres
 *   pnpm bench --quick             one short round: shows a large change, not for reports
 *   pnpm bench --no-slow-disk      without the cases that add 2 ms to every fsync
 *   pnpm bench --built             packages as published (after pnpm build): loading source costs memory that users do not pay
 *   pnpm bench --markdown FILE     also writes the tables into their marked places in a document
 *
 * The path of a measurement: run (this file) → measure-rounds → fresh-process → child → workloads → closed-loop → a
 * system of systems. The service's own (W4, W5, the verifier) are in `service/`.
 */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { DATA_FOLDER } from "./fresh-process.ts";
import { describeMachine } from "./machine.ts";
import { measureRounds } from "./measure-rounds.ts";
import { startBenchPostgres } from "./postgres-server.ts";
import { fillFile, renderMachine, renderMarkdown, renderText } from "./render.ts";
import { measureScale, SCALES } from "./scale/scale.ts";
import { SERVICE_WORKLOADS } from "./service/service-workloads.ts";
import { WORKLOADS } from "./workloads.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    on: { type: "string" },
    quick: { type: "boolean", default: false },
    "slow-disk": { type: "boolean", default: true },
    built: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    scale: { type: "boolean", default: false },
    markdown: { type: "string" },
  },
  allowNegative: true,
});
const { quick, built, peers, scale, markdown } = options;
const only = chosen(options.only, scale ? SCALES : [...WORKLOADS, ...SERVICE_WORKLOADS], "workload");
const databases = chosen(options.on, ["sqlite", "postgres"], "database");
if (peers && !existsSync(path.join(import.meta.dirname, "peers", "node_modules"))) {
  throw new Error("The peers are not installed: npx -y pnpm@12.21.0 exec npm ci --prefix benchmarks/peers");
}

await mkdir(DATA_FOLDER, { recursive: true });
const postgres = databases.includes("postgres") ? await startBenchPostgres() : undefined;
try {
  const machine = await describeMachine(DATA_FOLDER, postgres?.facts);
  const facts = `${renderMachine(machine)}, packages ${built ? "as built" : "from source"}`;
  print(facts);
  const beganAt = Date.now();
  const order = { only, databases, postgres, quick, built };
  const measured = scale
    ? await measureScale(order)
    : await measureRounds({ ...order, withPeers: peers, withSlowDisk: options["slow-disk"] });
  print(`\n${renderText(measured.tables)}\n`);
  for (const note of measured.notes) print(note);
  const seconds = Math.round((Date.now() - beganAt) / 1000);
  const at = new Date().toISOString();
  const name = scale ? "scale" : "bench";
  print(
    `\n${measured.rounds} round(s), ${seconds} s, report ${await writeReport(name, at, { machine, ...measured.report })}`,
  );
  if (markdown !== undefined) {
    const preface = `${at.slice(0, 10)}, ${measured.rounds} round(s): ${facts}.`;
    const text = [preface, renderMarkdown(measured.tables), ...measured.notes].join("\n\n");
    await fillFile(markdown, scale ? "scale" : "bench", text);
  }
} finally {
  await postgres?.close();
}

async function writeReport(name: string, at: string, report: object): Promise<string> {
  const folder = path.join(import.meta.dirname, "..", "reports");
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${name}-${at.replaceAll(/[:.]/g, "-")}.json`);
  await writeFile(file, `${JSON.stringify({ at, ...report }, null, 2)}\n`);
  return path.relative(process.cwd(), file);
}

function chosen(list: string | undefined, all: readonly string[], what: string): readonly string[] {
  if (list === undefined) return all;
  return list.split(",").map((name) => {
    const found = all.find((each) => each.toLowerCase() === name.trim().toLowerCase());
    if (found === undefined) throw new Error(`No ${what} is named "${name}"; there are ${all.join(", ")}.`);
    return found;
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
