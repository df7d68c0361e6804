import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import type { Environment } from "@procedo/contract";
import { packageFlags } from "../package-flags.ts";

/** The setup of a service process: the JSON of its first argument. */
export interface ServiceSetup {
  /** The environment variables with its settings. */
  readonly env: Readonly<Record<string, string>>;
  /** The lead of its clock over the machine's, in milliseconds. */
  readonly clockAheadMs: number;
  /** Created if they do not exist. */
  readonly connections: readonly ConnectionSetup[];
  /** Modules that the process loads before the product, so that they can change it. @defaultValue none */
  readonly preload?: readonly string[];
}

export interface ConnectionSetup {
  readonly name: string;
  readonly integration: string;
  readonly environment: Environment;
  readonly settings: { readonly [name: string]: string };
  readonly secrets: { readonly [name: string]: string };
}

/** The parent's handle of a service process. */
export interface ServiceNode {
  /** Resolves with its address when it listens and works; `undefined` if it ended before. */
  readonly url: Promise<string | undefined>;
  readonly exited: Promise<void>;
  /** The end of the process, in words; `undefined` while it lives. */
  readonly end: string | undefined;
  /** Its output so far. */
  output(): string;
  /** The last errors in its log, for the diagnosis of a failure; empty without errors. */
  errors(): string;
  /** Ends it by the signal, and waits for the end. @defaultValue `SIGKILL` */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

const main = join(import.meta.dirname, "service-process.ts");

export function startService({ clockAheadMs, preload = [], ...setup }: ServiceSetup): ServiceNode {
  const child = fork(main, [JSON.stringify(setup)], {
    execPath: process.execPath,
    execArgv: packageFlags({ preload }),
    env: {
      PATH: process.env["PATH"],
      PROOF_CLOCK_AHEAD_MS: String(clockAheadMs),
      // A compile cache, because hundreds of processes load the same code.
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
      // An uncaught exception is not in the log.
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
