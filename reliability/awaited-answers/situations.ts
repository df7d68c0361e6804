import { setTimeout as pause } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import type { PostgresServer } from "@procedo-testing/postgres";
import type { PayingMember } from "./paying-member.ts";

/** A fault of processes while payments are under way. */
export interface Situation {
  readonly name: string;
  /** The bank's delay. */
  readonly answerMs: number;
  /** The timeout of a payment. */
  readonly timeoutMs: number;
  /** Number of processes on the database at the fault; the first one pays. */
  readonly members: number;
  happen(scene: Scene): Promise<void>;
}

export interface Scene {
  readonly payer: PayingMember;
  /** Make the database unreachable, and reachable again. */
  readonly outage: (lastsMs: number) => Promise<void>;
  /** Starts another process on the database. */
  readonly addMember: () => Promise<void>;
}

/** A worker's lease; faults last longer. */
export const leaseMs = 1_000;

const longerThanLeaseMs = 3_500;

async function sleepOf({ payer }: Scene): Promise<void> {
  payer.signal("SIGSTOP");
  await pause(longerThanLeaseMs);
  payer.signal("SIGCONT");
}

export const situations: readonly Situation[] = [
  {
    name: "a drain, and answers after 12 s",
    answerMs: 12_000,
    timeoutMs: 20_000,
    members: 1,
    happen: async ({ payer, addMember }) => {
      await Promise.all([payer.ask({ do: "stop" }), addMember()]);
    },
  },
  {
    name: "an outage of the database, one node",
    answerMs: 2_000,
    timeoutMs: 8_000,
    members: 1,
    happen: ({ outage }) => outage(longerThanLeaseMs),
  },
  {
    name: "an outage of the database, two nodes",
    answerMs: 5_000,
    timeoutMs: 10_000,
    members: 2,
    happen: ({ outage }) => outage(longerThanLeaseMs),
  },
  {
    name: "SIGSTOP past the lease, one node",
    answerMs: 2_000,
    timeoutMs: 3_000,
    members: 1,
    happen: sleepOf,
  },
  {
    name: "SIGSTOP past the lease, two nodes",
    answerMs: 2_000,
    timeoutMs: 8_000,
    members: 2,
    happen: sleepOf,
  },
  {
    name: "a busy event loop, past lease and timeout",
    answerMs: 1_000,
    timeoutMs: 3_000,
    members: 1,
    happen: async ({ payer }) => {
      await payer.ask({ do: "block", ms: longerThanLeaseMs });
    },
  },
];

/** An exclusive lock simulates an outage of a database file. */
export async function lockSqlite(path: string, lastsMs: number): Promise<void> {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  database.exec("BEGIN EXCLUSIVE");
  await pause(lastsMs);
  database.exec("ROLLBACK");
  database.close();
}

export async function stopPostgres(server: Pick<PostgresServer, "stop" | "start">, lastsMs: number): Promise<void> {
  await server.stop("immediate");
  await pause(lastsMs);
  await server.start();
}
