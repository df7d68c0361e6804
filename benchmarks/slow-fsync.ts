import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The time that the slow mode adds to every fsync, in milliseconds. */
export const SLOW_FSYNC_MS = 2;

/** The compiled shim, or the reason why there is none. */
export type FsyncShim =
  | {
      readonly state: "ready";
      /** Environment of a process in which every fsync takes `delayMs` longer. */
      environment(delayMs: number, countFile?: string): Record<string, string>;
      remove(): Promise<void>;
    }
  | { readonly state: "missing"; readonly reason: string };

/**
 * Compiles `slow-fsync.c` with `cc` into a temporary folder and checks that it intercepts node:sqlite's fsyncs:
 * otherwise a statically linked runtime would be reported as a database that slow disks do not affect.
 */
export async function compileFsyncShim(node: string): Promise<FsyncShim> {
  if (os.platform() !== "linux") {
    return { state: "missing", reason: `LD_PRELOAD is needed, and ${os.platform()} has none` };
  }
  const directory = await mkdtemp(path.join(os.tmpdir(), "procedo-fsync-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  const library = path.join(directory, "slow-fsync.so");
  const source = path.join(import.meta.dirname, "slow-fsync.c");
  try {
    await run("cc", ["-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"]);
  } catch (error) {
    await remove();
    return { state: "missing", reason: `no C compiler worked: ${String(error).split("\n")[0] ?? ""}` };
  }
  const environment = (delayMs: number, countFile?: string): Record<string, string> => ({
    LD_PRELOAD: library,
    PROCEDO_FSYNC_DELAY_US: String(Math.round(delayMs * 1000)),
    ...(countFile !== undefined && { PROCEDO_FSYNC_COUNT: countFile }),
  });
  const counted = await countSqliteFsyncs(node, directory, environment);
  if (counted < PROBE_COMMITS) {
    await remove();
    return {
      state: "missing",
      reason: `node:sqlite made ${PROBE_COMMITS} commits, and ${counted} fsyncs passed the shim`,
    };
  }
  return { state: "ready", environment, remove };
}

const PROBE_COMMITS = 20;

/** The number of fsyncs that reach the shim while node:sqlite makes {@link PROBE_COMMITS} commits at FULL. */
async function countSqliteFsyncs(
  node: string,
  directory: string,
  environment: (delayMs: number, countFile: string) => Record<string, string>,
): Promise<number> {
  const count = path.join(directory, "count");
  const script = `
    import { DatabaseSync } from "node:sqlite";
    const db = new DatabaseSync(${JSON.stringify(path.join(directory, "probe.sqlite"))});
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (n)");
    for (let n = 0; n < ${PROBE_COMMITS}; n++) db.exec("INSERT INTO t VALUES (1)");`;
  await run(node, ["--no-warnings", "--input-type=module", "-e", script], { env: environment(0, count) });
  return Number(await readFile(count, "utf8"));
}
