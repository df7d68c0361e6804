import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import type { Environment } from "@procedo/contract";
import { packageFlags } from "../package-flags.ts";

/** How a service process is set up: the JSON of its first argument. */
export interface ServiceSetup {
  /** The variables that it reads its settings from. */
  readonly env: Readonly<Record<string, string>>;
  /** How far its clock is ahead of the machine's, in milliseconds. */
  readonly clockAheadMs: number;
  /** Made unless they are there. */
  readonly connections: readonly ConnectionSetup[];
}

export interface ConnectionSetup {
  readonly name: string;
  readonly integration: string;
  readonly environment: Environment;
  readonly settings: { readonly [name: string]: string };
  readonly secrets: { readonly [name: string]: string };
}

/** A service process as its parent holds it. */
export interface ServiceNode {
  /** Resolves with its address when it listens and works; `undefined`: it ended before. */
  readonly url: Promise<string | undefined>;
  readonly exited: Promise<void>;
  /** How it ended, in words; `undefined` while it lives. */
  readonly end: string | undefined;
  /** Everything that it has printed so far. */
  output(): string;
  /** The last errors that it logged, for whoever has to find out why something failed; empty when there are none. */
  errors(): string;
  /** Ends it, `SIGKILL` unless another signal is given, and waits for the end. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

const main = join(import.meta.dirname, "service-process.ts");

export function startService({ clockAheadMs, ...setup }: ServiceSetup): ServiceNode {
  const child = fork(main, [JSON.stringify(setup)], {
    execPath: process.execPath,
    execArgv: packageFlags(),
    env: {
      PATH: process.env["PATH"],
      PROOF_CLOCK_AHEAD_MS: String(clockAheadMs),
      // Hundreds of processes load the same code.
      NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/service"),
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const url = Promise.withResolvers<string | undefined>();
  let output = "";
  let end: string | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  child.once("message", (message) => url.resolve(typeof message === "string" ? message : undefined));
  const exited = once(child, "close").then(([code, signal]) => {
    end = signal === null ? `exit code ${String(code)}` : String(signal);
    url.resolve(undefined);
  });
  return {
    url: url.promise,
    exited,
    get end() {
      return end;
    },
    output: () => output,
    errors: () => {
      const lines = output.split("\n");
      // An exception that nobody caught is no line of the log.
      const isCrash = end !== undefined && end !== "SIGKILL";
      const errors = isCrash ? lines.slice(-12) : lines.filter((line) => line.includes('"level":"error"')).slice(-3);
      return errors.length === 0 ? "" : ` Its log: ${errors.join(" ")}`;
    },
    kill: async (signal = "SIGKILL") => {
      child.kill(signal);
      await exited;
    },
  };
}
