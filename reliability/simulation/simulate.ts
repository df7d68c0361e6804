/*
 * options.ts            the decisions of a seed
 * world.ts, machine.ts  simulated time and processes
 * cluster.ts            the real engine on each machine
 * flaky-storage.ts      the faults between an engine and storage; also damaging-storage.ts and observed-storage.ts
 * ledger.ts             the bank, which counts the payments that it made
 * callers.ts, reviewers.ts, chaos.ts   applications, people, and faults of machines
 * publish-triggers.ts, event-senders.ts   triggers, and services that send events to them
 * checkers/             the invariants
 */
import { seededRandom } from "@procedo-testing/faults";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { deriveKey } from "../../packages/engine/src/secrets/derive-key.ts";
import { createCallers } from "./callers.ts";
import { createChaos } from "./chaos.ts";
import { allCheckers } from "./checkers/all-checkers.ts";
import type { Evidence } from "./checkers/checker.ts";
import { followRun, type FollowedRun } from "./checkers/followed-run.ts";
import { openFirings } from "./checkers/triggers.ts";
import { createCluster, masterKey } from "./cluster.ts";
import { createLeaseWatch, judgeDeparture } from "./departures.ts";
import { createEventSenders } from "./event-senders.ts";
import { createHistory, type History, type InvariantName, type Violation } from "./history.ts";
import { createLedger } from "./ledger.ts";
import { epochMs } from "./machine.ts";
import { observedStorage } from "./observed-storage.ts";
import { calmLedger, calmStorage, type SimulationOptions } from "./options.ts";
import { publishTriggers } from "./publish-triggers.ts";
import { publishRandom, subscribe, touch, workspace } from "./publish.ts";
import { createReviewers } from "./reviewers.ts";
import { createWorld } from "./world.ts";

/** Replacements in a simulation that it has to detect, for seeded bugs. */
export interface Sabotage {
  readonly wrapStorage?: (storage: Storage) => Storage;
}

export interface SimulationResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly traceHash: string;
  readonly events: number;
  readonly runs: number;
  readonly calls: number;
  readonly simulatedMs: number;
  readonly lastNotes: readonly string[];
  readonly history: History;
}

const checkEveryEvents = 400;
const livenessMs = 30 * 60_000;

const mostEvents = 400_000;

/** Runs the engine through one seed, first with faults, then without, and checks all events. */
export async function simulate(options: SimulationOptions, sabotage: Sabotage = {}): Promise<SimulationResult> {
  const random = seededRandom(options.seed, "world");
  const world = createWorld(random.fork("order"));
  const history = createHistory();
  const told = new Set<string>();
  const violate = (invariant: InvariantName, text: string): void => {
    if (told.has(text)) return;
    told.add(text);
    world.note(`VIOLATION ${invariant} ${text}`);
    history.violations.push({ invariant, text, atMs: world.nowMs() });
  };
  const onUnhandled = (error: unknown): void => violate("unexpected", `Unhandled rejection: ${String(error)}`);
  process.on("unhandledRejection", onUnhandled);

  let faulty = true;
  const lease = createLeaseWatch(world.nowMs);
  const wallOffset = { ms: 0 };
  const wallMs = (): number => epochMs + Math.floor(world.nowMs() + wallOffset.ms);
  const memory = createMemoryStorage({ now: wallMs });
  const storage = observedStorage(memory, history, world, lease, violate);
  const ledger = createLedger({
    world,
    wallMs,
    random: random.fork("ledger"),
    history,
    faults: () => (faulty ? options.ledger : calmLedger),
    leaving: (request, { clock }) =>
      judgeDeparture(request, history, lease, { worldMs: world.nowMs(), wallMs: clock.now() }, violate),
  });
  const clusterPorts = {
    world,
    random: random.fork("cluster"),
    history,
    storage,
    ledger,
    options,
    storageFaults: () => (faulty ? options.storage : calmStorage),
    spins: (verb: string) => violate("liveness", `A worker calls ${verb} in a loop without time passing.`),
    damageRate: () => (faulty ? options.chaos.damage : 0),
    wallOffset,
    wrapStorage: sabotage.wrapStorage,
  };

  const { procedureIds, replaceConnection } = await publishRandom({
    world,
    random: random.fork("documents"),
    history,
    storage,
    ledger,
    options,
  });
  const webhooks = await subscribe(memory);
  const triggers = { world, random: random.fork("triggers"), history, storage, ledger, options };
  const hooks = options.triggers === undefined ? [] : await publishTriggers(triggers, options.triggers, procedureIds);
  const cluster = createCluster(clusterPorts);
  for (let count = 0; count < options.machines; count++) cluster.boot();
  const people = { world, history, cluster, options, violate };
  const callers = createCallers({ ...people, random: random.fork("callers") });
  const senders = createEventSenders({ ...people, random: random.fork("senders"), hooks });
  const reviewers = createReviewers({ ...people, random: random.fork("reviewers"), storage: memory, workspace });
  const chaos = createChaos({
    world,
    random: random.fork("chaos"),
    cluster,
    options,
    touch: () => void touch(memory),
    replaceConnection: (environment) => void replaceConnection(environment),
  });

  const followed = new Map<string, FollowedRun>();
  const chainKey = deriveKey(masterKey, "journal");
  const evidence = (): Evidence => ({
    history,
    runs: [...followed.values()],
    storage: memory,
    workspace,
    options,
    webhooks,
    wallMs: wallMs(),
  });
  const check = async (atEnd: boolean): Promise<void> => {
    for (const run of history.runs.values()) {
      const known = followed.get(run.runId) ?? followRun(run, chainKey);
      followed.set(run.runId, known);
      for (const { kind, text } of known.follow())
        violate(kind === "chain" ? "chain" : "state", `Run ${run.runId}: ${text}`);
    }
    for (const checker of allCheckers) {
      if (!atEnd && !checker.always) continue;
      for (const text of await checker.check(evidence())) violate(checker.invariant, text);
    }
  };
  const proceed = async (untilMs: number, done: () => boolean): Promise<void> => {
    while (world.nowMs() < untilMs && !done() && history.violations.length === 0) {
      const stopAt = world.events + checkEveryEvents;
      await world.run(untilMs, () => world.events >= stopAt || history.violations.length > 0 || done());
      await check(false);
      if (world.events > mostEvents) violate("liveness", `The simulation needs more than ${mostEvents} events.`);
    }
  };

  callers.begin(procedureIds);
  senders.begin();
  reviewers.begin();
  chaos.begin();
  await proceed(options.faultsForMs, () => false);

  world.note("no more faults");
  faulty = false;
  chaos.end();
  reviewers.beDiligent();
  const allEnded = (): boolean =>
    world.nowMs() > options.faultsForMs + settleMs &&
    [...history.runs.values()].every(({ ended, runId }) => ended || history.damaged.has(runId));
  const untilMs = options.faultsForMs + livenessMs + chaos.backwardMs;
  await proceed(untilMs, allEnded);
  while (world.nowMs() < untilMs && history.violations.length === 0 && (await openFirings(evidence())) > 0) {
    const lookMs = world.nowMs() + firingLookMs;
    await proceed(untilMs, () => world.nowMs() > lookMs && allEnded());
  }
  if (history.violations.length === 0 && !allEnded()) {
    for (const { runId, ended } of history.runs.values()) {
      if (!ended && !history.damaged.has(runId))
        violate("liveness", await standstill(memory, followed.get(runId), runId));
    }
  }
  await check(true);
  for (const line of history.logs) {
    if (line.includes(" error ") && history.damaged.size === 0) violate("unexpected", line);
  }
  for (const { machine } of cluster.members()) machine.kill();
  process.off("unhandledRejection", onUnhandled);
  return {
    seed: options.seed,
    violations: history.violations,
    traceHash: world.traceHash(),
    events: world.events,
    runs: history.runs.size,
    calls: history.requests.length,
    simulatedMs: world.nowMs(),
    lastNotes: world.lastNotes,
    history,
  };
}

/** Repetitions and calls that were under way at the end of the faults have ended by then. */
const settleMs = 10_000;

/** The interval at which firings are looked at while no run is open. */
const firingLookMs = 1_000;

/** The reason why a run makes no progress, for the report. */
async function standstill(storage: Storage, followed: FollowedRun | undefined, runId: string): Promise<string> {
  const scope = followed?.run.scope;
  const row = scope === undefined ? undefined : await storage.runs.get({ scope, runId });
  const last = followed?.run.rows.at(-1);
  const place = JSON.stringify(last?.commit.then);
  return `Run ${runId} (${row?.status}) never ended: at "${followed?.state?.cursor.at}", row ${last?.seq} left it ${place}.`;
}
