import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";

/**
 * The folder of databases: in the repository, because a temporary folder is often in memory, where fsync costs nothing.
 */
export const DATA_FOLDER = path.join(import.meta.dirname, "..", ".procedo");

/** Calls `use` with an empty folder and removes it afterwards. */
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
 * The Node options of all started processes: the young generation of a service on a shared machine. By default, V8
 * would use 50 MB to save a twentieth of the processor time.
 */
const NODE_FLAGS = ["--max-semi-space-size=16"];

/**
 * Node's compile cache: the benchmark's own types are stripped once, not in each measured process, where this would
 * cost 18 MB.
 */
const COMPILED_FOLDER = path.join(DATA_FOLDER, "compiled");

export interface FreshProcessOptions {
  readonly flags?: readonly string[];
  readonly environment?: Record<string, string>;
  /** Whether packages are loaded from `dist`, as published, instead of from source. @defaultValue false */
  readonly built?: boolean;
}

/** Runs a script beside this one in a separate process and returns its output. */
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
