import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Engine } from "@procedo/engine";
import { runCommand, readSettings } from "../src/index.ts";
import { openBeside } from "../src/open-data.ts";
import { createServerEngine } from "../src/server-engine.ts";
import { createLog } from "../src/observe/log.ts";
import { integrations } from "./bank.ts";

/** A folder with the data, settings and external services of one server. */
export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Standard input of its commands. @defaultValue empty */
  readonly stdin?: string;
  remove(): void;
}

export function makePlace(env: Readonly<Record<string, string>> = {}): Place {
  const folder = mkdtempSync(join(tmpdir(), "procedo-server-"));
  return {
    folder,
    env: {
      PORT: "0",
      PROCEDO_DATA_DIR: join(folder, "data"),
      PROCEDO_ALLOW_NETWORKS: "127.0.0.0/8",
      PROCEDO_LOG_LEVEL: "debug",
      BANK_BOOKS: join(folder, "books"),
      ...env,
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A server in a separate process. */
export interface ServerProcess {
  readonly url: string;
  /** The output so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code or the signal of the process. */
  readonly ended: Promise<number | string>;
}

/** Starts `procedo start`, with additional flags, and resolves when it is listening. */
export async function startProcess(place: Place, ...flags: readonly string[]): Promise<ServerProcess> {
  const { child, output, ended } = spawnStart(place, flags);
  const listens = (async () => {
    for await (const line of createInterface(child.stdout)) {
      if (!line.includes("The server is listening.")) continue;
      return (JSON.parse(line) as { readonly port: number }).port;
    }
    return undefined;
  })();
  const port = await Promise.race([listens, ended.then(() => undefined)]);
  if (port === undefined) throw new Error(`The server did not start: ${output()}`);
  return { url: `http://127.0.0.1:${port}`, output, ended, kill: (signal) => void child.kill(signal) };
}

/** Starts `procedo start` and expects a failure; returns its exit code and output. */
export async function startRefused(place: Place): Promise<{ readonly code: number | string; readonly output: string }> {
  const { ended, output } = spawnStart(place);
  return { code: await ended, output: output() };
}

/** The variables that a process of a test gets from this one. */
export const inherited = {
  PATH: process.env["PATH"],
  // Dozens of processes load the same sources.
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
};

function spawnStart({ folder, env }: Place, flags: readonly string[] = []) {
  const script = fileURLToPath(new URL("./bank-command.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@procedo/source", script, "start", ...flags], {
    cwd: folder,
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string);
  return { child, ended, output: () => output };
}

/** Runs the command beside the server. */
export async function procedo(place: Place, ...argv: readonly string[]) {
  let out = "";
  let err = "";
  const stdout = { write: (text: string) => (out += text) };
  const stderr = { write: (text: string) => (err += text) };
  const stdin = (async function* () {
    yield Buffer.from(place.stdin ?? "");
  })();
  const code = await runCommand({ argv, env: place.env, integrations, stdin, stdout, stderr });
  return { code, out, err };
}

/** Runs the command with `--json` and expects success. */
export async function procedoJson<T>(place: Place, ...argv: readonly string[]): Promise<T> {
  const { code, out, err } = await procedo(place, ...argv, "--json");
  if (code !== 0) throw new Error(`procedo ${argv.join(" ")} ended with ${code}: ${err}${out}`);
  return JSON.parse(out) as T;
}

/** Creates connections, which no command can do. */
export async function withEngine(place: Place, work: (engine: Engine) => Promise<void>): Promise<void> {
  const settings = readSettings(place.env);
  const data = await openBeside(settings);
  const engine = createServerEngine({ settings, data, integrations, log: createLog("silent") });
  await work(engine);
  await engine.stop();
  await data.storage.close();
}

/** Writes a value into a file of the place and returns the path. */
export function fileWith({ folder }: Place, name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

/** Calls the API with a key. */
export async function call(url: string, key: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
