import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { SeededRandom } from "@procedo-testing/faults";
import type { Storage } from "@procedo/storage";
import { PostgresStorage } from "@procedo/storage-postgres";
import { SqliteStorage } from "@procedo/storage-sqlite";
import type { Failpoint } from "../crash/failpoints.ts";
import { judgeOccurrences, type JudgedTrigger } from "./judge-occurrences.ts";
import { pacedNow, type Pace } from "./paced-clock.ts";
import { readOccurrences, type StoredOccurrences, type StoredTrigger } from "./read-occurrences.ts";
import { startTriggerNode, type TriggerNode } from "./trigger-node.ts";
import type { TriggerDatabase } from "./trigger-protocol.ts";
import { environment, names, type HookAddress } from "./triggered-procedures.ts";

/** One database with triggers, the processes on it, and all acknowledgements to the parent. */
export interface TriggerWorld {
  /** The living processes. */
  living(): readonly TriggerNode[];
  /** Starts a process, and waits until it works or, with a failpoint, has died. */
  boot(failpoint?: Failpoint): Promise<TriggerNode>;
  /** Sets the clock of the processes that are started from now on ahead. */
  leap(ms: number): void;
  /**
   * Sends new events to each of these processes, all at once. An event without an answer is sent again by
   * {@link sendAgain}.
   *
   * @param copies - how often each process gets each event. @defaultValue 1
   */
  send(to: readonly TriggerNode[], count: number, copies?: number): Promise<readonly string[]>;
  /** Sends these events once more. */
  repeat(to: readonly TriggerNode[], eventIds: readonly string[]): Promise<void>;
  /** Sends to a process every event without an acknowledgement, until each has one. */
  sendAgain(node: TriggerNode): Promise<void>;
  /** Waits until no work is left; returns the milliseconds that it took. @throws Error after a minute */
  settled(): Promise<number>;
  /** The broken promises so far. `idle`: no work is left. */
  judge(moment: "idle" | "under way"): Promise<Verdict>;
  /** How often each event was acknowledged. */
  readonly acknowledged: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export interface Verdict {
  readonly faults: readonly string[];
  readonly stored: StoredOccurrences;
}

export interface TriggerWorldOptions {
  readonly name: string;
  readonly random: SeededRandom;
  /** The address of an empty database of Postgres. @defaultValue a SQLite file */
  readonly postgresUrl?: string;
  /** The factor by which time is faster. */
  readonly factor: number;
  /** Modules that are loaded into each process before the product. @defaultValue none */
  readonly preload?: readonly string[];
}

/** Data are in the repository, because a temporary folder is often in memory, where writes need no durability. */
const dataFolder = join(import.meta.dirname, "../../.procedo");
const scope = { workspace: "default", environment } as const;
const minuteMs = 60_000;
/** By the machine's clock. */
const leaseMs = 2_000;
const lookEveryMs = 50;
const patienceMs = 60_000;
const mostRepeats = 2;
/** A look reads triggers and then runs. A firing that starts its run in between appears in neither. */
const idleLooks = 2;
/** The beginning of the error of a process that ended before it worked. */
export const neverWorked = "A process ended before it worked";

export async function createTriggerWorld(options: TriggerWorldOptions): Promise<TriggerWorld> {
  const { name, random, postgresUrl, factor, preload = [] } = options;
  await mkdir(dataFolder, { recursive: true });
  const folder = await mkdtemp(join(dataFolder, `triggers-${name}-`));
  const database: TriggerDatabase =
    postgresUrl === undefined
      ? { kind: "sqlite", path: join(folder, "procedo.sqlite") }
      : { kind: "postgres", url: postgresUrl };
  const keyPath = join(folder, "procedo.key");
  const sent = new Set<string>();
  const acknowledged = new Map<string, number>();
  const sinceMs = Date.now();
  const nodes: TriggerNode[] = [];
  let pace: Pace = { sinceMs, factor, aheadMs: 0 };
  let hook: HookAddress | undefined;

  const living = (): readonly TriggerNode[] => nodes.filter(({ end }) => end === undefined);
  const deliver = async (node: TriggerNode, eventIds: readonly string[]): Promise<void> => {
    const reply = await node.ask("send", { eventIds });
    if (reply.status === "refused") {
      if (reply.code === "inbound_unavailable") return;
      throw new Error(`Events were refused: ${reply.code} ${reply.message}`);
    }
    if (reply.status === "lost") return;
    for (const [index, status] of reply.value.statuses.entries()) {
      const eventId = eventIds[index] ?? "";
      if (status >= 200 && status < 300) acknowledged.set(eventId, (acknowledged.get(eventId) ?? 0) + 1);
      else if (status !== 503) throw new Error(`Event ${eventId} was answered with ${status}.`);
    }
  };
  const isIdle = async (): Promise<boolean> => {
    const [node] = living();
    if (node === undefined) throw new Error("No process is left.");
    const reply = await node.ask("look", {});
    if (reply.status === "refused") {
      if (reply.code === "storage_unavailable") return false;
      throw new Error(`A process cannot be polled: ${reply.message}`);
    }
    if (reply.status === "lost") return false;
    const { isDue, waiting, running } = reply.value;
    return !isDue && waiting === 0 && running === 0;
  };

  const settled = async (): Promise<number> => {
    const beganAtMs = performance.now();
    for (let idle = 0; idle < idleLooks;) {
      idle = (await isIdle()) ? idle + 1 : 0;
      if (performance.now() - beganAtMs > patienceMs) {
        const words = nodes.map(({ end, lastWords }) => `${end ?? "alive"}: ${lastWords}`).slice(-4);
        throw new Error(`Work is left after ${patienceMs} ms. ${words.join("; ")}`);
      }
      await pause(lookEveryMs);
    }
    return Math.round(performance.now() - beganAtMs);
  };
  const judgeOnce = async (moment: "idle" | "under way"): Promise<Verdict> => {
    const stored = await withStorage(database, (storage) => readOccurrences(storage, scope));
    const told = { sent, acknowledged: new Set(acknowledged.keys()), untilMs: pacedNow(pace), factor };
    return { stored, faults: judgeOccurrences(judgedTriggers(stored, told), stored.runs, moment) };
  };

  return {
    living,
    boot: async (failpoint) => {
      const setup = { database, keyPath, pace, leaseMs: leaseMs * factor };
      const node = startTriggerNode(
        { ...setup, ...(hook === undefined ? {} : { hook }), ...(failpoint === undefined ? {} : { failpoint }) },
        preload,
      );
      nodes.push(node);
      hook = (await node.ready) ?? hook;
      if (failpoint === undefined && node.end !== undefined) {
        throw new Error(`${neverWorked}, by ${node.end}: ${node.lastWords}`);
      }
      return node;
    },
    leap: (ms) => {
      pace = { ...pace, aheadMs: pace.aheadMs + ms };
    },
    send: async (to, count, copies = 1) => {
      const eventIds = Array.from({ length: count }, (_, n) => `event-${sent.size + n + 1}`);
      for (const eventId of eventIds) sent.add(eventId);
      const copied = eventIds.flatMap((eventId) => Array.from({ length: copies }, () => eventId));
      await Promise.all(to.map((node) => deliver(node, copied)));
      return eventIds;
    },
    repeat: async (to, eventIds) => {
      await Promise.all(to.map((node) => deliver(node, eventIds)));
    },
    acknowledged,
    sendAgain: async (node) => {
      while (sent.size > acknowledged.size && node.end === undefined) {
        const open = [...sent].filter((eventId) => !acknowledged.has(eventId));
        // Senders also repeat events whose acknowledgement they have missed.
        const known = [...acknowledged.keys()].filter(() => random.chance(0.05));
        await deliver(node, [...open, ...known]);
      }
    },
    settled,
    judge: async (moment) => {
      let verdict = await judgeOnce(moment);
      // A minute may have begun since the work was done, and its firings are under way.
      for (let again = 0; moment === "idle" && verdict.faults.length > 0 && again < mostRepeats; again++) {
        await settled();
        verdict = await judgeOnce(moment);
      }
      return verdict;
    },
    close: async () => {
      await Promise.all(living().map((node) => node.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Sent {
  readonly sent: ReadonlySet<string>;
  readonly acknowledged: ReadonlySet<string>;
  readonly untilMs: number;
  readonly factor: number;
}

function judgedTriggers({ triggers, runs }: StoredOccurrences, told: Sent): readonly JudgedTrigger[] {
  const { sent, acknowledged } = told;
  const hook = storedOf(triggers, names.hook);
  const chained = storedOf(triggers, names.chained);
  // Each run of the hook emits one event, whose id contains the run's.
  const starts = runs.filter(({ trigger }) => trigger.triggerId === hook.triggerId).length;
  const emitted = new Set(chained.firings.flatMap(({ event }) => event?.id ?? []));
  return [
    { name: names.hook, ...hook, occurrences: { kind: "events", sent, acknowledged } },
    {
      name: names.chained,
      ...chained,
      occurrences: { kind: "events", sent: emitted, acknowledged: emittedBy(starts, emitted) },
    },
    scheduled(names.every, storedOf(triggers, names.every), told),
    scheduled(names.latest, storedOf(triggers, names.latest), told),
  ];
}

/** The ids of the events of so many runs; one that is not stored has a name that says so. */
function emittedBy(starts: number, emitted: ReadonlySet<string>): ReadonlySet<string> {
  const missing = Array.from({ length: Math.max(0, starts - emitted.size) }, (_, n) => `${n + 1} without a firing`);
  return new Set([...emitted, ...missing]);
}

/** Each full minute since its creation. */
function scheduled(name: string, trigger: StoredTrigger, { untilMs, factor }: Sent): JudgedTrigger {
  const times: number[] = [];
  const first = (Math.floor(trigger.createdAtMs / minuteMs) + 1) * minuteMs;
  for (let time = first; time <= untilMs + minuteMs; time += minuteMs) times.push(time);
  const dueUntilMs = untilMs - slowestMs * factor;
  return { name, ...trigger, occurrences: { kind: "times", times, dueUntilMs } };
}

/** Within this time of the machine's clock, a time that is due is accounted for. */
const slowestMs = 10_000;

function storedOf(triggers: ReadonlyMap<string, StoredTrigger>, name: string): StoredTrigger {
  const trigger = triggers.get(name);
  if (trigger === undefined) throw new Error(`Storage has no trigger "${name}".`);
  return trigger;
}

async function withStorage<T>(database: TriggerDatabase, read: (storage: Storage) => Promise<T>): Promise<T> {
  const storage =
    database.kind === "sqlite"
      ? await SqliteStorage.open({ path: database.path })
      : await PostgresStorage.connect(database.url);
  try {
    return await read(storage);
  } finally {
    await storage.close();
  }
}
