import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";

export interface ServiceSetup {
  readonly databasePath: string;
  readonly keyPath: string;
  readonly sinceMs: number;
  /** Whether there is nothing in the database. */
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
  /** Where handlers note that they were called. */
  readonly ledgerPath: string;
  /** How long a call takes, in milliseconds of the machine's. */
  readonly workMs: number;
}

export type FunctionName = "pay" | "look";

/** A handler's call, noted as it began. */
export interface Made {
  readonly name: FunctionName;
  readonly n: number;
  readonly id: string;
  readonly client: string;
}

export type ClientMessage = { readonly type: "connected" } | { readonly type: "running"; readonly n: number };

export interface Killable {
  readonly child: ChildProcess;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

export function startProcess(file: "service-process.ts" | "client-process.ts", setup: object): Killable {
  const child = fork(join(import.meta.dirname, file), [JSON.stringify(setup)], {
    execPath: process.execPath,
    execArgv: ["--conditions=@procedo/source"],
    // Hundreds of processes load the same code.
    env: { ...process.env, NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/private-calls") },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = once(child, "close");
  return {
    child,
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** The first message that fits; rejects when the process ends before. */
export function messageOf<T>({ child }: Killable, fits: (message: T) => boolean = () => true): Promise<T> {
  return new Promise((resolve, reject) => {
    const hear = (message: unknown): void => {
      if (!fits(message as T)) return;
      child.off("message", hear);
      resolve(message as T);
    };
    child.on("message", hear);
    child.once("close", (code, signal) => {
      reject(new Error(`A process ended by ${signal ?? `exit code ${String(code)}`} before it was ready.`));
    });
  });
}
