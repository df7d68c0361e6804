import { median } from "./closed-loop.ts";
import type { Figures } from "./figures.ts";
import type { Machine } from "./machine.ts";
import { BOUNDS, type Case, judgeBound, judgeRatio, type ServiceCase } from "./targets.ts";
import type { Sample } from "./workloads.ts";

/** A case with its samples by system, one for each round; the ceiling's system comes first. */
export interface Measured extends Case {
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

/** A case of the service, likewise. */
export interface MeasuredService extends ServiceCase {
  readonly samples: ReadonlyMap<string, readonly Figures[]>;
}

const HEADINGS = [
  "workload",
  "system",
  "per s",
  "p50 ms",
  "p99 ms",
  "RSS MB",
  "disk each",
  "commits each",
  "CPU us each",
  "ratio",
  "floor",
  "goal",
  "",
];

/** The table of all cases, one row for each system, then the absolute bounds. */
export function renderTable(measured: readonly Measured[], services: readonly MeasuredService[] = []): string {
  const rows = [
    ...measured.flatMap((each) => [...each.samples.keys()].map((system) => engineRow(each, system))),
    ...services.flatMap((each) => [...each.samples.keys()].map((system) => serviceRow(each, system))),
  ];
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

/** The case's share of its ceiling. */
export function ratioToCeiling(measured: Measured, system: string): number {
  if (measured.of === "ideal") return ratioToFirst(measured.samples, system);
  const own = measured.samples.get(system) ?? [];
  return median(own.map(({ perSecond, allowedPerSecond = NaN }) => perSecond / allowedPerSecond));
}

/**
 * The share of the system that comes first: the median over the rounds of each round's share, so that a machine that slows down
 * between two rounds does not count against one system.
 */
export function ratioToFirst(samples: ReadonlyMap<string, readonly Figures[]>, system: string): number {
  const [ceiling = []] = samples.values();
  const own = samples.get(system) ?? [];
  return median(own.map(({ perSecond }, round) => perSecond / (ceiling[round]?.perSecond ?? NaN)));
}

function engineRow(measured: Measured, system: string): string[] {
  const ratio = ratioToCeiling(measured, system);
  const isCeiling = [...measured.samples.keys()][0] === system;
  const { floor, goal } = measured;
  const target = isCeiling || floor === undefined || goal === undefined ? undefined : { floor, goal };
  const row = { name: caseName(measured), system, samples: measured.samples.get(system) ?? [], ratio, target };
  return figuresRow(row, measured.of === "latency" ? " of latency" : "");
}

function serviceRow({ name, samples, held, floor, goal }: MeasuredService, system: string): string[] {
  const target = held.includes(system) ? { floor, goal } : undefined;
  const ratio = ratioToFirst(samples, system);
  return figuresRow({ name, system, samples: samples.get(system) ?? [], ratio, target }, "");
}

interface Row {
  readonly name: string;
  readonly system: string;
  readonly samples: readonly Figures[];
  readonly ratio: number;
  readonly target: { readonly floor: number; readonly goal: number } | undefined;
}

function figuresRow({ name, system, samples, ratio, target }: Row, of: string): string[] {
  const middle = (figure: (sample: Figures) => number | undefined, digits: number): string => {
    const values = samples.map(figure).filter((value) => value !== undefined);
    return values.length === 0 ? "" : median(values).toFixed(digits);
  };
  return [
    name,
    system,
    middle((each) => each.perSecond, 0),
    middle((each) => each.p50Ms, 2),
    middle((each) => each.p99Ms, 2),
    middle((each) => each.peakRssMb, 0),
    middle((each) => each.diskBytesEach, 0),
    middle((each) => each.commitsEach, 2),
    middle((each) => each.cpuUsEach, 0),
    `${ratio.toFixed(2)}${of}`,
    target?.floor.toFixed(2) ?? "",
    target?.goal.toFixed(2) ?? "",
    target === undefined ? "" : judgeRatio(ratio, target),
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
