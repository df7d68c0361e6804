/**
 * The cost of an agent without its model's time: runs with a model that answers at once, beside the same calls and the
 * same condition without an agent, on SQLite at FULL, in turn, each in a fresh process. `node
 * --conditions=@procedo/source benchmarks/agent/run.ts [--quick]`: three rounds, about six minutes.
 */
import process from "node:process";
import { median } from "../closed-loop.ts";
import { DATA_FOLDER, inFreshProcess, withFreshFolder } from "../fresh-process.ts";
import { describeMachine } from "../machine.ts";
import { renderMachine, renderText } from "../render.ts";
import type { AgentMeasurement, AgentSample } from "./agent-child.ts";
import { agentKinds, type AgentKind } from "./agent-kinds.ts";

const quick = process.argv.includes("--quick");
const ROUNDS = quick ? 1 : 3;
const MEASURE = quick ? { warmupMs: 1_000, measureMs: 2_000 } : { warmupMs: 2_000, measureMs: 4_000 };

const tables: string[][][] = [];
for (const concurrency of [1, 50]) tables.push(await measured(concurrency));
process.stdout.write(`${renderMachine(await describeMachine(DATA_FOLDER))}\n\n${renderText(tables)}\n`);

async function measured(concurrency: number): Promise<string[][]> {
  const samples = new Map<string, AgentSample[]>(agentKinds.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name } of agentKinds) samples.get(name)?.push(await sample(name, concurrency));
  }
  const of = (name: string, figure: keyof AgentSample): number =>
    median((samples.get(name) ?? []).map((each) => each[figure]));
  const headings = ["run", "at", "runs/s", "p50 ms", "p99 ms", "writes each", "CPU us each"];
  const perTurn = ["turns", "ms a turn", "writes a turn", "CPU us a turn"];
  return [[...headings, ...perTurn], ...agentKinds.map((kind) => rowOf(kind, concurrency, of))];
}

/** The cost of a turn: the difference to the run without an agent, divided by the number of turns. */
function rowOf(
  { name, beside }: AgentKind,
  concurrency: number,
  of: (name: string, figure: keyof AgentSample) => number,
): string[] {
  const turns = of(name, "turnsEach");
  const more = (figure: keyof AgentSample, digits: number): string =>
    beside === undefined ? "" : ((of(name, figure) - of(beside, figure)) / turns).toFixed(digits);
  return [
    name,
    `c${concurrency}`,
    of(name, "perSecond").toFixed(0),
    of(name, "p50Ms").toFixed(2),
    of(name, "p99Ms").toFixed(2),
    of(name, "commitsEach").toFixed(2),
    of(name, "cpuUsEach").toFixed(0),
    beside === undefined ? "" : turns.toFixed(0),
    // With many runs in progress, the duration of one of them shows the number of waiting ones.
    concurrency === 1 ? more("p50Ms", 2) : "",
    more("commitsEach", 2),
    more("cpuUsEach", 0),
  ];
}

async function sample(kind: string, concurrency: number): Promise<AgentSample> {
  return await withFreshFolder(async (directory) => {
    const asked: AgentMeasurement = { kind, directory, load: { concurrency, ...MEASURE } };
    return JSON.parse(await inFreshProcess("agent/agent-child.ts", asked)) as AgentSample;
  });
}
