import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../workspace.ts";

/** The outcome of a command, with its complete output. */
export interface CommandResult {
  readonly ok: boolean;
  /** Standard output and standard error, in order of arrival. */
  readonly output: string;
}

/** Working folder and time limit of a command. */
export interface CommandOptions {
  /** @defaultValue the repository's root */
  readonly cwd?: string;
  /** Time limit in milliseconds, after which the command is killed and counts as failed. @defaultValue no limit */
  readonly limitMs?: number;
}

/** Runs a command with closed input and collects its output. Never throws: a command that does not start has failed. */
export function runCommand(argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const [program, ...args] = argv;
  if (program === undefined) throw new Error("runCommand needs a program.");
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, FORCE_COLOR: "0", NO_COLOR: "1", TURBO_TELEMETRY_DISABLED: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      ...(options.limitMs === undefined ? {} : { timeout: options.limitMs, killSignal: "SIGKILL" }),
    });
    let output = "";
    const collect = (chunk: string) => (output += chunk);
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.on("error", (error) => resolve({ ok: false, output: `${output}${argv.join(" ")}: ${error.message}\n` }));
    // A grandchild that outlives its parent must not keep the pipes open, because verify would wait for it.
    child.on("exit", () => setTimeout(() => [child.stdout, child.stderr].forEach((it) => it.destroy()), 2000).unref());
    child.on("close", (code, signal) => {
      const ending = signal === null ? "" : `${argv.join(" ")} was ended by ${signal}.\n`;
      resolve({ ok: code === 0, output: output + ending });
    });
  });
}

/** The command of the pnpm that runs this script, or else of the repository's own version. */
export function pnpmCommand(): readonly string[] {
  const running = process.env["npm_execpath"];
  if (running !== undefined && /pnpm/.test(running)) {
    return /\.[cm]?js$/.test(running) ? [process.execPath, running] : [running];
  }
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { packageManager: string };
  return ["npx", "-y", packageManager];
}

/** A program from the repository's dev dependencies. */
export function tool(name: string): string {
  return join(root, "node_modules/.bin", name);
}
