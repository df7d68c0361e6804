import { median } from "./closed-loop.ts";
import type { Figures } from "./figures.ts";
import type { ServiceCase } from "./service/service-targets.ts";
import {
  type Bound,
  BOUNDS,
  type Case,
  type CaseKey,
  isSameCase,
  judgeBound,
  judgeRatio,
  type Multiple,
  MULTIPLES,
} from "./targets.ts";
import type { Sample } from "./workloads.ts";

/** A case with its samples by system, one for each round; the ceiling's system comes first. */
export interface Measured extends Case {
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  /** The system to which floors and goals apply; the others are the ceiling and peers. */
  readonly held: string;
}

/** A case of the service, likewise. */
export interface MeasuredService extends ServiceCase {
  readonly samples: ReadonlyMap<string, readonly Figures[]>;
}

/** Rows of cells. The first row contains headings. */
export type Rows = readonly (readonly string[])[];

const HEADINGS = [
  "workload",
  "system",
  "per s",
  "ended per s",
  "p50 ms",
  "p99 ms",
  "RSS MB",
  "disk each",
  "WAL each",
  "commits each",
  "CPU us each",
  "ratio",
  "floor",
  "goal",
  "",
];

/** All results: the cases with one row per system, then the figures with a bound and the multiples of peers. */
export function resultTables(
  measured: readonly Measured[],
  services: readonly MeasuredService[] = [],
): readonly Rows[] {
  const cases = [
    ...measured.flatMap((each) => [...each.samples.keys()].map((system) => engineRow(each, system))),
    ...services
      .filter(({ samples }) => [...samples.values()].some((all) => all.length > 0))
      .flatMap((each) => [...each.samples.keys()].map((system) => serviceRow(each, system))),
  ];
  const bounds = BOUNDS.flatMap((bound) => boundRow(bound, measured));
  const multiples = MULTIPLES.flatMap((multiple) => multipleRow(multiple, measured));
  return [
    [HEADINGS, ...cases],
    ...(bounds.length > 0 ? [[["bound", "case", "measured", "floor", "goal", ""], ...bounds]] : []),
    ...(multiples.length > 0 ? [[["case", "times the throughput of", "measured", "goal", ""], ...multiples]] : []),
  ];
}

/** A short name such as `W1 c100 +2ms` or `W1 c100 Postgres`. */
export function caseName({ workload, concurrency, database, slowDisk }: CaseKey): string {
  return `${workload} c${concurrency}${database === "postgres" ? " Postgres" : ""}${slowDisk ? " +2ms" : ""}`;
}

/** The case's share of its ceiling. */
export function ratioToCeiling(measured: Measured, system: string): number {
  if (measured.of === "ideal") return ratioToFirst(measured.samples, system);
  const own = measured.samples.get(system) ?? [];
  return median(own.map(({ perSecond, allowedPerSecond = NaN }) => perSecond / allowedPerSecond));
}

/**
 * The share of the first system: the median over the rounds of each round's share, so that a machine that slows down
 * between two rounds does not count against one system.
 */
export function ratioToFirst(samples: ReadonlyMap<string, readonly Figures[]>, system: string): number {
  const [ceiling = []] = samples.values();
  const own = samples.get(system) ?? [];
  return median(own.map(({ perSecond }, round) => perSecond / (ceiling[round]?.perSecond ?? NaN)));
}

function engineRow(measured: Measured, system: string): string[] {
  const ratio = ratioToCeiling(measured, system);
  const { floor, goal, held } = measured;
  const target = system !== held || floor === undefined || goal === undefined ? undefined : { floor, goal };
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
    // A run that is so slow that none ended within the window has no latency.
    const values = samples.map(figure).filter((value): value is number => Number.isFinite(value));
    return values.length === 0 ? "" : median(values).toFixed(digits);
  };
  return [
    name,
    system,
    middle((each) => each.perSecond, 0),
    middle((each) => each.endedPerSecond, 0),
    middle((each) => each.p50Ms, 2),
    middle((each) => each.p99Ms, 2),
    middle((each) => each.peakRssMb, 0),
    middle((each) => each.diskBytesEach, 0),
    middle((each) => each.walBytesEach, 0),
    middle((each) => each.commitsEach, 2),
    middle((each) => each.cpuUsEach, 0),
    `${ratio.toFixed(2)}${of}`,
    target?.floor.toFixed(2) ?? "",
    target?.goal.toFixed(2) ?? "",
    target === undefined ? "" : judgeRatio(ratio, target),
  ];
}

function boundRow(bound: Bound, measured: readonly Measured[]): string[][] {
  const of = measured.find((each) => isSameCase(each, bound));
  const [ideal = []] = of?.samples.values() ?? [];
  const figures = (of?.samples.get(of.held) ?? [])
    .map((sample, round) => bound.of(sample, ideal[round] ?? sample))
    .filter((figure) => figure !== undefined);
  if (figures.length === 0) return [];
  const value = median(figures);
  const figure = `${value.toFixed(value < 100 ? 2 : 0)} ${bound.unit}`.trim();
  return [
    [bound.name, caseName(bound), figure, String(bound.floor ?? ""), String(bound.goal), judgeBound(value, bound)],
  ];
}

function multipleRow(multiple: Multiple, measured: readonly Measured[]): string[][] {
  const of = measured.find((each) => isSameCase(each, multiple));
  if (of === undefined || multiple.peers.some((peer) => !of.samples.has(peer))) return [];
  const ratio = ratioToBest(of, multiple.peers);
  return [
    [
      caseName(multiple),
      multiple.of,
      ratio.toFixed(1),
      String(multiple.goal),
      judgeRatio(ratio, { goal: multiple.goal }),
    ],
  ];
}

/** The multiple of the throughput of the best peer: the median over the rounds. */
export function ratioToBest({ samples, held }: Measured, peers: readonly string[]): number {
  const own = samples.get(held) ?? [];
  return median(
    own.map(({ perSecond }, round) => {
      const theirs = peers.map((peer) => samples.get(peer)?.[round]?.perSecond ?? NaN);
      return perSecond / Math.max(...theirs);
    }),
  );
}
