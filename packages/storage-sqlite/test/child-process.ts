import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A running script, line by line. */
export interface Child {
  /** Ends with the process. */
  readonly lines: AsyncIterable<string>;
  kill(): void;
}

/** Runs a TypeScript file of this folder in a separate process. Its errors appear in this process's output. */
export function runScript(name: string, args: readonly string[]): Child {
  const script = new URL(name, import.meta.url);
  const child = spawn(process.execPath, ["--conditions=@procedo/source", script.pathname, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return {
    lines: createInterface(child.stdout),
    kill: () => void child.kill("SIGKILL"),
  };
}
