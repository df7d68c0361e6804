import { setTimeout as pause } from "node:timers/promises";
import { askAny, type ClusterOptions } from "./cluster.ts";
import type { Seen } from "./history-checker.ts";

/** A run and the observations of its clients. */
export interface Watched {
  readonly runId: string;
  readonly seen: Seen[];
}

/** The shared state of the clients, and the random source of one. */
export interface Crowd {
  readonly cluster: ClusterOptions;
  readonly watched: Watched[];
  readonly isRunning: () => boolean;
}

/** Number of reads after which a client turns to another run. */
const looksPerRun = 6;
/** Clients read the newest runs, so that they observe the same ones. */
const newest = 4;
const votingShare = 0.5;
const longestGapMs = 40;

/** A client: starts runs, reads its own and those of others, and votes on open reviews. */
export async function actAs(person: string, crowd: Crowd): Promise<void> {
  const { cluster, watched, isRunning } = crowd;
  const { random } = cluster;
  let current: Watched | undefined;
  for (let turn = 0; isRunning(); turn++) {
    await pause(random.below(longestGapMs));
    if (turn % looksPerRun === 0) {
      await begin(crowd, `${person}-${turn}`);
      const recent = watched.slice(-newest);
      current = recent.length === 0 ? undefined : random.pick(recent);
    }
    if (current === undefined) continue;
    const asks = (await look(cluster, current)) === "awaiting_review";
    if (asks && random.chance(votingShare)) await vote(cluster, current, person);
  }
}

async function begin({ cluster, watched }: Crowd, key: string): Promise<void> {
  const reply = await askAny(cluster, "begin", { key });
  if (reply.status === "answered") watched.push({ runId: reply.value.runId, seen: [] });
  else expectGivenUp(reply);
}

async function look(cluster: ClusterOptions, { runId, seen }: Watched): Promise<string | undefined> {
  const beganMs = performance.now();
  const reply = await askAny(cluster, "read", { runId });
  if (reply.status !== "answered") return expectGivenUp(reply);
  const { status } = reply.value;
  seen.push({ beganMs, endedMs: performance.now(), what: { kind: "read", status } });
  return status;
}

async function vote(cluster: ClusterOptions, { runId, seen }: Watched, person: string): Promise<void> {
  const approved = cluster.random.chance(0.5);
  const beganMs = performance.now();
  const reply = await askAny(cluster, "vote", { runId, approved, person, key: cluster.random.uuid() });
  const tooLate = reply.status === "refused" && reply.code === "already_decided";
  const outcome = reply.status === "answered" ? "won" : tooLate ? "too_late" : undefined;
  if (outcome === undefined) expectGivenUp(reply);
  const endedMs = outcome === undefined ? Infinity : performance.now();
  seen.push({ beganMs, endedMs, what: { kind: "vote", approved, outcome } });
}

/** @throws Error if the service refused a valid request */
function expectGivenUp(reply: {
  readonly status: string;
  readonly code?: string;
  readonly message?: string;
}): undefined {
  if (reply.code === "given_up") return undefined;
  throw new Error(`A client was refused: ${reply.code ?? reply.status} ${reply.message ?? ""}`);
}
