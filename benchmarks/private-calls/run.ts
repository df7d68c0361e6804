/**
 * W3: round trips of a private function over loopback, beside an ideal long poll that stores nothing, in turn, each in
 * fresh processes. `node --conditions=@procedo/source benchmarks/private-calls/run.ts [--quick] [--peers]`: three
 * rounds, about four minutes; with `--peers` also beside retoolrpc, which polls (installed as in
 * `benchmarks/peers/README.md`).
 *
 * A Procedo round trip is one of ten consecutive calls of a run: dispatched, acknowledged unless the function is
 * idempotent, and answered, each durable on SQLite at FULL. It is compared with a run of one call, which includes the
 * start and the end, and with a run without calls. The ideal is one call per poll in memory, acknowledged or not: the
 * cost of HTTP itself. Client and ideal have ten slots for 1 call in progress, and 32 for 32.
 */
import process from "node:process";
import { median } from "../closed-loop.ts";
import { inFreshProcess, withFreshFolder } from "../fresh-process.ts";
import { renderText } from "../render.ts";
import type { CallsMeasurement, CallsSample } from "./calls-child.ts";

/** The default concurrency of a client, also for one call in progress. */
const defaultSlots = 10;
const quick = process.argv.includes("--quick");
const ROUNDS = quick ? 1 : 3;
const MEASURE = quick ? { warmupMs: 500, measureMs: 2_000 } : { warmupMs: 1_000, measureMs: 5_000 };
const WARM_CALLS = quick ? 5_000 : 10_000;
/**
 * 1 ms and 0.5 ms, while the ideal takes 0.20: docs/performance/private-calls.md#targets-of-a-round-trip.
 */
const FLOOR = { p50OfIdeal: 5, ratio: 0.4 };
const GOAL = { p50OfIdeal: 2.5, ratio: 0.8 };

interface Kind extends Pick<CallsMeasurement, "subject" | "idempotent" | "callsInRun"> {
  readonly name: string;
  /** The kind with which these figures are compared. */
  readonly of: string;
  /** Whether floors apply to it; other kinds are for comparison. */
  readonly isHeld?: true;
}

const acknowledging = "ideal that acknowledges";
const ideal = { subject: "ideal", callsInRun: 1 } as const;
const procedo = { subject: "procedo" } as const;
const kinds: readonly Kind[] = [
  { ...ideal, name: "ideal", idempotent: true, of: "ideal" },
  { ...procedo, name: "idempotent", idempotent: true, callsInRun: 10, of: "ideal", isHeld: true },
  { ...procedo, name: "idempotent, a run of one", idempotent: true, callsInRun: 1, of: "ideal", isHeld: true },
  { ...ideal, name: acknowledging, idempotent: false, of: "ideal" },
  { ...procedo, name: "acknowledged", idempotent: false, callsInRun: 10, of: acknowledging, isHeld: true },
  { ...procedo, name: "acknowledged, a run of one", idempotent: false, callsInRun: 1, of: acknowledging, isHeld: true },
  { ...procedo, name: "a run of none", idempotent: true, callsInRun: 0, of: "ideal" },
  ...(process.argv.includes("--peers")
    ? [{ name: "polled", subject: "polled", idempotent: true, callsInRun: 1, of: "ideal" } as const]
    : []),
];

const rows = [
  [
    "function",
    "in flight",
    "calls/s",
    "of ideal",
    "p50 ms",
    "p50 of ideal",
    "p99 ms",
    "commits each",
    "CPU us each",
    "of the client",
  ],
];
for (const concurrency of [1, 32]) rows.push(...(await measured(concurrency)));
const held = `at 1 a p50 of ${FLOOR.p50OfIdeal} times the ideal's, at 32 ${FLOOR.ratio} of its calls`;
const goal = `${GOAL.p50OfIdeal} times, ${GOAL.ratio}`;
process.stdout.write(`${renderText([rows])}\n\nCalls, and runs of one call, are held to: ${held} (goal ${goal}).\n`);

async function measured(concurrency: number): Promise<string[][]> {
  const samples = new Map<string, CallsSample[]>(kinds.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, subject, idempotent, callsInRun } of kinds) {
      samples.get(name)?.push(await sample({ subject, idempotent, callsInRun, concurrency }));
    }
  }
  return kinds.map(({ name, isHeld, of: ceiling }) => {
    const [own = [], ideals = []] = [samples.get(name), samples.get(ceiling)];
    const of = (figure: keyof CallsSample) => median(own.map((each) => each[figure]));
    const ofIdeal = (figure: keyof CallsSample) =>
      median(own.map((each, round) => each[figure] / (ideals[round]?.[figure] ?? NaN)));
    const ratio = ofIdeal("perSecond");
    const isBroken = concurrency === 1 ? ofIdeal("p50Ms") > FLOOR.p50OfIdeal : ratio < FLOOR.ratio;
    if (isBroken && isHeld === true) process.exitCode = 1;
    return [
      name,
      String(concurrency),
      of("perSecond").toFixed(0),
      ratio.toFixed(2),
      of("p50Ms").toFixed(2),
      ofIdeal("p50Ms").toFixed(1),
      of("p99Ms").toFixed(2),
      of("commitsEach").toFixed(2),
      of("cpuUsEach").toFixed(0),
      of("clientCpuUsEach").toFixed(0),
    ];
  });
}

async function sample({
  concurrency,
  ...kind
}: Pick<CallsMeasurement, "subject" | "idempotent" | "callsInRun"> & {
  readonly concurrency: number;
}): Promise<CallsSample> {
  return await withFreshFolder(async (directory) => {
    const slots = Math.max(defaultSlots, concurrency);
    const warmCalls = kind.subject === "polled" ? 0 : WARM_CALLS;
    const asked: CallsMeasurement = { ...kind, slots, warmCalls, directory, load: { concurrency, ...MEASURE } };
    return JSON.parse(await inFreshProcess("private-calls/calls-child.ts", asked)) as CallsSample;
  });
}
