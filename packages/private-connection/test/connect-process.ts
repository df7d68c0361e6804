import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A process that runs a program of this package from source. */
export interface ConnectProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Its complete output. */
  readonly output: () => string;
  /** Resolves when its output contains this; rejects if it ends before. */
  said(text: string | RegExp): Promise<void>;
  /** Resolves with the exit code or the signal that ended it. */
  readonly exited: Promise<number | string | null>;
}

export const modulePath = (name: string): string => join(import.meta.dirname, name);

export function startConnect(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): ConnectProcess {
  return startProgram([modulePath("../src/procedo-connect.ts"), ...args], variables);
}

/** Any program of this package, and its arguments. */
export function startProgram(
  command: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): ConnectProcess {
  const child = spawn(process.execPath, ["--conditions=@procedo/source", ...command], {
    // Without the environment of this process, such as a developer's own token.
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      NO_PROXY: "*",
      ...variables,
    },
  });
  let text = "";
  const hearing = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      for (const check of [...hearing]) check();
    });
  }
  const exited = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string | null);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return {
    child,
    exited,
    output: () => text,
    said: (wanted) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (typeof wanted === "string" ? !text.includes(wanted) : !wanted.test(text)) return;
          hearing.delete(check);
          resolve();
        };
        hearing.add(check);
        void exited.then((code) => reject(new Error(`It ended with ${String(code)} and said:\n${text}`)));
        check();
      }),
  };
}
