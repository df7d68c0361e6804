import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { spawnLedger, type LedgerEffect, type LedgerProcess, type Payment } from "@procedo-examples/ledger";
import type { SeededRandom } from "@procedo-testing/faults";
import { masterKeyFile } from "@procedo/engine";
import type { CrashInput, RunShape } from "./crash-procedure.ts";
import type { Failpoint } from "./failpoints.ts";
import { startNode, type CrashNode } from "./node.ts";
import type { NodeSetup } from "./protocol.ts";

/** A start as the parent knows it, repeated with the same key until it is answered. */
export interface Start {
  readonly key: string;
  readonly input: CrashInput;
  /** Known after the acknowledgement. */
  runId: string | undefined;
  /** Whether its cancellation was acknowledged or came too late; only for the shape "cancel". */
  cancel: "acknowledged" | "too_late" | undefined;
}

/** A decision as the parent knows it, repeated with the same key until it is answered. */
export interface Decision {
  readonly idempotencyKey: string;
  readonly runId: string;
  readonly reviewId: string;
  readonly reviewDigest: string;
  readonly approved: boolean;
  readonly outputs?: Payment;
  readonly rejectionReason?: string;
  acknowledged: boolean;
}

/** One database, one ledger, the node processes that are killed on them, and all acknowledgements to the parent. */
export interface World {
  readonly random: SeededRandom;
  readonly databasePath: string;
  readonly masterKey: Uint8Array;
  readonly ledgerToken: string;
  readonly starts: readonly Start[];
  readonly decisions: readonly Decision[];
  readonly ledger: LedgerBooks;
  /** Starts a node; the previous one is dead. */
  boot(failpoint?: Failpoint): CrashNode;
  /** Plans a start that has not been requested yet. */
  plan(shape: RunShape): Start;
  note(decision: Decision): void;
  close(): Promise<void>;
}

/** The oracle: the requests and payments of the ledger. */
export interface LedgerBooks {
  effects(): Promise<readonly LedgerEffect[]>;
  payments(): Promise<ReadonlyMap<string, Payment>>;
  /** Delays the answers of payments by this time, in milliseconds, until the next call. */
  answerLate(ms: number): Promise<void>;
  /** Forgets every idempotency key, as services do after a day: a repeated request pays again. */
  forgetKeys(): Promise<void>;
}

export interface WorldOptions {
  readonly name: string;
  readonly random: SeededRandom;
  /** @defaultValue 500 */
  readonly leaseMs?: number;
  /** Starts a node. @defaultValue {@link startNode} */
  readonly start?: (setup: NodeSetup) => CrashNode;
}

/** Data are in the repository, because a temporary folder is often in memory, where writes need no durability. */
const dataFolder = join(import.meta.dirname, "../../.procedo");

export async function createWorld({ name, random, leaseMs = 500, start = startNode }: WorldOptions): Promise<World> {
  await mkdir(dataFolder, { recursive: true });
  const folder = await mkdtemp(join(dataFolder, `crash-${name}-`));
  const ledgerToken = `token-${random.hex(16)}`;
  const process = await spawnLedger({ dataDir: join(folder, "ledger"), token: ledgerToken });
  const keyPath = join(folder, "procedo.key");
  const masterKey = await masterKeyFile(keyPath);
  const databasePath = join(folder, "procedo.sqlite");
  const starts: Start[] = [];
  const decisions: Decision[] = [];
  let node: CrashNode | undefined;

  return {
    random,
    databasePath,
    masterKey,
    ledgerToken,
    starts,
    decisions,
    ledger: booksOf(process, ledgerToken),
    boot: (failpoint) => {
      const setup = { databasePath, keyPath, ledgerUrl: process.url, ledgerToken, leaseMs };
      node = start(failpoint === undefined ? setup : { ...setup, failpoint });
      return node;
    },
    plan: (shape) => {
      const n = starts.length + 1;
      const start: Start = { key: `start-${n}`, input: { n, shape }, runId: undefined, cancel: undefined };
      starts.push(start);
      return start;
    },
    note: (decision) => void decisions.push(decision),
    close: async () => {
      await node?.kill();
      await process.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const mostTries = 5;
const betweenTriesMs = 500;

/**
 * Requests to the ledger's control interface are repeatable, and one broken connection must not end a proof of an hour.
 */
async function fetchAgain(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (tries === mostTries) throw error;
      await pause(betweenTriesMs);
    }
  }
}

function booksOf(ledger: LedgerProcess, token: string): LedgerBooks {
  const ask = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetchAgain(ledger.url + path, { ...init, headers });
    if (!response.ok) throw new Error(`The ledger answered ${response.status} to ${path}.`);
    return (await response.json()) as T;
  };
  return {
    effects: async () => (await ask<{ data: readonly LedgerEffect[] }>("/_control/effects")).data,
    payments: async () => {
      const { data } = await ask<{ data: readonly Payment[] }>("/payments");
      return new Map(data.map((payment) => [payment.id, payment]));
    },
    answerLate: async (ms) => {
      const rule = { route: "POST /payments", ...(ms === 0 ? {} : { lateAnswerMs: ms }) };
      await ask("/_control/behaviour", { method: "POST", body: JSON.stringify(rule) });
    },
    forgetKeys: async () => {
      await ask("/_control/forget-keys", { method: "POST", body: "{}" });
    },
  };
}
