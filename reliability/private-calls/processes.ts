import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { packageFlags } from "../package-flags.ts";

export interface ServiceSetup {
  readonly databasePath: string;
  readonly keyPath: string;
  readonly sinceMs: number;
  /** Whether the database is empty. */
  readonly isNew: boolean;
}

export interface ServiceReady {
  readonly port: number;
  readonly made?: { readonly connectionId: string; readonly token: string; readonly key: string };
}

export interface ClientSetup {
  readonly client: string;
  readonly url: string;
  readonly token: string;
  readonly ca: string;
  readonly concurrency: number;
  readonly sinceMs: number;
  /** The file in which handlers record their calls. */
  readonly ledgerPath: string;
  /** The duration of a call, in milliseconds of the machine's clock. */
  readonly workMs: number;
}

export type FunctionName = "pay" | "look";

/** A handler's call, recorded at its beginning. */
export interface Made {
  readonly name: FunctionName;
  readonly n: number;
  readonly id: string;
  readonly client: string;
}

export type ClientMessage = { readonly type: "connected" } | { readonly type: "running"; readonly n: number };

export interface Killable {
  readonly child: ChildProcess;
  /** Its end and its last output, unless it was killed. */
  readonly diedByItself: string | undefined;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
  /** Sends SIGTERM and waits for the end. @throws Error if it did not end by itself */
  drain(): Promise<void>;
}

export function startProcess(file: "service-process.ts" | "client-process.ts", setup: object): Killable {
  const child = fork(join(import.meta.dirname, file), [JSON.stringify(setup)], {
    execPath: process.execPath,
    // The client's package takes no clock as an option.
    execArgv: packageFlags({ looksInside: file === "client-process.ts" }),
    // A compile cache, because hundreds of processes load the same code.
    env: { ...process.env, NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/private-calls") },
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  let said = "";
  let isKilled = false;
  let diedByItself: string | undefined;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-2_000)));
  child.once("close", (code, signal) => {
    if (isKilled) return;
    diedByItself = `A process (${file}) died by itself, by ${signal ?? `exit code ${String(code)}`}: ${said}`;
  });
  const exited = once(child, "close");
  return {
    child,
    get diedByItself() {
      return diedByItself;
    },
    kill: async () => {
      isKilled = true;
      child.kill("SIGKILL");
      await exited;
    },
    drain: async () => {
      isKilled = true;
      child.kill("SIGTERM");
      const [code, signal] = await exited;
      if (code !== 0) throw new Error(`A drain ended by ${String(signal ?? `exit code ${String(code)}`)}: ${said}`);
    },
  };
}

/** The first matching message; rejects if the process ends before. */
export function messageOf<T>(process: Killable, fits: (message: T) => boolean = () => true): Promise<T> {
  const { child } = process;
  return new Promise((resolve, reject) => {
    const hear = (message: unknown): void => {
      if (!fits(message as T)) return;
      child.off("message", hear);
      resolve(message as T);
    };
    child.on("message", hear);
    child.once("close", (code, signal) => {
      const how = process.diedByItself ?? `A process was killed by ${signal ?? `exit code ${String(code)}`}.`;
      reject(new Error(`${how} It was not ready yet.`));
    });
  });
}
