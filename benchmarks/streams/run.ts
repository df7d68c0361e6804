/*
 * Streams of changes: 1,000 at one process, and W1 beside 50 of them and an editor that saves a draft every 2 s.
 *
 *   node --conditions=@procedo/source benchmarks/streams/run.ts [--streams 1000] [--rounds 5] [--only many|beside]
 *
 * The service and its readers are a process each. The ratio of W1 is the median of the rounds: in each round it runs
 * without and with streams in turn, in the same process.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { setTimeout as pause } from "node:timers/promises";
import type { ReadersReport, ReadersSetup } from "./readers-child.ts";
import type { Asked, ServiceMessage } from "./service-child.ts";

const { values: options } = parseArgs({
  options: {
    streams: { type: "string", default: "1000" },
    rounds: { type: "string", default: "5" },
    only: { type: "string" },
  },
});
const streams = Number(options.streams);
const besideStreams = 50;
const load = { concurrency: 100, warmupMs: 600, measureMs: 2_500 };
const floor = 0.97;
/** Runs per second, few enough that each is named. */
const rate = 40;
const pacedMs = 10_000;
const drainMs = 60_000;

type Answer<Type extends ServiceMessage["type"]> = Extract<ServiceMessage, { readonly type: Type }>;

interface Service extends Answer<"ready"> {
  ask<Type extends Asked["type"]>(asked: Extract<Asked, { readonly type: Type }>): Promise<Answer<Type>>;
  stop(): Promise<void>;
}

function start(file: string, ...argv: readonly string[]): ChildProcess {
  const flags = ["--conditions=@procedo/source", "--max-semi-space-size=16", "--expose-gc"];
  const child = fork(new URL(file, import.meta.url), argv, { execArgv: flags });
  child.once("exit", (code) => {
    if (code !== 0 && code !== null) throw new Error(`${file} ended with ${code}.`);
  });
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}

async function startService(): Promise<Service> {
  const child = start("service-child.ts");
  const [ready] = (await once(child, "message")) as [Answer<"ready">];
  return {
    ...ready,
    ask: async <Type extends Asked["type"]>(asked: Extract<Asked, { readonly type: Type }>) => {
      child.send(asked);
      const [answer] = (await once(child, "message")) as [Answer<Type>];
      return answer;
    },
    stop: () => stop(child),
  };
}

interface Readers {
  report(): Promise<ReadersReport>;
  stop(): Promise<void>;
}

async function openReaders(service: Service, setup: Omit<ReadersSetup, "port" | "keys">): Promise<Readers> {
  const child = start("readers-child.ts", JSON.stringify({ ...setup, port: service.port, keys: service.keys }));
  await once(child, "message");
  return {
    report: async () => {
      child.send("report");
      const [report] = (await once(child, "message")) as [ReadersReport];
      return report;
    },
    stop: () => stop(child),
  };
}

const ms = (value: number): string => `${value.toFixed(0)} ms`;
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

/** 1,000 streams and one reader that reads nothing. */
async function measureMany(): Promise<void> {
  const service = await startService();
  // The first runs and streams load code.
  await service.ask({ type: "load", load });
  const alone = await service.ask({ type: "pace", perSecond: rate, forMs: pacedMs });
  const before = await service.ask({ type: "memory" });
  // The silent reader's key has room for it.
  const readers = await openReaders(service, { streams: streams - 1, withSilent: true, withEditor: false });
  const opened = await service.ask({ type: "memory" });
  await readers.report();
  const paced = await service.ask({ type: "pace", perSecond: rate, forMs: pacedMs });
  const few = await readers.report();
  const flood = await service.ask({ type: "load", load: { ...load, measureMs: 10_000 } });
  const many = await readers.report();
  // Heartbeats alone, for longer than a silent reader is kept.
  const idle = await service.ask({ type: "pace", perSecond: 0, forMs: 35_000 });
  const later = await readers.report();
  await readers.stop();
  const after = await service.ask({ type: "memory" });
  // All places were given back.
  const again = await openReaders(service, { streams, withSilent: false, withEditor: false });
  const { open } = await again.report();
  const closed = await service.ask({ type: "close", drainMs });
  await pause(500);
  const left = (await again.report()).open;
  await again.stop();
  await service.stop();

  const kib = ((opened.heapMb - before.heapMb) * 1024) / streams;
  const rssKib = ((opened.rssMb - before.rssMb) * 1024) / streams;
  console.log(`${streams} streams of changes at one process\n`);
  console.log("| | |");
  console.log("|---|---|");
  console.log(`| memory of a stream | ${kib.toFixed(1)} KiB of heap and buffers, ${rssKib.toFixed(1)} KiB of RSS |`);
  console.log(`| kept after all readers left | ${(after.heapMb - before.heapMb).toFixed(1)} MB of heap and buffers |`);
  console.log(`| processor with heartbeats alone | ${percent(idle.cpuShare)} of a core |`);
  console.log(
    `| ${rate} runs a second: processor | ${percent(paced.cpuShare)} of a core; ${percent(alone.cpuShare)} without streams |`,
  );
  console.log(
    `| … from the start of a run to its name | p50 ${ms(few.lagMs.p50)}, p99 ${ms(few.lagMs.p99)}, most ${ms(few.lagMs.most)} |`,
  );
  console.log(`| … events read | ${few.events} |`);
  console.log(
    `| W1 c100 | ${flood.perSecond.toFixed(0)} runs a second, ${many.events} events read, ${many.resyncs} resyncs |`,
  );
  const silent =
    later.silentMs === undefined
      ? "connected: the kernel keeps its events"
      : `disconnected after ${ms(later.silentMs)}`;
  console.log(`| the reader that reads nothing | ${silent} |`);
  console.log(`| the other readers | ${later.open} of ${streams - 1} connected all the time |`);
  console.log(`| opened again after all left | ${open} of ${streams} |`);
  console.log(`| closing the listener | ${ms(closed.tookMs)}, with ${left} streams left |`);
}

/** W1 without and with streams and an editor, in turn. */
async function measureBeside(): Promise<void> {
  const service = await startService();
  await service.ask({ type: "load", load: { ...load, warmupMs: 1_000, measureMs: 4_000 } });
  const ratios: number[] = [];
  const cpuRatios: number[] = [];
  for (let round = 1; round <= Number(options.rounds); round++) {
    const without = await service.ask({ type: "load", load });
    const readers = await openReaders(service, { streams: besideStreams, withSilent: false, withEditor: true });
    const beside = await service.ask({ type: "load", load });
    const { events, saves } = await readers.report();
    await readers.stop();
    const after = await service.ask({ type: "load", load });
    // The rate falls as the database grows: the mean of both sides stands for the same moment.
    const reference = (without.perSecond + after.perSecond) / 2;
    ratios.push(beside.perSecond / reference);
    cpuRatios.push(beside.cpuUsEach / ((without.cpuUsEach + after.cpuUsEach) / 2));
    console.error(
      `round ${round}: ${reference.toFixed(0)} runs a second without, ${beside.perSecond.toFixed(0)} beside; ` +
        `${events} events, ${saves} drafts`,
    );
  }
  await service.stop();
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
  const ratio = median(ratios);
  console.log(
    `W1 c100 beside ${besideStreams} streams and an editor, of W1 without: ${ratio.toFixed(3)} (floor ${floor})`,
  );
  console.log(`processor time of a run: ${median(cpuRatios).toFixed(3)} times that without`);
  if (ratio < floor) process.exitCode = 1;
}

if (options.only !== "beside") await measureMany();
if (options.only !== "many") await measureBeside();
