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

/** One database, one ledger, and several processes that work on them at the same time. */
export interface PostgresWorld {
  readonly world: World;
  readonly databaseUrl: string;
  /** Every process so far. */
  readonly members: readonly Member[];
  readonly judge: Judge;
  readonly hardships: Hardships;
  /** Starts processes. @defaultValue 1 */
  boot(count?: number): Promise<void>;
  /** Starts one that reaches the database through there. */
  bootThrough(proxy: TcpProxy | undefined): Promise<Member>;
  /** Starts one into which something else is loaded before the product. */
  bootNext(preload: readonly string[]): Promise<Member>;
  /** Those that live. */
  living(): readonly Member[];
  /** Drives all that live and are awake as one until everything is done. */
  drive(options?: DriveOptions): Promise<void>;
  /** Asks the database, past the product. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** From now on the database, as it is looked at past the product, is this one. */
  lookAt(databaseUrl: string): void;
  close(): Promise<void>;
}

export interface PostgresWorldOptions extends Partial<Omit<MemberSetup, "databaseUrl" | "prepares">> {
  readonly name: string;
  readonly random: SeededRandom;
  /** A new database is made in it. */
  readonly server: Pick<PostgresServer, "createDatabase">;
  readonly leaseMs: number;
  /** Loaded into each process before the product. @defaultValue nothing */
  readonly preload?: readonly string[];
}

export async function createPostgresWorld(options: PostgresWorldOptions): Promise<PostgresWorld> {
  const { name, random, server, leaseMs, preload = [], poolSize = 6, serves = false, brokenShare = 0 } = options;
  const { paymentTimeoutMs = usualTimeoutMs } = options;
  let databaseUrl = await server.createDatabase();
  const members: Member[] = [];
  const death = Promise.withResolvers<never>();
  // Whoever drives hears of it; nobody else has to.
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
      // The first sets up what the others find.
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

/** How the error of a process begins that never came to work. */
export const neverWorked = "A process ended before it worked";

/** A server of its own for what follows, and a world on it; both end with it. Answers what it was proven on. */
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

/** What a proof was run on, for its report. */
export type ProvenOn = NonNullable<ProofResult["on"]>;

export async function versionOf({ url }: Pick<PostgresServer, "url">): Promise<ProvenOn> {
  const [row] = await queryOnce<{ server_version: string }>(url, "SHOW server_version");
  return { Postgres: row?.server_version ?? "unknown" };
}

/**
 * Lets the members do all the work that there is, and checks everything.
 *
 * @throws Error when a promise was broken, or a process died that nobody killed
 */
export async function finishTogether({ judge, drive: driveAll }: PostgresWorld): Promise<Evidence> {
  await driveAll();
  const { faults, evidence } = await judge.check("idle");
  if (faults.length > 0) throw new Error(faults.join(" "));
  return evidence;
}

/** Whether a process ends so that is killed or drains. */
function isWanted(end: string | undefined): boolean {
  return end === "SIGKILL" || end === "exit code 0";
}

/** What each process logged last, for whoever has to find out why something failed. */
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
  // What breaks is the query's to tell.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as readonly Row[];
  } finally {
    await client.end();
  }
}
