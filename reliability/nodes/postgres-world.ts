import { startPostgres, type PostgresServer } from "@procedo-testing/postgres";
import pg from "pg";
import type { SeededRandom } from "@procedo-testing/faults";
import { drive, type DriveOptions } from "../crash/drive.ts";
import { gather, type Evidence } from "../crash/evidence.ts";
import { paymentTimeoutMs as usualTimeoutMs } from "../crash/crash-procedure.ts";
import { createJudge, type Judge } from "../crash/judge.ts";
import { createWorld, type World } from "../crash/world.ts";
import type { ProofResult } from "../proof-group.ts";
import { clusterNode, type Hardships } from "./cluster.ts";
import { startMember, type Member } from "./member.ts";
import type { MemberSetup } from "./member-protocol.ts";
import { readPostgres } from "./read-postgres.ts";
import type { TcpProxy } from "./tcp-proxy.ts";

/** One database, one ledger, and several processes that work on them concurrently. */
export interface PostgresWorld {
  readonly world: World;
  readonly databaseUrl: string;
  /** All processes so far. */
  readonly members: readonly Member[];
  readonly judge: Judge;
  readonly hardships: Hardships;
  /** Starts processes. @defaultValue 1 */
  boot(count?: number): Promise<void>;
  /** Starts a process that reaches the database through this proxy. */
  bootThrough(proxy: TcpProxy | undefined): Promise<Member>;
  /** Starts a process with other modules that are loaded before the product. */
  bootNext(preload: readonly string[]): Promise<Member>;
  /** The living processes. */
  living(): readonly Member[];
  /** Drives all living, unpaused processes as one node until all work is done. */
  drive(options?: DriveOptions): Promise<void>;
  /** Queries the database without the product's code. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Sets the server of {@link query}. */
  lookAt(databaseUrl: string): void;
  close(): Promise<void>;
}

export interface PostgresWorldOptions extends Partial<Omit<MemberSetup, "databaseUrl" | "prepares">> {
  readonly name: string;
  readonly random: SeededRandom;
  /** The server in which a new database is created. */
  readonly server: Pick<PostgresServer, "createDatabase">;
  readonly leaseMs: number;
  /** Modules that are loaded into each process before the product. @defaultValue none */
  readonly preload?: readonly string[];
}

export async function createPostgresWorld(options: PostgresWorldOptions): Promise<PostgresWorld> {
  const { name, random, server, leaseMs, preload = [], poolSize = 6, serves = false, brokenShare = 0 } = options;
  const { paymentTimeoutMs = usualTimeoutMs } = options;
  let databaseUrl = await server.createDatabase();
  const members: Member[] = [];
  const death = Promise.withResolvers<never>();
  // The driver reports the error.
  death.promise.catch(() => {});
  const hardships: Hardships = { unanswered: 0, refused: 0 };
  let next: { readonly proxy: TcpProxy | undefined; readonly preload: readonly string[] } | undefined;
  const world = await createWorld({
    name,
    random,
    leaseMs,
    start: ({ keyPath, ledgerUrl, ledgerToken }) => {
      const seed = random.below(2 ** 32);
      const kept = { keyPath, ledgerUrl, ledgerToken, leaseMs, paymentTimeoutMs, poolSize, serves, brokenShare, seed };
      const setup = {
        ...kept,
        databaseUrl: next?.proxy?.through(databaseUrl) ?? databaseUrl,
        prepares: members.length === 0,
      };
      members.push(startMember(setup, next?.preload ?? preload));
      return cluster;
    },
  });
  const living = (): readonly Member[] => members.filter(({ end }) => end === undefined);
  const cluster = clusterNode({
    random: random.fork("cluster"),
    members: () => living().filter(({ paused }) => !paused),
    hardships,
  });
  const bootWith = async (proxy: TcpProxy | undefined, before: readonly string[]): Promise<Member> => {
    next = { proxy, preload: before };
    world.boot();
    const member = members.at(-1);
    if (member === undefined) throw new Error("No process was started.");
    void member.exited.then(() => {
      if (!member.isToEnd || !isWanted(member.end))
        death.reject(new Error(`A process died by itself, by ${member.end}.`));
    });
    if ((await member.ready) === "ended") throw new Error(`${neverWorked}, by ${member.end}: ${member.said}`);
    return member;
  };
  const judge = createJudge(world, () =>
    gather(world, () =>
      readPostgres(
        databaseUrl,
        world.starts.map(({ key }) => key),
      ),
    ),
  );
  return {
    world,
    get databaseUrl() {
      return databaseUrl;
    },
    members,
    judge,
    hardships,
    living,
    boot: async (count = 1) => {
      // The first process sets up the database.
      const isFirst = members.length === 0;
      if (isFirst) await bootWith(undefined, preload);
      await Promise.all(Array.from({ length: isFirst ? count - 1 : count }, () => bootWith(undefined, preload)));
    },
    bootThrough: (proxy) => bootWith(proxy, preload),
    bootNext: (before) => bootWith(undefined, before),
    drive: async (how) => {
      await Promise.race([drive(world, cluster, how), death.promise]).catch((error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        throw new Error(`${text}${lastWords(members)}`, { cause: error });
      });
    },
    query: (text, values) => queryOnce(databaseUrl, text, values),
    lookAt: (url) => void (databaseUrl = url),
    close: async () => {
      for (const member of living()) member.resume();
      await Promise.all(living().map((member) => member.kill()));
      await world.close();
    },
  };
}

/** The beginning of the error of a process that ended before it worked. */
export const neverWorked = "A process ended before it worked";

/** Runs the work with its own server and a world on it, and closes both. Returns the versions for the report. */
export async function withWorld(
  options: Omit<PostgresWorldOptions, "server">,
  work: (postgres: PostgresWorld, server: PostgresServer) => Promise<void>,
): Promise<ProvenOn> {
  const server = await startPostgres();
  try {
    const on = await versionOf(server);
    const postgres = await createPostgresWorld({ ...options, server });
    try {
      await work(postgres, server);
      return on;
    } finally {
      await postgres.close();
    }
  } finally {
    await server.close();
  }
}

/** The versions on which a proof ran, for its report. */
export type ProvenOn = NonNullable<ProofResult["on"]>;

export async function versionOf({ url }: Pick<PostgresServer, "url">): Promise<ProvenOn> {
  const [row] = await queryOnce<{ server_version: string }>(url, "SHOW server_version");
  return { Postgres: row?.server_version ?? "unknown" };
}

/**
 * Lets the members do all the work, and checks all invariants.
 *
 * @throws Error if a promise was broken, or a process died without being killed
 */
export async function finishTogether({ judge, drive: driveAll }: PostgresWorld): Promise<Evidence> {
  await driveAll();
  const { faults, evidence } = await judge.check("idle");
  if (faults.length > 0) throw new Error(faults.join(" "));
  return evidence;
}

/** Whether this is the end of a killed or drained process. */
function isWanted(end: string | undefined): boolean {
  return end === "SIGKILL" || end === "exit code 0";
}

/** The last log lines of each process, for the diagnosis of a failure. */
function lastWords(members: readonly Member[]): string {
  return members
    .map(({ log, end, said }, index) => {
      if (end !== undefined && !isWanted(end)) return ` Member ${index + 1} (${end}): ${said}`;
      const lines = log.slice(-4).map(({ message, error, runId }) => [message, runId, error].join(" ").trim());
      return ` Member ${index + 1} (${end ?? "alive"}): ${lines.join("; ") || "nothing logged"}.`;
    })
    .join("");
}

export async function queryOnce<Row>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url, application_name: "proof" });
  // Errors reach the caller through the query.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as readonly Row[];
  } finally {
    await client.end();
  }
}
