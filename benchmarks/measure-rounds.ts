/** The workloads, round after round: in each round every case, in each case every system in turn. */
import process from "node:process";
import type { Measurement } from "./child.ts";
import type { Figures } from "./figures.ts";
import { inFreshProcess } from "./fresh-process.ts";
import type { BenchPostgres } from "./postgres-server.ts";
import { SERVICE_CASES } from "./service/service-targets.ts";
import { measureServiceRound } from "./service/service-workloads.ts";
import { compileFsyncShim, type FsyncShim, SLOW_FSYNC_MS } from "./slow-fsync.ts";
import { type SystemEntry, systemsOn } from "./systems.ts";
import { caseName, type Rows, resultTables } from "./table.ts";
import { type Case, CASES } from "./targets.ts";
import type { Sample } from "./workloads.ts";

/** The request for a benchmark. */
export interface BenchOrder {
  /** Names of workloads. */
  readonly only: readonly string[];
  readonly databases: readonly string[];
  /** The running servers, for the names in `databases`. */
  readonly postgres: BenchPostgres | undefined;
  readonly quick: boolean;
  readonly built: boolean;
}

/** The results. */
export interface BenchResult {
  readonly rounds: number;
  readonly tables: readonly Rows[];
  /** Notes for readers of the tables: omitted cases, with the reasons. */
  readonly notes: readonly string[];
  /** All samples, for the report file. */
  readonly report: object;
}

const FULL = { rounds: 3, warmupMs: 1000, measureMs: 2500 };
const QUICK = { rounds: 1, warmupMs: 600, measureMs: 1200 };
/** The window must contain more than one run of a slow peer. */
const FULL_PEER = { warmupMs: 1500, measureMs: 5000 };
const FULL_SERVICE = { warmupMs: 2500, warmRequests: 20_000, measureMs: 3000, deliveries: 36_000 };
const QUICK_SERVICE = { warmupMs: 1200, warmRequests: 8_000, measureMs: 1200, deliveries: 12_000 };

/** Workloads that include peers. */
const PEER_WORKLOADS: readonly string[] = ["W1", "W2"];

export async function measureRounds(
  order: BenchOrder & { readonly withPeers: boolean; readonly withSlowDisk: boolean },
): Promise<BenchResult> {
  const plan = order.quick ? QUICK : FULL;
  const servicePlan = { ...(order.quick ? QUICK_SERVICE : FULL_SERVICE), built: order.built };
  const notes: string[] = [];
  const shim = order.withSlowDisk ? await compileFsyncShim(process.execPath) : undefined;
  if (shim?.state === "missing") notes.push(`THE +${SLOW_FSYNC_MS} MS CASES ARE LEFT OUT: ${shim.reason}.`);
  const isMeasured = (each: Case): boolean =>
    order.only.includes(each.workload) &&
    order.databases.includes(each.database) &&
    (!each.slowDisk || shim?.state === "ready");

  const cases = CASES.filter(isMeasured).map((each) => {
    const systems = systemsOn(each.database, order.withPeers && PEER_WORKLOADS.includes(each.workload));
    const samples = new Map<string, Sample[]>(systems.map(({ name }) => [name, []]));
    return { ...each, held: `procedo-${each.database}`, systems, samples };
  });
  const services = SERVICE_CASES.filter(
    ({ workload, database = "sqlite" }) => order.only.includes(workload) && order.databases.includes(database),
  ).map((each) => ({ ...each, samples: new Map<string, Figures[]>(each.systems.map((name) => [name, []])) }));

  for (let round = 1; round <= plan.rounds; round++) {
    const progress = (what: string) => process.stderr.write(`round ${round}/${plan.rounds}  ${what}\n`);
    for (const each of cases) {
      for (const system of each.systems) {
        const samples = each.samples.get(system.name);
        if (samples === undefined) continue;
        progress(`${caseName(each)}  ${system.name}`);
        try {
          samples.push(await measureOnce(each, system, order, shim));
        } catch (error) {
          each.samples.delete(system.name);
          // Without its ceiling a case has no meaning.
          if (system === each.systems[0]) each.samples.clear();
          notes.push(leftOut(`${system.name} of ${caseName(each)}`, error, system.peer));
        }
      }
    }
    for (const each of services) {
      progress(each.name);
      try {
        const complete: (readonly [string, Figures])[] = [];
        for await (const measured of measureServiceRound(each, servicePlan, order.postgres)) complete.push(measured);
        for (const [system, figures] of complete) each.samples.get(system)?.push(figures);
      } catch (error) {
        notes.push(leftOut(`A round of ${each.name}`, error));
      }
    }
  }
  if (shim?.state === "ready") await shim.remove();

  const entries = [...cases, ...services].map(({ samples, ...each }) => ({
    ...each,
    samples: Object.fromEntries(samples),
  }));
  return {
    rounds: plan.rounds,
    tables: resultTables(cases, services),
    notes,
    report: { plan, servicePlan, cases: entries },
  };
}

async function measureOnce(
  { workload, concurrency, database, slowDisk }: Case,
  { name, peer }: SystemEntry,
  { quick, built, postgres }: BenchOrder,
  shim: FsyncShim | undefined,
): Promise<Sample> {
  const { warmupMs, measureMs } = quick ? QUICK : peer === undefined ? FULL : FULL_PEER;
  const environment = slowDisk && shim?.state === "ready" ? shim.environment(SLOW_FSYNC_MS) : {};
  const measure = async (place: { readonly databaseUrl?: string }): Promise<Sample> => {
    const asked: Measurement = { ...place, system: name, workload, concurrency, warmupMs, measureMs };
    return JSON.parse(await inFreshProcess("child.ts", asked, { environment, built })) as Sample;
  };
  if (database === "sqlite") return measure({});
  if (postgres === undefined)
    throw new Error("The measurement needs Postgres, and none is running. Leave out --on postgres, or start it first.");
  return postgres.withDatabase((databaseUrl) => measure({ databaseUrl }));
}

/**
 * A failure must not discard the other measurements of an hour; a failure of Procedo fails the benchmark at its end.
 */
function leftOut(what: string, error: unknown, peer?: string): string {
  if (peer === undefined) process.exitCode = 1;
  const said = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
  const reason = said.split("\n").find((line) => /error/i.test(line)) ?? said;
  process.stderr.write(`${said}\n`);
  return `${what} FAILED and is left out: ${reason.trim()}`;
}
