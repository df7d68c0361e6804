import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";

/** Where databases are made: in the repository, since a temporary folder is often in memory, where fsync costs nothing. */
export const DATA_FOLDER = path.join(import.meta.dirname, "..", ".procedo");

/** Gives `use` an empty folder and removes it afterwards. */
export async function withFreshFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(DATA_FOLDER, { recursive: true });
  const folder = await mkdtemp(path.join(DATA_FOLDER, "bench-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * With what the processes run that are started here, whatever the system: room for new objects as a service has it that
 * shares its machine. V8 would take 50 MB for them, to spare a twentieth of the processor time.
 */
const NODE_FLAGS = ["--max-semi-space-size=16"];

/** Where Node keeps what it compiled: the benchmark's own types are stripped once, and not in each measured process, which 18 MB stay with. */
const COMPILED_FOLDER = path.join(DATA_FOLDER, "compiled");

export interface FreshProcessOptions {
  readonly flags?: readonly string[];
  readonly environment?: Record<string, string>;
  /** Whether packages are taken as they are published, from `dist`, and not from source. @defaultValue false */
  readonly built?: boolean;
}

/** Runs a script beside this one in a process of its own and answers what it printed. */
export async function inFreshProcess(
  script: string,
  asked: unknown,
  options: FreshProcessOptions = {},
): Promise<string> {
  const condition = options.built === true ? [] : ["--conditions=@procedo/source"];
  const args = [...NODE_FLAGS, ...condition, ...(options.flags ?? []), path.join(import.meta.dirname, script)];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, JSON.stringify(asked)], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED_FOLDER, ...options.environment },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
