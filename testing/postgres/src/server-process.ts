import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { findBinaries } from "./binaries.ts";
import { serverUser } from "./server-user.ts";

/** Ways to stop a server: with its sessions aborted, or as after a power failure of the machine. */
export type StopMode = "fast" | "immediate";

/** One postmaster on a data folder. */
export interface ServerProcess {
  stop(mode: StopMode): Promise<void>;
  pause(): void;
  resume(): void;
}

const signals = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

/** @returns once the server accepts connections, writable or not */
export async function startServerProcess(request: {
  readonly dataFolder: string;
  readonly port: number;
  readonly url: string;
  readonly settings: Readonly<Record<string, string>>;
}): Promise<ServerProcess> {
  const { dataFolder, port, url, settings } = request;
  const { postgres } = await findBinaries();
  const flags = Object.entries({ ...settings, unix_socket_directories: "" }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const child = spawn(postgres, ["-D", dataFolder, "-h", "127.0.0.1", "-p", String(port), ...flags], {
    ...serverUser(),
    env: { ...process.env, LC_ALL: "C" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const endWithUs = (): void => void child.kill("SIGQUIT");
  process.once("exit", endWithUs);
  void ended.then(() => process.off("exit", endWithUs));

  while (!(await accepts(url))) {
    if (child.exitCode !== null) throw new Error(`Postgres ended during its start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    async stop(mode) {
      child.kill(signals[mode]);
      await ended;
    },
    pause: () => signalAll(child, "SIGSTOP"),
    resume: () => signalAll(child, "SIGCONT"),
  };
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // A server that ends meanwhile also reports that on the connection.
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The postmaster and its session processes, because the sessions of a stopped postmaster would still answer. */
function signalAll(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  for (const each of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(each, signal);
    } catch {
      // The session has just ended.
    }
  }
}

/** Reads the parent from the fourth field of `/proc/PID/stat`. */
function childrenOf(parent: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
