import { median } from "./closed-loop.ts";
import type { Machine } from "./machine.ts";
import { BOUNDS, type Case, judgeBound, judgeRatio } from "./targets.ts";
import type { Sample } from "./workloads.ts";

/** A case with its samples by system, one for each round; the ceiling's system comes first. */
export interface Measured extends Case {
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

const HEADINGS = [
  "workload",
  "system",
  "runs/s",
  "p50 ms",
  "p99 ms",
  "RSS MB",
  "disk/run",
  "commits/run",
  "CPU us/run",
  "ratio",
  "floor",
  "goal",
  "",
];

/** The table of all cases, one row for each system, then the absolute bounds. */
export function renderTable(measured: readonly Measured[]): string {
  const rows = measured.flatMap((each) => [...each.samples.keys()].map((system) => caseRow(each, system)));
  const bounds = boundRows(measured);
  return [align([HEADINGS, ...rows]), ...(bounds.length > 0 ? ["", align(bounds)] : [])].join("\n");
}

export function renderMachine({ cores, processor, node, sqlite, loadAverage, fsyncMs }: Machine): string {
  return `${cores} cores (${processor}), load ${loadAverage.toFixed(1)}, Node ${node}, SQLite ${sqlite}, fsync ${fsyncMs.toFixed(2)} ms`;
}

/** A short name such as `W1 c100 +2ms`. */
export function caseName({ workload, concurrency, slowDisk }: Case): string {
  return `${workload} c${concurrency}${slowDisk ? " +2ms" : ""}`;
}

/**
 * The case's share of its ceiling: the median over the rounds of each round's share, so that a machine that slows down
 * between two rounds does not count against one system.
 */
export function ratioToCeiling(measured: Measured, system: string): number {
  const ceiling = [...measured.samples.values()][0] ?? [];
  const own = measured.samples.get(system) ?? [];
  return median(
    own.map((sample, round) => {
      const of = measured.of === "latency" ? sample.allowedRunsPerSecond : ceiling[round]?.runsPerSecond;
      return sample.runsPerSecond / (of ?? NaN);
    }),
  );
}

function caseRow(measured: Measured, system: string): string[] {
  const samples = measured.samples.get(system) ?? [];
  const middle = (of: (sample: Sample) => number, digits: number) => median(samples.map(of)).toFixed(digits);
  const ratio = ratioToCeiling(measured, system);
  const isCeiling = [...measured.samples.keys()][0] === system;
  const { floor, goal } = measured;
  const held = !isCeiling && floor !== undefined && goal !== undefined;
  return [
    caseName(measured),
    system,
    middle((each) => each.runsPerSecond, 0),
    middle((each) => each.p50Ms, 2),
    middle((each) => each.p99Ms, 2),
    middle((each) => each.peakRssMb, 0),
    middle((each) => each.diskBytesPerRun, 0),
    middle((each) => each.commitsPerRun, 2),
    middle((each) => each.cpuUsPerRun, 0),
    `${ratio.toFixed(2)}${measured.of === "latency" ? " of latency" : ""}`,
    held ? floor.toFixed(2) : "",
    held ? goal.toFixed(2) : "",
    held ? judgeRatio(ratio, { floor, goal }) : "",
  ];
}

function boundRows(measured: readonly Measured[]): string[][] {
  const rows = [["bound", "system", "measured", "floor", "goal", ""]];
  for (const bound of BOUNDS) {
    const of = measured.find(
      (each) => each.workload === bound.workload && each.concurrency === bound.concurrency && !each.slowDisk,
    );
    for (const [system, samples] of [...(of?.samples ?? [])].slice(1)) {
      const value = median(samples.map((sample) => bound.of(sample)));
      const digits = bound.unit === "ms" ? 2 : 0;
      const figure = `${value.toFixed(digits)} ${bound.unit}`;
      rows.push([bound.name, system, figure, String(bound.floor), String(bound.goal), judgeBound(value, bound)]);
    }
  }
  return rows.length > 1 ? rows : [];
}

/** Pads each column to its widest cell: text to the right of it, figures to the left. */
function align(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}
